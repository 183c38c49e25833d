import Alarms
import GRDB
import Ringing

/// The row changes of one transaction, and what the scheduler and the subscribers have to know after COMMIT.
/// Lives on the store's queue during the transaction.
package final class StoreTransaction {
  let tables: Tables
  var database: Database { tables.database }
  private let observer: (any ScheduleObserver)?
  private let newHold: () -> HoldID
  /// The sequence at BEGIN.
  private let begun: Int64
  var log = Log()
  /// Alarms of which the scheduler has to know what they wait for. If they are more than ``few``, it reads its head anew.
  var touched: Set<Int64> = []
  /// New alarms as a read would return them, until they change again.
  var fresh: [Int64: Alarm] = [:]
  /// nil while nothing is recorded for undo.
  var recording: Recording?
  /// Alarms that the step in progress has created.
  var made: NumberSet = []

  /// What a change adds goes with its savepoint.
  struct Log {
    var sequence: Int64 = 0
    /// The scheduler has to read everything again.
    var touchesAll = false
    var changes: [CommittedChanges] = []
    /// The key of the last step of the undo log; nil until read.
    var lastHolder: Int64?
    /// The last changes for the undo log, with the alarms that they created.
    var steps: [(step: UndoStep, made: NumberSet)] = []
    /// Rings that were recorded, now or before.
    var recorded: [RingRecord] = []
    /// Images are left that nobody needs.
    var leavesImages = false
  }

  /// With more alarms, everybody reads everything again.
  let few: Int
  static let usualFew = 256
  /// Alarms of one change: it holds up all others while it is made.
  let most: Int
  static let usualMost = 1_000_000

  init(
    _ tables: Tables, observer: (any ScheduleObserver)?,
    few: Int, most: Int, newHold: @escaping () -> HoldID
  ) throws {
    self.tables = tables
    self.observer = observer
    self.newHold = newHold
    self.few = few
    self.most = most
    try tables.zones.readDaysOff(tables.database)
    begun = try tables.database.number("SELECT sequence FROM schedule") ?? 0
    log.sequence = begun
  }

  /// Carries out one request, which fails alone. Throws only failures of the whole transaction.
  func perform(_ request: ChangeRequest) throws -> Result<ChangeOutcome, ChangeError> {
    do {
      if request.change is UndoChange { try writeSteps() }
      try recordRings(before: request)
      var outcome = ChangeOutcome()
      let before = log
      do {
        outcome =
          try request.change.isOneStatement
          ? recorded(request) : database.separately { try recorded(request) }
      } catch {
        log = before
        fresh = [:]
        // The savepoint took its days off back.
        if database.isInsideTransaction { try tables.zones.readDaysOff(database) }
        throw error
      }
      let changes = log.changes.dropFirst(before.changes.count)
      outcome.step = changes.last
      outcome.removed = changes.flatMap { ($0.alarms ?? []).compactMap { $0.new == nil ? $0.old : nil } }
      outcome.sequence = log.sequence
      return .success(outcome)
    } catch let refusal as ChangeError {
      return .failure(refusal)
    } catch let error as DatabaseError where database.isInsideTransaction && error.concernsOneStatement {
      return .failure(.unavailable(reason: StoreFailure.reason(error)))
    }
  }

  /// Takes the hold of a change, or asks for unrecorded rings, and records the rings in the answer. The
  /// change is then judged as one to rung alarms.
  private func recordRings(before request: ChangeRequest) throws {
    guard let observer, let affected = try request.change.affected(in: self) else { return }
    var rings: [RingRecord] = []
    if !affected.held.isEmpty { rings = observer.hold(affected.held, as: newHold()) }
    if affected.held != affected.all { rings = observer.unrecorded(affected.all) }
    guard !rings.isEmpty else { return }
    let before = log
    do {
      try database.separately { try record(rings) }
    } catch {
      log = before
      throw error
    }
  }

  /// Holds alarms until the end of this transaction, and records their rings.
  func hold(_ numbers: NumberSet) throws {
    let rings = observer?.hold(numbers, as: newHold()) ?? []
    // These are not part of the change.
    let mine = recording
    recording = nil
    defer { recording = mine }
    try record(rings)
  }

  /// Counts a change of so many alarms that everybody reads everything again.
  func countStep() {
    log.sequence = log.sequence.successor
    log.changes.append(CommittedChanges(sequence: log.sequence, alarms: nil))
  }

  /// Changes these alarms as one step of the sequence, with old and new values if there are few.
  ///
  /// - Parameters:
  ///   - shown: Alarms that look different by it, although their rows stay.
  ///   - makesMany: `body` will create more than ``few``.
  ///   - body: Adds created alarms to ``made``.
  func step(
    _ numbers: [Int64], shown: Set<Int64> = [], makesMany: Bool = false, groups: [String] = [],
    daysOff: [String] = [],
    moves: Bool = true, deletes: Bool = false, _ body: () throws -> Void
  ) throws {
    try count(Int64(numbers.count))
    for number in numbers where !fresh.isEmpty { fresh[number] = nil }
    let concerned = numbers + shown.sorted()
    let areFew = concerned.count <= few
    let old = areFew ? try concerned.map { try tables.alarms.read($0) } : []
    made = []
    func takeImages(_ side: Images.Side) throws {
      guard let recording else { return }
      let from = deletes ? Int64.min : recording.from
      try recording.images.take(alarms: numbers, side, occurrencesFrom: from)
      try recording.images.take(groups, of: .groups, side)
      try recording.images.take(daysOff, of: .daysOff, side)
    }
    let areMany = makesMany || !areFew
    if areMany { try PageCache.set(PageCache.large, of: database) }
    // If it fails, the cache stays large: no reason to fail the change. COMMIT gives the memory back.
    defer { if areMany { try? PageCache.set(PageCache.usual, of: database) } }
    try takeImages(.before)
    try body()
    try takeImages(.after)
    try count(made.count)
    recording?.made.add(made)
    if !(numbers.isEmpty && made.isEmpty && groups.isEmpty && daysOff.isEmpty) { recording?.isUsed = true }
    if moves {
      for number in concerned.prefix(few + 1) + made.first(few + 1) where touched.count <= few {
        touched.insert(number)
      }
    }
    log.sequence = log.sequence.successor
    var pairs: [(old: Alarm?, new: Alarm?)]?
    if areFew, made.count <= few {
      pairs = try zip(concerned, old).map { (old: $1, new: try tables.alarms.read($0)) }
      pairs? += try made.first(few).map {
        (old: nil, new: try fresh[$0] ?? tables.alarms.read($0))
      }
    }
    log.changes.append(
      CommittedChanges(sequence: log.sequence, alarms: pairs, changesGroups: !groups.isEmpty))
  }

  /// Refuses a change of too many alarms.
  private func count(_ more: Int64) throws {
    recording?.count += more
    if let recording, recording.count > most { throw ChangeError.tooMany(most: Int64(most)) }
  }

  /// Stores the sequence and reads what the scheduler has to know. The last step before COMMIT.
  ///
  /// - Returns: nil where too many alarms changed to name each.
  func finish() throws -> [AlarmMoments]? {
    if log.sequence != begun {
      try database.run("UPDATE schedule SET sequence = ?", [log.sequence])
    }
    try writeSteps()
    guard !log.touchesAll, touched.count <= few else { return nil }
    return try touched.sorted().map {
      try fresh[$0].flatMap(AlarmMoments.init(new:)) ?? AlarmMoments($0, in: tables)
    }
  }
}

extension Int64 {
  /// Saturates: another program may write any number.
  var successor: Int64 { self == .max ? self : self + 1 }
}

extension DatabaseError {
  /// Only this statement failed; the transaction and the file are intact.
  var concernsOneStatement: Bool {
    switch resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_RANGE: true
    default: false
    }
  }
}

/// KiB of pages that SQLite may keep in memory.
enum PageCache {
  /// Small, so that eggd's memory does not grow with the schedule.
  static let usual = 256
  /// A change of many alarms meets their UUIDs and labels in random order in the indexes. With the usual cache
  /// each of these pages is written and read again for each alarm.
  static let large = 16_384

  static func set(_ size: Int, of database: Database) throws {
    try database.execute(sql: "PRAGMA cache_size = -\(size)")
  }
}
