import Alarms
import EggStore

/// The oracle of undo and redo: undo takes the last change that was made, redo the one that was undone last, until another
/// change is made.
struct UndoOrder {
  private struct Step {
    var sequence: Int64
    /// False where the reply does not tell whether anything changed.
    var isSure: Bool
  }

  /// Changes by the sequences of their replies, oldest first.
  private var made: [Step] = []
  /// Undos likewise.
  private var undone: [Step] = []
  /// Whether nothing else can be redone.
  private var isUndoneKnown = true
  /// The sequence of the last reply.
  private(set) var latest: Int64 = 0
  private static let depth = 20

  mutating func made(_ change: any Change, _ outcome: ChangeOutcome) {
    guard change.kind != nil, outcome.sequence > latest else { return }
    latest = outcome.sequence
    let isSure =
      change is ScheduleChange || !outcome.deleted.isEmpty || outcome.imported.map { $0.count > 0 } ?? false
    made.append(Step(sequence: outcome.sequence, isSure: isSure))
    if made.count > Self.depth { made.removeFirst() }
    if isSure {
      (undone, isUndoneKnown) = ([], true)
    } else {
      for index in undone.indices { undone[index].isSure = false }
    }
  }

  /// - Parameters:
  ///   - sequence: That of the step.
  ///   - new: That of the reply.
  mutating func took(_ sequence: Int64, as new: Int64, redoes: Bool) throws {
    latest = max(latest, new)
    if redoes {
      guard !undone.isEmpty || !isUndoneKnown else {
        throw Ledger.Violation(text: "redo takes \(sequence), after a change that ends what can be redone")
      }
      try Self.take(sequence, from: &undone, "redo")
      made.append(Step(sequence: new, isSure: true))
    } else {
      try Self.take(sequence, from: &made, "undo")
      undone.append(Step(sequence: new, isSure: true))
    }
  }

  private static func take(_ sequence: Int64, from steps: inout [Step], _ name: String) throws {
    while let last = steps.last, last.sequence != sequence, !last.isSure { steps.removeLast() }
    if let last = steps.popLast(), last.sequence != sequence {
      throw Ledger.Violation(text: "\(name) takes the change \(sequence), and not \(last.sequence)")
    }
  }

  mutating func refused(_ change: any Change, _ error: ChangeError) throws {
    guard let undo = change as? UndoChange, error == .nothingToUndo else { return }
    if let left = (undo.redoes ? undone : made).last(where: \.isSure) {
      throw Ledger.Violation(
        text: "\(undo.redoes ? "redo" : "undo") finds nothing, and not the change \(left.sequence)")
    }
  }

  /// Nobody knows which of these were made.
  mutating func killed(amid open: some Collection<Command>) {
    guard open.contains(where: { $0.change.kind != nil || $0.change is UndoChange }) else { return }
    (made, undone, isUndoneKnown) = ([], [], false)
  }
}
