import Alarms
import EggTime
import GRDB
import Ringing

/// Creates an alarm at the end of the list.
package struct ScheduleChange: Change {
  package var alarm: NewAlarm

  package init(_ alarm: NewAlarm) { self.alarm = alarm }

  package var kind: ChangeKind? { .schedule }
  package var isOneStatement: Bool { alarm.key == nil }

  /// Creates the alarm, or finds the one that the same request created.
  package func apply(in transaction: StoreTransaction, for request: ChangeRequest) throws -> ChangeOutcome {
    let (alarms, now) = (transaction.tables.alarms, request.readAt.wall)
    var outcome = ChangeOutcome(sequence: 0)
    var released: [Int64] = []
    if let key = alarm.key, let holder = try KeyRow.find(key, in: alarms.database) {
      if holder.isLive(at: now) {
        guard alarm.isRequest(holder.request) else {
          throw ChangeError.keyInUse(key: key, number: holder.number)
        }
        outcome.existed = true
        outcome.alarms = try [alarms.read(holder.number)].compactMap { $0 }
        return outcome
      }
      released = [holder.number]
    }
    var number: Int64 = 0
    try transaction.step(released) {
      if !released.isEmpty { try alarms.set([.key: nil, .keyedRequest: nil], of: released) }
      number = try insert(in: transaction, at: now)
      return [number]
    }
    outcome.alarms = [transaction.log.fresh[number]?.alarm].compactMap { $0 }
    return outcome
  }

  private func insert(in transaction: StoreTransaction, at now: Instant) throws -> Int64 {
    let (new, tables) = (alarm, transaction.tables)
    let position = ListOrder.end(after: try tables.alarms.lastPosition())
    let group = try new.group.flatMap {
      try new.isGroupOptional ? tables.groups.idIfAny(of: $0) : tables.groups.id(of: $0)
    }
    let (timing, due) = try tables.resolver.settled(new.timing, due: new.due, from: new.from, at: now)
    var alarm = Alarm(
      number: 0, id: AlarmID(madeAt: now), label: new.label, category: new.category, eggs: new.eggs,
      group: group == nil ? nil : new.group, position: position, manner: new.manner, timing: timing,
      expression: new.expression, forcedKind: new.forcedKind, readingZone: new.readingZone,
      ifMissed: new.ifMissed, from: new.from, until: new.until, count: new.count, key: new.key,
      anniversary: new.anniversary, createdAt: now, due: due)
    alarm.number = try tables.alarms.insert(alarm, group: group, keyedRequest: new.keyedRequest)
    alarm.due = tables.clocks.present(due)
    transaction.log.fresh[alarm.number] = NewRow(alarm)
    return alarm.number
  }
}

/// A new alarm as a read would return it. Reading a new row back costs as much as making it.
final class NewRow {
  let alarm: Alarm
  /// What it waits for; nil if that needs more than the alarm itself.
  let moments: AlarmMoments?

  init(_ alarm: Alarm) {
    self.alarm = alarm
    guard alarm.timing.kind != .every, alarm.group == nil, let due = alarm.due else {
      moments = nil
      return
    }
    let card = AlarmCard(
      id: alarm.id, label: alarm.label, manner: alarm.manner, expression: alarm.expression,
      category: alarm.category)
    let entry = HeadEntry(
      key: EntryKey(number: alarm.number, occurrence: 0), due: due, card: card, isPastByZone: false,
      ifMissed: alarm.ifMissed, recurrence: nil)
    moments = AlarmMoments(number: alarm.number, waiting: [entry], ringing: [], card: card)
  }
}

package struct NewAlarm: HasManner, Sendable {
  package var label: String?
  package var category: Category
  package var eggs: Int64
  /// The group's name.
  package var group: String?
  /// Without that group it is made all the same, in none.
  package var isGroupOptional: Bool
  package var manner: Manner
  package var timing: Timing
  package var expression: String
  package var forcedKind: Timing.Kind?
  package var readingZone: String
  package var due: DuePoint
  package var ifMissed: MissedPolicy
  package var from: Instant?
  package var until: Instant?
  package var count: Int64?
  /// For an anniversary alarm, the day it commemorates.
  package var anniversary: CivilDate?
  package var key: String?
  /// The request as first sent (expression and options, not the resolved moment), compared where `key` is
  /// set.
  package var keyedRequest: String?
  /// Whether a stored request, perhaps of an earlier version, is this one.
  package var isRequest: @Sendable (String?) -> Bool

  package init(
    label: String?, category: Category, eggs: Int64, group: String? = nil,
    isGroupOptional: Bool = false, manner: Manner = Manner(), timing: Timing, expression: String,
    forcedKind: Timing.Kind?, readingZone: String, due: DuePoint,
    ifMissed: MissedPolicy = .ring, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    anniversary: CivilDate? = nil, key: String?, keyedRequest: String?,
    isRequest: (@Sendable (String?) -> Bool)? = nil
  ) {
    self.group = group
    self.isGroupOptional = isGroupOptional
    self.anniversary = anniversary
    self.ifMissed = ifMissed
    self.from = from
    self.until = until
    self.count = count
    self.label = label
    self.category = category
    self.eggs = eggs
    self.manner = manner
    self.timing = timing
    self.expression = expression
    self.forcedKind = forcedKind
    self.readingZone = readingZone
    self.due = due
    self.key = key
    self.keyedRequest = keyedRequest
    self.isRequest = isRequest ?? { $0 == keyedRequest }
  }
}
