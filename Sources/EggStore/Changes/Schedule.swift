import Alarms
import EggTime
import GRDB
import Ringing

/// Creates an alarm at the end of the list.
package struct ScheduleChange: Change {
  /// Number, identity, position and creation are given when it is made.
  package var alarm: Alarm
  /// Without its group it is made all the same, in none.
  package var isGroupOptional: Bool
  /// The request as first sent (expression and options, not the resolved moment), compared where the alarm has a key.
  package var keyedRequest: String?
  /// Whether a stored request, perhaps of an earlier version, is this one.
  private let isRequest: @Sendable (String?) -> Bool

  package init(
    _ alarm: Alarm, isGroupOptional: Bool = false, keyedRequest: String? = nil,
    isRequest: (@Sendable (String?) -> Bool)? = nil
  ) {
    self.alarm = alarm
    self.isGroupOptional = isGroupOptional
    self.keyedRequest = keyedRequest
    self.isRequest = isRequest ?? { $0 == keyedRequest }
  }

  package var kind: ChangeKind? { .schedule }
  package var isOneStatement: Bool { alarm.key == nil }

  /// Creates the alarm, or finds the one that the same request created.
  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (alarms, now) = (transaction.tables.alarms, request.readAt.wall)
    var outcome = ChangeOutcome()
    var released: [Int64] = []
    if let key = alarm.key, let holder = try KeyRow.find(key, at: now, in: alarms.database) {
      if holder.isLive {
        guard isRequest(holder.request) else {
          throw ChangeError.keyInUse(key: key, number: holder.number)
        }
        outcome.existed = true
        outcome.alarms = try [alarms.read(holder.number)].compactMap { $0 }
        return outcome
      }
      released = [holder.number]
    }
    try transaction.step(released) {
      if !released.isEmpty { try alarms.set([.key: nil, .keyedRequest: nil], of: released) }
      outcome.alarms = [try insert(in: transaction, at: request.readAt)]
    }
    outcome.past = outcome.alarms.flatMap { pastLeads(of: $0, transaction.tables, request.readAt) }
    return outcome
  }

  /// Of a one-shot.
  private func pastLeads(of alarm: Alarm, _ tables: Tables, _ now: ClockReading) -> [Lead] {
    guard let due = alarm.due, let recurrence = tables.recurrence(of: alarm), recurrence.isOnce else {
      return []
    }
    let moment = Instant(microseconds: due.microseconds) + alarm.ahead
    return recurrence.leads.filter {
      $0.ring(before: moment, in: recurrence.zone) <= tables.now(due.clock, now)
    }
  }

  private func insert(in transaction: StoreTransaction, at readAt: ClockReading) throws -> Alarm {
    let (tables, now) = (transaction.tables, readAt.wall)
    let group = try alarm.group.flatMap {
      try isGroupOptional ? tables.groups.idIfAny(of: $0) : tables.groups.id(of: $0)
    }
    var alarm = alarm
    if group == nil { alarm.group = nil }
    let (timing, due) = try tables.resolver.settled(
      alarm.timing, due: alarm.due ?? .wall(now), from: alarm.from, at: now)
    alarm.timing = timing
    alarm.due = due
    alarm.id = AlarmID(madeAt: now)
    alarm.createdAt = now
    if alarm.rules != .none {
      try tables.daysOff.check(alarm.rules)
      let moment = NextMoment(tables: tables, now: readAt)
      try moment.check(alarm)
      moment.give(&alarm, counted: Instant(microseconds: due.microseconds), after: now)
      guard alarm.due != nil else { throw ChangeError.neverRings(number: nil) }
    }
    alarm.position = Positions.end(after: try tables.alarms.lastPosition())
    alarm.number = try tables.alarms.insert(alarm, group: group, keyedRequest: keyedRequest)
    alarm.due = alarm.due.map(tables.clocks.present)
    transaction.fresh[alarm.number] = alarm
    transaction.made = [alarm.number]
    return alarm
  }
}

extension AlarmMoments {
  /// Of a new alarm; nil if that needs more than the alarm itself. Reading its row costs as much as making it.
  init?(new alarm: Alarm) {
    guard alarm.timing.kind != .every, alarm.group == nil, alarm.rules == .none, let due = alarm.due else {
      return nil
    }
    let card = AlarmCard(
      id: alarm.id, label: alarm.label, manner: alarm.manner, expression: alarm.expression,
      category: alarm.category)
    let entry = HeadEntry(
      key: EntryKey(number: alarm.number, occurrence: 0), due: due, card: card, isPastByZone: false,
      ifMissed: alarm.ifMissed, recurrence: nil)
    self.init(number: alarm.number, waiting: [entry], ringing: [], card: card)
  }
}

/// The alarm with an idempotency key and the request that created it.
package struct KeyHolder: Sendable {
  package var alarm: Alarm
  package var request: String?
}

struct KeyRow {
  var number: Int64
  var request: String?
  /// Until ten minutes after its alarm is over a key still answers with it. Also counts before that moment, because
  /// the clock may have been set back.
  var isLive: Bool

  static func find(_ key: String, at now: Instant, in database: Database) throws -> KeyRow? {
    let sql = """
      SELECT number, keyedRequest, state <> 'over' OR coalesce(abs(? - overAt) < 600000000, 0) FROM alarm WHERE key = ?
      """
    return try database.first(sql, [now.microseconds, key]) { row in
      KeyRow(number: int(row, 0) ?? 0, request: text(row, 1), isLive: int(row, 2) == 1)
    }
  }
}
