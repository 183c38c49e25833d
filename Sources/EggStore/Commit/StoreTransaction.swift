import Alarms
import EggTime
import GRDB
import Ringing

/// What one transaction does to the rows, and what the scheduler and the subscribers are to hear of it after
/// COMMIT. Lives on the store's queue while the transaction does.
package final class StoreTransaction {
  let database: Database
  let clocks: BootClocks
  let rows: AlarmRows
  let observer: (any ScheduleObserver)?
  let zones: ZonesInUse
  private let newHold: () -> HoldID
  /// Imports whose images are to stay.
  private let imports: Set<Int64>

  /// The sequence as the transaction found it.
  private let begun: Int64
  private var alarmStatement: Statement?
  /// Every hold that was taken, and whether its change was made.
  private(set) var holds: [HoldID] = []
  var log = Log()
  /// Rings that this transaction was given and wrote down, or found written down.
  var recorded: [RingRecord] = []

  /// The bubbles have not heard of rings after this one; nil where they have of all.
  var unreadRingsAfter: Int64?
  /// In which rings were, of which they have not heard.
  var leftBubbles: Set<Notice.ShownBubble> = []

  /// What came of changes.
  struct Log {
    var sequence: Int64 = 0
    var touched: Set<Int64> = []
    /// The scheduler is to read everything anew.
    var touchesAll = false
    var changes: [CommittedChanges] = []
    /// The last step of the undo log; nil until it is asked for.
    var lastStep: Int64?
    /// Changes that are to be written to the undo log, and the alarms that they made.
    var steps: [(step: UndoStep, made: [Int64])] = []
    /// New alarms as they would be read, until something else is done to them.
    var fresh: [Int64: NewRow] = [:]

    /// Nothing has come of the next change yet.
    var next: Log { Log(sequence: sequence, lastStep: lastStep) }

    /// Adds what came of the next change.
    mutating func add(_ next: Log) {
      (sequence, lastStep) = (next.sequence, next.lastStep)
      touchesAll = touchesAll || next.touchesAll
      for number in next.touched where touched.count <= StoreTransaction.fewAlarms {
        touched.insert(number)
        fresh[number] = next.fresh[number]
      }
      changes += next.changes
      steps += next.steps
      // Twice as many as are kept, so that few are moved.
      if steps.count > 2 * UndoLog.depth { steps.removeFirst(Int(UndoLog.depth)) }
    }
  }

  /// nil where nothing is noted for undo.
  var recording: Recording?

  /// A change of more alarms is told as "read everything anew".
  static let fewAlarms = 256

  /// In a transaction that has begun.
  init(
    _ database: Database, clocks: BootClocks, zones: ZonesInUse, observer: (any ScheduleObserver)?,
    imports: Set<Int64> = [], newHold: @escaping () -> HoldID
  ) throws {
    (self.database, self.clocks, self.zones, self.observer) = (database, clocks, zones, observer)
    self.newHold = newHold
    self.imports = imports
    rows = AlarmRows(clocks: clocks)
    begun = try Int64.fetchOne(try database.cachedStatement(sql: "SELECT sequence FROM schedule")) ?? 0
    log.sequence = begun
  }

  /// Carries out one request, which fails alone. Only failures of the whole transaction are thrown.
  func perform(_ request: ChangeRequest) throws -> Result<ChangeOutcome, ChangeError> {
    do {
      if request.change is UndoChange { try writeSteps() }
      try recordRings(before: request)
      var outcome = ChangeOutcome(sequence: 0)
      // A log of its own, which is dropped with its savepoint: one copy of all for each change would cost more than to
      // make it.
      var whole = log
      log = whole.next
      do {
        outcome =
          try request.change.isOneStatement
          ? recorded(request) : database.separately { try recorded(request) }
      } catch {
        log = whole
        throw error
      }
      whole.add(log)
      log = whole
      outcome.sequence = log.sequence
      return .success(outcome)
    } catch let refusal as ChangeError {
      return .failure(refusal)
    } catch let error as DatabaseError where database.isInsideTransaction && error.concernsOneStatement {
      return .failure(.unavailable(reason: StoreFailure.reason(error)))
    }
  }

  /// Takes the hold that a change needs, or asks for what is unrecorded, and writes down the rings that the
  /// answer names: the change is then judged as one to alarms that have rung.
  private func recordRings(before request: ChangeRequest) throws {
    guard let observer, let affected = try request.change.affected(in: self) else { return }
    var rings: [RingRecord] = []
    if let held = affected.held {
      let hold = newHold()
      holds.append(hold)
      rings = observer.hold(held, as: hold)
    }
    if affected.held != affected.all { rings = observer.unrecorded(affected.all) }
    if !rings.isEmpty {
      let before = log
      do {
        try database.separately { try record(rings) }
        recorded += rings
      } catch {
        log = before
        throw error
      }
    }
  }

  /// Keeps alarms from ringing until this transaction is over, and writes down the rings that have happened.
  func hold(_ numbers: NumberSet) throws {
    guard let observer else { return }
    let hold = newHold()
    holds.append(hold)
    let rings = observer.hold(numbers, as: hold)
    if !rings.isEmpty {
      // These are none of the change's doing.
      let mine = recording
      recording = nil
      defer { recording = mine }
      try record(rings)
      recorded += rings
    }
  }

  /// Notes a change of so many alarms that everybody reads everything anew.
  func countStep() {
    log.sequence = log.sequence.successor
    log.changes.append(CommittedChanges(sequence: log.sequence, alarms: nil))
  }

  /// Does something to these alarms and notes it as one step of the sequence, with old and new where they are
  /// few.
  ///
  /// - Parameter body: Returns the numbers of alarms that it made.
  func step(
    _ numbers: [Int64], groups: [String] = [], moves: Bool = true, deletes: Bool = false,
    hasImages: Bool = true, _ body: () throws -> [Int64]
  ) throws {
    if !log.fresh.isEmpty { for number in numbers { log.fresh[number] = nil } }
    if let unreadRingsAfter { try noteBubbles(of: numbers, after: unreadRingsAfter) }
    let few = numbers.count <= Self.fewAlarms
    let old = few ? try numbers.map { try alarm($0) } : []
    let imaged = hasImages ? numbers : []
    if let recording {
      let from = deletes ? Int64.min : recording.from
      try recording.images.take(alarms: imaged, .before, occurrencesFrom: from)
      try recording.images.take(groups: groups, .before)
    }
    let made = try body()
    if let recording {
      if !deletes { try recording.images.take(alarms: imaged, .after, occurrencesFrom: recording.from) }
      try recording.images.take(groups: groups, .after)
      self.recording?.made += made
      self.recording?.count += Int64(imaged.count + made.count)
      if !imaged.isEmpty || !made.isEmpty || !groups.isEmpty { self.recording?.isUsed = true }
    }
    if moves {
      for number in numbers + made where log.touched.count <= Self.fewAlarms { log.touched.insert(number) }
    }
    log.sequence = log.sequence.successor
    var pairs: [(old: Alarm?, new: Alarm?)]?
    if few, made.count <= Self.fewAlarms {
      pairs = []
      for (number, old) in zip(numbers, old) { pairs?.append((old, try alarm(number))) }
      for number in made { pairs?.append((nil, try log.fresh[number]?.alarm ?? alarm(number))) }
    }
    log.changes.append(
      CommittedChanges(sequence: log.sequence, alarms: pairs, changesGroups: !groups.isEmpty))
  }

  /// The alarm as it now is; nil when there is none.
  func alarm(_ number: Int64) throws -> Alarm? {
    // Its text is long: to look it up costs as much as to read with it.
    let statement =
      try alarmStatement ?? database.cachedStatement(sql: AlarmRows.select + " WHERE a.number = ?")
    alarmStatement = statement
    return try statement.first([number]) { rows.alarm($0) }
  }

  /// The last thing before COMMIT: stores the sequence, and reads what the scheduler is to hear.
  ///
  /// - Returns: nil where too much was touched for single alarms to be told.
  func finish() throws -> [AlarmMoments]? {
    if log.sequence != begun {
      try database.cachedStatement(sql: "UPDATE schedule SET sequence = ?").run([log.sequence])
    }
    try writeSteps()
    if let last = log.lastStep { try UndoLog(database: database).forgetOldest(last: last, imports: imports) }
    guard !log.touchesAll, log.touched.count <= Self.fewAlarms else { return nil }
    return try log.touched.sorted().map {
      try log.fresh[$0]?.moments ?? AlarmMoments($0, in: database, clocks: clocks, zones: zones)
    }
  }
}

extension Int64 {
  /// One more; the same where there is no more, as another program may write any number.
  var successor: Int64 { self == .max ? self : self + 1 }
}

extension DatabaseError {
  /// Only this statement failed; the transaction and the file are sound.
  var concernsOneStatement: Bool {
    switch resultCode {
    case .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_ERROR, .SQLITE_RANGE: true
    default: false
    }
  }
}
