import Alarms
import EggTime
import GRDB

/// What one transaction does to the rows, and what the scheduler and the subscribers are to hear of it after
/// COMMIT. Lives on the store's queue while the transaction does.
final class StoreTransaction {
  let database: Database
  let clocks: BootClocks
  let rows: AlarmRows
  let observer: (any ScheduleObserver)?
  let zones: ZonesInUse
  private let newHold: () -> HoldID

  /// Every hold that was taken, and whether its change was made.
  private(set) var holds: [(id: HoldID, made: Bool)] = []
  private(set) var log = Log()
  /// Rings that this transaction was given and wrote down, or found written down.
  var recorded: [RingRecord] = []

  /// What is undone with a savepoint.
  struct Log {
    var sequence: Int64 = 0
    var touched: Set<Int64> = []
    var changes: [CommittedChanges] = []
  }

  /// A change of more alarms is told as "read everything anew".
  static let fewAlarms = 256

  /// In a transaction that has begun.
  init(
    _ database: Database, clocks: BootClocks, zones: ZonesInUse, observer: (any ScheduleObserver)?,
    newHold: @escaping () -> HoldID
  ) throws {
    (self.database, self.clocks, self.zones, self.observer) = (database, clocks, zones, observer)
    self.newHold = newHold
    rows = AlarmRows(clocks: clocks)
    log.sequence = try Int64.fetchOne(database, sql: "SELECT sequence FROM schedule") ?? 0
  }

  /// Carries out one request in a savepoint of its own. Only failures of the whole transaction are thrown.
  func perform(_ request: ChangeRequest) throws -> Result<ChangeOutcome, ChangeError> {
    do {
      let isHeld = try recordRings(before: request)
      let hold = holds.count - 1
      var outcome = ChangeOutcome(sequence: 0)
      let beforeChange = log
      do {
        try database.inSavepoint {
          outcome = try apply(request)
          return .commit
        }
      } catch {
        log = beforeChange
        throw error
      }
      if isHeld { holds[hold].made = true }
      outcome.sequence = log.sequence
      return .success(outcome)
    } catch let refusal as ChangeError {
      return .failure(refusal)
    } catch let error as DatabaseError where database.isInsideTransaction && error.concernsOneStatement {
      return .failure(.unavailable(reason: StoreFailure.reason(error)))
    }
  }

  /// Takes the hold that a change needs, or asks for what is unrecorded, and writes down the rings that the
  /// answer names: the change is then judged as one to alarms that have rung. Tells whether it holds.
  private func recordRings(before request: ChangeRequest) throws -> Bool {
    guard let observer, let selection = try selection(of: request.change) else { return false }
    let targets = try SelectedAlarms(selection, in: database)
    let numbers = NumberSet(selection, named: targets.named)
    let rings: [RingRecord]
    let held = try takesAway(request.change, from: targets)
    if held {
      let hold = newHold()
      holds.append((hold, false))
      rings = observer.hold(numbers, as: hold)
    } else {
      rings = observer.unrecorded(numbers)
    }
    if !rings.isEmpty {
      let before = log
      do {
        try database.inSavepoint {
          try record(rings)
          return .commit
        }
        recorded += rings
      } catch {
        log = before
        throw error
      }
    }
    return held
  }

  /// Keeps alarms from ringing until this transaction is over, and writes down the rings that have happened.
  func hold(_ numbers: NumberSet) throws {
    guard let observer else { return }
    let hold = newHold()
    holds.append((hold, true))
    let rings = observer.hold(numbers, as: hold)
    if !rings.isEmpty {
      try record(rings)
      recorded += rings
    }
  }

  /// Notes a change of so many alarms that everybody reads everything anew.
  func countStep() {
    log.sequence = log.sequence.successor
    log.changes.append(CommittedChanges(sequence: log.sequence, alarms: nil))
  }

  /// Whether the change takes alarms away from a moment they wait for.
  private func takesAway(_ change: Change, from targets: SelectedAlarms) throws -> Bool {
    switch change {
    case .delete, .snooze, .skip, .pause, .extend, .markDone, .deleteGroup: return true
    case .edit(_, let edit): return edit.timing != nil
    case .schedule, .resume, .move, .createGroup, .editGroup: return false
    case .dismiss:
      guard targets.numbers.count <= Self.fewAlarms else { return true }
      let snoozed = try database.cachedStatement(
        sql: "SELECT 1 FROM occurrence WHERE alarm = ? AND due IS NOT NULL LIMIT 1")
      return try targets.numbers.contains { try Int64.fetchOne(snoozed, arguments: [$0]) != nil }
    }
  }

  /// Does something to these alarms and notes it as one step of the sequence, with old and new where they are
  /// few.
  ///
  /// - Parameter body: Returns the numbers of alarms that it made.
  func step(
    _ numbers: [Int64], groups: [String] = [], counts: Bool = true, moves: Bool = true,
    keepsAlarms: Bool = false, _ body: () throws -> [Int64]
  ) throws {
    let few = numbers.count <= Self.fewAlarms
    let old = few ? try numbers.map { try alarm($0) } : []
    let made = try body()
    if moves {
      for number in numbers + made where log.touched.count <= Self.fewAlarms { log.touched.insert(number) }
    }
    guard counts else { return }
    log.sequence = log.sequence.successor
    var pairs: [(old: Alarm?, new: Alarm?)]?
    if few {
      pairs = []
      for (number, old) in zip(numbers, old) { pairs?.append((old, try alarm(number))) }
      for number in made { pairs?.append((nil, try alarm(number))) }
    }
    log.changes.append(
      CommittedChanges(sequence: log.sequence, alarms: pairs, changesGroups: !groups.isEmpty))
  }

  /// The alarm as it now is; nil when there is none.
  func alarm(_ number: Int64) throws -> Alarm? {
    let statement = try database.cachedStatement(sql: AlarmRows.select + " WHERE a.number = ?")
    return try Row.fetchOne(statement, arguments: [number]).map { rows.alarm($0) }
  }

  /// The last thing before COMMIT: stores the sequence, and reads what the scheduler is to hear.
  ///
  /// - Returns: nil where too much was touched for single alarms to be told.
  func finish() throws -> [AlarmMoments]? {
    if !log.changes.isEmpty {
      try database.cachedStatement(sql: "UPDATE schedule SET sequence = ?").execute(arguments: [log.sequence])
    }
    guard log.touched.count <= Self.fewAlarms else { return nil }
    return try log.touched.sorted().map { try AlarmMoments($0, in: database, clocks: clocks, zones: zones) }
  }
}

extension Int64 {
  /// One more; the same where there is no more, as another program may write any number.
  var successor: Int64 { self == .max ? self : self + 1 }
}

extension StoreTransaction {
  /// The existing alarms that may ring while the change is judged, and must not; nil where there are none.
  private func selection(of change: Change) throws -> Selection? {
    switch change {
    case .schedule, .move, .createGroup, .editGroup, .deleteGroup(_, withAlarms: false): return nil
    case .edit(let selection, _), .delete(let selection), .snooze(let selection, _), .dismiss(let selection),
      .skip(let selection), .pause(let selection), .resume(let selection), .extend(let selection, _),
      .markDone(let selection, _):
      return selection
    case .deleteGroup(let name, withAlarms: true):
      let members = try members(ofGroup: groupID(name))
      return Selection(ranges: NumberSet(members).ranges)
    }
  }
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
