import GRDB
import Ringing

/// Records what undo needs while a change is made.
extension StoreTransaction {
  /// Writes the last changes to the log; earlier ones would be deleted at once.
  func writeSteps() throws {
    guard !log.steps.isEmpty else { return }
    let undoLog = tables.undo
    for (step, made) in log.steps { try undoLog.write(step, made: made) }
    log.steps = []
    if try undoLog.forgetOld() { log.leavesImages = true }
  }

  /// What undo needs about the change in progress.
  struct Recording {
    var images: Images
    /// Occurrences from this key on belong to the change.
    var from: Int64
    var count: Int64 = 0
    var made: NumberSet = []
    var isUsed = false
  }

  /// Makes a change and records how to undo it.
  func recorded(_ request: ChangeRequest) throws -> ChangeOutcome {
    guard let kind = request.change.kind else { return try request.change.apply(in: self, for: request) }
    let holder = try nextHolder()
    recording = Recording(images: tables.images(of: holder), from: request.readAt.wall.microseconds)
    defer { recording = nil }
    let outcome = try request.change.apply(in: self, for: request)
    guard let recording, recording.isUsed else { return outcome }
    log.lastHolder = holder
    let undo = UndoStep(
      holder: holder, sequence: log.sequence, kind: kind, client: request.client,
      madeAt: request.readAt.wall,
      count: recording.count, label: try label(of: outcome, request.change, recording))
    log.steps.append((undo, recording.made))
    if log.steps.count > UndoLog.depth {
      log.steps.removeFirst()
      log.leavesImages = true
    }
    return outcome
  }

  /// The key of the next step.
  func nextHolder() throws -> Int64 {
    try (log.lastHolder ?? tables.undo.lastHolder()).successor
  }

  /// The change's label in undo. For a new alarm it is none of an alarm that lost its key.
  private func label(of outcome: ChangeOutcome, _ change: any Change, _ recording: Recording) throws
    -> String?
  {
    if let label = outcome.group?.group.name ?? change.label ?? outcome.alarms.first?.label {
      return label
    }
    if change is ScheduleChange { return nil }
    return try recording.images.firstLabel()
      ?? recording.made.first(1).first.flatMap { try tables.alarms.read($0)?.label }
  }
}
