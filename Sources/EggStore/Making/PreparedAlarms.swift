import Alarms
import EggTime
import GRDB
import Ringing

/// A change that makes alarms from images. Many are prepared: written bit by bit before the change, hidden, while
/// other changes go in between. The change itself then shows them.
protocol MakingChange: Change {
  /// Where the images are; nil for none.
  func source(in database: Database) throws -> MakingSource?
  /// nil if the change is to write the rows itself.
  var prepared: PreparedAlarms? { get set }
}

struct MakingSource {
  /// See ``Images``.
  var holder: Int64
  var isImport = false
}

/// Alarms that are written and hidden.
struct PreparedAlarms: Sendable {
  /// Of their images.
  var holder: Int64
  var hidden: HiddenAlarms
  /// Groups that they are in and that the change has yet to make.
  var groups: [(id: String, group: Group)]
  var restored: StoreTransaction.Restored
}

extension StoreTransaction {
  /// Shows the alarms of these images; nil if they are not prepared.
  func show(_ prepared: PreparedAlarms?, of images: Images, at now: ClockReading) throws -> Restored? {
    guard let prepared, prepared.holder == images.holder,
      try HiddenAlarms.present(in: database) == prepared.hidden
    else { return nil }
    try HiddenAlarms.set(nil, in: database)
    try returnNumbers(prepared)
    return prepared.restored
  }

  /// Numbers that were reserved and not used, if no alarm was made since.
  private func returnNumbers(_ prepared: PreparedAlarms) throws {
    try database.execute(
      sql: "UPDATE sqlite_sequence SET seq = ? WHERE name = 'alarm' AND seq = ?",
      arguments: [prepared.restored.lastNumber, prepared.hidden.range.upperBound])
  }
}

/// Writes the alarms of a large change, some at a time. Confined to the store's queue. A class, because its lists may be
/// long and are appended to in each step.
final class Preparation {
  let images: MakingSource
  let readAt: ClockReading
  /// The clock was set: the change has to judge all moments anew.
  var isSpoiled = false
  private var survey = Survey()
  /// nil until all images are looked at.
  private var writing: Writing?

  enum Progress {
    case more
    case ready(PreparedAlarms)
    /// The change has to write them itself; nothing is hidden.
    case impossible
  }

  /// What there is to write.
  private struct Survey {
    var last = Int64.min
    var count: Int64 = 0
    /// Alarms that may need a new number: they have none, or one that may be, or is, another's.
    var numberless: Int64 = 0
    var numbers: ClosedRange<Int64>?
    var lastPosition = Int64.min
    var isFar = false
    var groups: Set<String> = []
  }

  private struct Writing {
    var prepared: PreparedAlarms
    var shape: StoreTransaction.RowShape
    var position: Int64?
  }

  /// Images per look.
  private static let surveyedAtOnce = 2_048
  /// More are made by the change itself.
  private static let mostGroups = 64

  /// nil if these are too few.
  ///
  /// - Parameter fewest: That are prepared.
  init?(_ change: some MakingChange, at readAt: ClockReading, fewest: Int, in database: Database) throws {
    guard try !HiddenAlarms.areLeft(in: database), let source = try change.source(in: database) else {
      return nil
    }
    let images = Images(database: database, holder: source.holder)
    guard try images.deleted(after: .min, limit: fewest).count == fewest else { return nil }
    (self.images, self.readAt) = (source, readAt)
  }

  /// Takes the next step.
  ///
  /// - Parameter count: Alarms per step.
  func advance(atMost count: Int, in transaction: StoreTransaction) throws -> Progress {
    let images = Images(database: transaction.database, holder: images.holder)
    guard writing != nil else {
      if try look(at: images) { return .more }
      return try begin(images, in: transaction) ? .more : .impossible
    }
    return try write(images, atMost: count, in: transaction)
  }

  /// - Returns: Whether there is more to look at.
  private func look(at images: Images) throws -> Bool {
    let far = StoreTransaction.farPosition
    let rows = try images.database.cachedStatement(
      sql: """
        SELECT place, number, position, "group", EXISTS (SELECT 1 FROM alarm WHERE number = alarm_image.number)
        FROM alarm_image
        WHERE holder = ? AND side = 0 AND place > ? ORDER BY place LIMIT ?
        """
    ).rows([images.holder, survey.last, Self.surveyedAtOnce])
    var isMore = false
    while let row = try rows.next() {
      isMore = true
      survey.last = int(row, 0) ?? survey.last
      survey.count += 1
      if let number = int(row, 1) {
        let (first, last) = (survey.numbers?.lowerBound ?? number, survey.numbers?.upperBound ?? number)
        if survey.numbers != nil && number <= last || int(row, 4) == 1 { survey.numberless += 1 }
        survey.numbers = min(first, number)...max(last, number)
      } else {
        survey.numberless += 1
      }
      let position = int(row, 2)
      survey.lastPosition = max(survey.lastPosition, position ?? .min)
      if !(position.map { (-far...far).contains($0) } ?? false) { survey.isFar = true }
      if self.images.isImport, let group = text(row, 3), survey.groups.count <= Self.mostGroups {
        survey.groups.insert(group)
      }
    }
    return isMore
  }

  /// Reserves the numbers, and hides them.
  ///
  /// - Returns: false if it is too much for that.
  private func begin(_ images: Images, in transaction: StoreTransaction) throws -> Bool {
    let database = transaction.database
    let given = try Int64.fetchOne(database, sql: "SELECT seq FROM sqlite_sequence WHERE name = 'alarm'") ?? 0
    let last = max(given, survey.numbers?.upperBound ?? 0)
    let (end, isTooFar) = last.addingReportingOverflow(survey.numberless)
    guard !isTooFar, survey.groups.count <= Self.mostGroups else { return false }
    let hidden: ClosedRange<Int64>
    var restored = StoreTransaction.Restored(lastNumber: last)
    switch survey.numbers {
    case let numbers? where survey.numberless == 0:
      (hidden, restored.lastNumber) = (numbers, numbers.upperBound)
    case let numbers: hidden = min(numbers?.lowerBound ?? .max, last.successor)...end
    }
    let isTaken = try Int64.fetchOne(
      database, sql: "SELECT 1 FROM alarm WHERE number BETWEEN ? AND ? LIMIT 1",
      arguments: [hidden.lowerBound, hidden.upperBound])
    var shape = StoreTransaction.RowShape()
    var groups: [(id: String, group: Group)] = []
    if self.images.isImport {
      groups = try transaction.missingGroups(images, named: survey.groups)
      guard groups.count <= Self.mostGroups else { return false }
      shape.namesGroups = true
      shape.positionsFrom = try transaction.lastPosition(isFar: survey.isFar)
    }
    let position = shape.position(at: survey.last) ?? (self.images.isImport ? survey.lastPosition : nil)
    writing = Writing(
      prepared: PreparedAlarms(
        holder: images.holder, hidden: HiddenAlarms(range: hidden, areListed: isTaken != nil), groups: groups,
        restored: restored),
      shape: shape, position: position)
    try database.execute(
      sql:
        "INSERT INTO sqlite_sequence (name, seq) SELECT 'alarm', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'alarm')"
    )
    try database.execute(
      sql: "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = 'alarm'", arguments: [end])
    try HiddenAlarms.set(writing?.prepared.hidden, position: position, in: database)
    return true
  }

  private func write(_ images: Images, atMost count: Int, in transaction: StoreTransaction) throws
    -> Progress
  {
    guard var writing else { return .impossible }
    // So that its lists have one owner.
    self.writing = nil
    let database = transaction.database
    let hidden = writing.prepared.hidden
    // Another file, for example.
    guard try HiddenAlarms.present(in: database) == hidden else { throw Spoiled() }
    // Within this transaction they are there, and so are their groups.
    try HiddenAlarms.set(nil, in: database)
    try transaction.makeGroups(writing.prepared.groups, at: readAt)
    let isMore = try transaction.reinsertPage(
      images, atMost: count, at: readAt, writing.shape, &writing.prepared.restored)
    guard writing.prepared.restored.lastNumber <= hidden.range.upperBound else { throw Spoiled() }
    if hidden.areListed { try HiddenAlarms.list(writing.prepared.restored.lastMade, in: database) }
    for (id, _) in writing.prepared.groups {
      try database.execute(sql: "DELETE FROM alarm_group WHERE id = ?", arguments: [id])
    }
    try HiddenAlarms.set(hidden, position: writing.position, in: database)
    self.writing = writing
    return isMore ? .more : .ready(writing.prepared)
  }

  /// What was written so far is of no use.
  struct Spoiled: Error {}
}
