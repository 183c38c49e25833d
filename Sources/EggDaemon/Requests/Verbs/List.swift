import Alarms
import EggProtocol
import EggStore
import EggTime
import Ringing
import Varlink

/// Answers what is asked of the alarms and their past.
struct Lists: Sendable {
  let clock: any Clock
  let reads: ReadTurns
  /// The machine's zone as the daemon last read it.
  let machineZone: @Sendable () -> Zone

  func list(_ call: ServerCall) throws(CallFailure) {
    let asked: ListCall = try call.parameters()
    if asked.states?.contains(.other) == true { throw .invalidParameter("states") }
    if let range = asked.range, range.first > range.last { throw .invalidParameter("range") }
    let fields = asked.fields.map(Set.init)
    let query = ListQuery(
      order: asked.order ?? .position, filter: ListFilter(asked),
      after: asked.after.map { ListCursor(number: $0) }, limit: try Self.limit(asked.limit),
      withTotals: asked.totals ?? true,
      listedOnly: fields?.isSubset(of: WireAlarm.listed) == true)
    Listing(call, query: query, fields: fields, lists: self).next()
  }

  func history(_ call: ServerCall) throws(CallFailure) {
    let asked: HistoryCall = try call.parameters()
    let which: AlarmReference? =
      asked.number == nil && asked.id == nil
      ? nil : try AlarmReference(number: asked.number, id: asked.id)
    let limit = try Self.limit(asked.limit)
    reads.answer(call, { try $0.history(of: which, before: asked.before, limit: limit) }) { page in
      let past = page.past.map {
        Past(
          number: $0.number, label: $0.label, occurrence: WireOccurrence($0.occurrence),
          deletedAt: $0.deletedAt)
      }
      call.reply(HistoryReply(past: past, before: page.before))
    }
  }

  func show(_ call: ServerCall) throws(CallFailure) {
    let asked: ShowCall = try call.parameters()
    let which = try AlarmReference(number: asked.number, id: asked.id)
    let wallOf = WallClock(now: clock.read())
    reads.answer(call, { try $0.past(of: which) }) { found in
      call.reply(
        ShowReply(
          alarm: WireAlarm(found.alarm, wallOf: wallOf.callAsFunction),
          occurrences: found.occurrences.map(WireOccurrence.init),
          upcoming: upcoming(found.alarm, found.quiet)))
    }
  }

  /// The maximum and default number of alarms or occurrences on a page.
  private static func limit(_ asked: Int64?) throws(CallFailure) -> Int {
    let limit = asked ?? 1_000
    guard (1...1_000).contains(limit) else { throw .invalidParameter("limit") }
    return Int(limit)
  }

  /// A recurring alarm's next moments; nil for alarms that do not recur or wait for nothing.
  private func upcoming(_ alarm: Alarm, _ quiet: QuietDays) -> [Instant]? {
    guard case .every(let time, let name, let floats) = alarm.timing, let due = alarm.due else { return nil }
    let local = machineZone()
    guard let zone = floats || name == local.identifier ? local : try? Zone.named(name) else { return nil }
    var recurrence = Recurrence(
      .every(time), zone: zone, from: alarm.from, until: alarm.until, count: alarm.count,
      leads: alarm.rules.leads, quiet: quiet)
    var moments = [Instant(microseconds: due.microseconds)]
    while moments.count < 5, let last = moments.last {
      let course = recurrence.course(from: last, to: last)
      guard let next = course.next else { break }
      moments.append(next.ring)
      recurrence = recurrence.after(course.used)
    }
    return moments
  }
}

extension Totals {
  /// Zeros where nobody counted.
  init(_ counted: ListTotals?) {
    self.init(alarms: counted?.alarms ?? 0, eggs: counted?.eggs ?? 0, next: counted?.next)
  }
}

extension ListFilter {
  init(_ call: ListCall) {
    self.init(phases: call.states.map(Set.init))
    categories = call.categories.map(Set.init)
    group = call.group.map { $0.isEmpty ? .none : .named($0) }
    done = call.done
    label = call.label
    dueFrom = call.dueFrom
    dueBefore = call.dueBefore
    numbers = call.range.map { $0.first...$0.last }
  }
}
