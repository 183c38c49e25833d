import Alarms
import GRDB

/// What a change leaves for undo, while it is made.
extension StoreTransaction {
  /// Writes down the last changes; those before them would be forgotten at once.
  func writeSteps() throws {
    let undoLog = UndoLog(database: database)
    for (step, made) in log.steps.suffix(Int(UndoLog.depth)) { try undoLog.write(step, made: made) }
    log.steps = []
  }

  /// What undo is to know of the change that is being made.
  struct Recording {
    var images: Images
    /// Occurrences from this key on are of the change.
    var from: Int64
    var count: Int64 = 0
    var made: [Int64] = []
    var isUsed = false
  }

  /// Makes a change and notes how it is taken back.
  func recorded(_ request: ChangeRequest) throws -> ChangeOutcome {
    guard let kind = request.change.kind else { return try request.change.apply(in: self, for: request) }
    let undoLog = UndoLog(database: database)
    let step = try (log.lastStep ?? undoLog.lastStep()).successor
    recording = Recording(
      images: Images(database: database, holder: step), from: request.readAt.wall.microseconds)
    defer { recording = nil }
    let outcome = try request.change.apply(in: self, for: request)
    guard let recording, recording.isUsed else { return outcome }
    log.lastStep = step
    let undo = UndoStep(
      step: step, sequence: log.sequence, kind: kind, client: request.client, madeAt: request.readAt.wall,
      count: recording.count, label: try label(of: outcome, request.change, recording))
    log.steps.append((undo, recording.made))
    return outcome
  }

  /// What undo says that it takes back; of a new alarm alone without reading anything.
  private func label(of outcome: ChangeOutcome, _ change: any Change, _ recording: Recording) throws
    -> String?
  {
    if let label = outcome.group?.group.name ?? change.label ?? outcome.alarms.first?.label {
      return label
    }
    if change is ScheduleChange { return nil }
    return try recording.images.firstLabel() ?? recording.made.first.flatMap { try alarm($0)?.label }
  }
}
