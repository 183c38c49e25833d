import Alarms

/// A committed change and the client that made it, for the journal.
package struct MadeChange: Sendable {
  /// nil for an undo.
  package var kind: ChangeKind?
  package var client: ChangeClient
  package var processID: Int32?
  /// Alarms that were created, changed or deleted.
  package var count: Int64
  /// These alarms, deleted ones as they were before; nil if there are more than ``few``, or ``mostNumbers`` deleted ones.
  package var alarms: [Alarm]?
  /// The numbers of these alarms, at most ``mostNumbers``; empty where so many changed that nobody noted them.
  package var numbers: [Int64]
  /// Whether the alarms are gone.
  package var deletes = false
  /// The group's name, for a change of a group.
  package var group: String?
  /// The name of days off, for a change of them.
  package var daysOff: String?
  package var undone: UndoStep?
  /// Whether `undone` is made again instead.
  package var redoes = false

  package init(
    kind: ChangeKind?, client: ChangeClient, processID: Int32? = nil, count: Int64, alarms: [Alarm]? = nil,
    numbers: [Int64]
  ) {
    self.kind = kind
    self.client = client
    self.processID = processID
    self.count = count
    self.alarms = alarms
    self.numbers = numbers
  }

  /// With more alarms, a change is told as one.
  package static let few = 5
  package static let mostNumbers = 256
}

extension MadeChange {
  /// What a change deletes besides doing something else is told for itself: nobody else tells of it.
  static func all(_ request: ChangeRequest, _ outcome: ChangeOutcome) -> [MadeChange] {
    [deletions(by: request, outcome), MadeChange(request, outcome)].compactMap { $0 }
  }

  private static func deletions(by request: ChangeRequest, _ outcome: ChangeOutcome) -> MadeChange? {
    var deletions = MadeChange(
      kind: .delete, client: request.client, processID: request.processID, count: 0, numbers: [])
    deletions.deletes = true
    switch request.change.kind {
    case .sync:
      deletions.client.name = request.client.name.map { $0 + " sync" }
      deletions.take(outcome.removed, count: outcome.imported?.deleted ?? 0)
      let numbers = outcome.imported?.numbers ?? []
      deletions.numbers = Array(numbers.prefix(min(Int(deletions.count), mostNumbers)))
    case .deleteGroup: deletions.take(outcome.removed, count: Int64(outcome.removed.count))
    default: break
    }
    return deletions.count > 0 ? deletions : nil
  }

  /// nil where nothing changed, and for eggd's own changes.
  private init?(_ request: ChangeRequest, _ outcome: ChangeOutcome) {
    guard let step = outcome.step, request.change.kind != nil || outcome.undone != nil else { return nil }
    self.init(
      kind: request.change.kind, client: request.client, processID: request.processID, count: 0, numbers: [])
    undone = outcome.undone
    redoes = (request.change as? UndoChange)?.redoes ?? false
    switch request.change {
    case let change as DeleteGroupChange: (group, deletes) = (change.name, change.withAlarms)
    case is CreateGroupChange, is EditGroupChange: group = outcome.group?.group.name
    case is DeleteChange, is ClearOverChange: deletes = true
    case let change as DaysOffChange: daysOff = change.name
    default: break
    }
    switch kind {
    // Alarms that only made room, or lost their key to a new one, are in the step too.
    case .schedule, .move: take(outcome.alarms, count: max(outcome.changed, Int64(outcome.alarms.count)))
    case .createGroup, .editGroup, .daysOff: break
    case .sync:
      let numbers = (outcome.imported?.numbers ?? []).dropFirst(Int(outcome.imported?.deleted ?? 0))
      count = Int64(numbers.count)
      self.numbers = Array(numbers.prefix(Self.mostNumbers))
    default:
      if let changed = step.alarms {
        // Only the selected alarms that changed: one that was as asked for already is in the outcome alone.
        let alarms = changed.filter { $0.old != $0.new }.compactMap { $0.new ?? $0.old }
        take(alarms, count: Int64(alarms.count))
      } else {
        count =
          outcome.undone?.count ?? outcome.imported?.count
          ?? max(outcome.changed, Int64(outcome.deleted.count))
        let known = outcome.deleted.isEmpty ? outcome.alarms.map(\.number) : outcome.deleted
        numbers = Array((outcome.undone?.numbers ?? known).prefix(Self.mostNumbers))
      }
    }
    if kind == .deleteGroup || kind == .import || kind == .sync || undone != nil { alarms = nil }
  }

  private mutating func take(_ changed: [Alarm], count: Int64) {
    self.count = count
    numbers = changed.prefix(Self.mostNumbers).map(\.number)
    let most = deletes ? Self.mostNumbers : Self.few
    let areAll = changed.count <= most && count <= most && (!changed.isEmpty || count == 0)
    alarms = areAll ? changed : nil
  }
}
