import Alarms
import EggProtocol
import EggTime
import Ringing
import Varlink

struct ExportReader {
  let timing: TimingReader

  struct Refusal: Error {
    var field: String
  }

  /// Greater numbers and occurrence keys leave no room to count up.
  private static let greatestNumber: Int64 = 1 << 40

  func read(_ item: ImportedAlarm) throws(Refusal) -> (alarm: Alarm, occurrences: [Occurrence]) {
    let wire = item.alarm
    let wired = item.occurrences.isEmpty ? [wire.latest].compactMap { $0 } : item.occurrences
    // An occurrence must be past, with some tolerance for clocks that are ahead.
    let latest = timing.readAt.wall + Recurrence.farAhead
    let occurrences = wired.filter {
      $0.id > 0 && $0.id <= latest.microseconds && $0.outcome != .other
    }.map(occurrence)
    let (when, zone) = try self.when(wire)
    var alarm = Alarm(
      number: (1...Self.greatestNumber).contains(wire.number) ? wire.number : 0,
      id: wire.id ?? AlarmID(madeAt: timing.readAt.wall), category: wire.category,
      position: wire.position ?? .min, timing: when, expression: "",
      readingZone: wire.readingZone ?? zone, createdAt: wire.createdAt ?? timing.readAt.wall)
    try readTexts(wire, into: &alarm)
    alarm.forcedKind = wire.forcedKind
    alarm.anniversary = wire.anniversary
    alarm.modifiedAt = wire.modifiedAt
    alarm.doneAt = wire.doneAt ?? (wire.done ? timing.readAt.wall : nil)
    try readRecurrence(wire, into: &alarm)
    try settle(wire, zone: zone, snoozes: occurrences.contains { $0.due != nil }, into: &alarm)
    return (alarm, occurrences)
  }

  private func checked<Value>(
    _ field: String, _ value: @autoclosure () throws -> Value
  ) throws(Refusal) -> Value {
    do { return try value() } catch { throw Refusal(field: field) }
  }

  private func readTexts(_ wire: WireAlarm, into alarm: inout Alarm) throws(Refusal) {
    alarm.label = try checked("label", try TextRules.label(wire.label))
    alarm.eggs = try checked("eggs", try TextRules.eggs(wire.eggs) ?? 1)
    do throws(Manner.Fault) {
      alarm.manner = try wire.manner.withoutCommands.checked()
    } catch {
      throw Refusal(field: error.field)
    }
    alarm.key = try checked("key", try TextRules.key(wire.key))
    if let group = wire.group { alarm.group = try checked("group", try TextRules.name(group, .group)) }
    guard let expression = wire.expression, !expression.isEmpty else { throw Refusal(field: "expression") }
    alarm.expression = try checked("expression", try TextRules.expression(expression))
    _ = try checked("readingZone", try TextRules.expression(alarm.readingZone))
  }

  private func when(_ wire: WireAlarm) throws(Refusal) -> (Timing, zone: String) {
    let machine = timing.machineZone.identifier
    switch wire.kind {
    case .in:
      guard let span = wire.span, span >= .zero else { throw Refusal(field: "span") }
      return (.countdown(span), machine)
    case .at where wire.instant != nil:
      guard let instant = wire.instant, instant <= .latest else {
        throw Refusal(field: "instant")
      }
      return (.instant(instant), machine)
    case .at:
      guard let civil = wire.civil else { throw Refusal(field: "civil") }
      let zone = try zone(of: wire)
      return (.civil(civil, zone: zone, floats: wire.floats ?? false), zone)
    case .every:
      let time = RecurringTime(event: wire.calendarEvent, interval: wire.interval, rule: wire.rule)
      guard let time, !time.isDenser(than: TimingReader.leastGap) else {
        throw Refusal(field: wire.interval != nil ? "interval" : wire.rule != nil ? "rule" : "calendarEvent")
      }
      let zone = try zone(of: wire)
      return (.every(time, zone: zone, floats: wire.floats ?? false), zone)
    case nil: throw Refusal(field: "kind")
    }
  }

  /// A floating alarm adopts this machine's zone.
  private func zone(of wire: WireAlarm) throws(Refusal) -> String {
    if wire.floats == true { return timing.machineZone.identifier }
    guard let name = wire.zone, (try? timing.zone(named: name)) != nil else { throw Refusal(field: "zone") }
    return name
  }

  private func readRecurrence(_ wire: WireAlarm, into alarm: inout Alarm) throws(Refusal) {
    guard let policy = MissedPolicy(wire.ifMissed ?? .ring, ringWithin: wire.ringWithin) else {
      throw Refusal(field: "ringWithin")
    }
    alarm.ifMissed = policy
    alarm.rules.leads = try checked("leads", try TextRules.leads(wire.leads ?? [], fromCalendar: true))
    guard case .every(let time, let name, _) = alarm.timing else { return }
    let zone = (try? timing.zone(named: name)) ?? timing.machineZone
    guard !time.isTooDense(for: alarm.rules.leads, after: timing.readAt.wall, in: zone) else {
      throw Refusal(field: "leads")
    }
    alarm.rules.skips = DaySet(wire.skips ?? [])
    guard alarm.rules.skips.ranges.count <= Limits.skips else { throw Refusal(field: "skips") }
    alarm.rules.except = try checked("except", try TextRules.daysOff(wire.except ?? [], "except"))
    alarm.rules.onlyOn = try checked("onlyOn", try TextRules.daysOff(wire.onlyOn ?? [], "onlyOn"))
    if let count = wire.count, count < 0 { throw Refusal(field: "count") }
    alarm.from = wire.from
    alarm.until = wire.until
    alarm.count = wire.count
  }

  /// Sets what it waits for and its state.
  private func settle(
    _ wire: WireAlarm, zone: String, snoozes: Bool, into alarm: inout Alarm
  ) throws(Refusal) {
    let isRecurring = wire.kind == .every
    guard wire.state != .paused, wire.paused != true else {
      alarm.state = .paused
      guard isRecurring || wire.remaining.map({ $0 >= .zero }) == true else {
        throw Refusal(field: "remaining")
      }
      alarm.remaining = isRecurring ? nil : wire.remaining
      return
    }
    switch wire.state {
    case .scheduled: alarm.due = wire.due.map(point(wire.kind)) ?? next(alarm, zone)
    case .ringing where isRecurring: alarm.due = wire.due.map { .wall($0) }
    case .snoozed where isRecurring: alarm.due = next(alarm, zone)
    // Leads are left.
    case .ringing, .snoozed: alarm.due = wire.moment.map(point(wire.kind))
    case .paused, .rung, .missed, .skipped: break
    case .other: throw Refusal(field: "state")
    }
    if wire.state == .scheduled, alarm.due == nil { throw Refusal(field: "due") }
    if wire.state == .scheduled, let due = wire.due, let moment = wire.moment { alarm.ahead = moment - due }
    if alarm.doneAt != nil, !isRecurring, alarm.due == nil {
      alarm.doneDue = wire.doneDue.map(point(wire.kind))
      // Of a done one, the moment is not sent.
      if wire.kind == .at, !alarm.rules.leads.isEmpty, let due = wire.doneDue, let moment = next(alarm, zone)
      {
        alarm.ahead = Instant(microseconds: moment.microseconds) - due
      }
      alarm.remaining = wire.remaining.flatMap { wire.kind == .in && $0 >= .zero ? $0 : nil }
    }
    alarm.state = alarm.due == nil && !snoozes ? .over : .scheduled
  }

  /// The moment that its timing gives, if the export has none.
  private func next(_ alarm: Alarm, _ name: String) -> DuePoint? {
    guard let zone = try? timing.zone(named: name) else { return nil }
    switch alarm.timing {
    case .countdown(let span): return point(.in)(timing.readAt.wall + span)
    case .instant(let instant): return .wall(instant)
    case .civil(let civil, _, _): return .wall(zone.resolve(civil).instant)
    case .every(let time, _, _):
      guard alarm.count != 0 else { return nil }
      return Recurrence(.every(time), zone: zone, from: alarm.from, until: alarm.until)
        .next(after: timing.readAt.wall).map { .wall($0.ring) }
    }
  }

  /// A countdown that has not elapsed goes on.
  private func point(_ kind: Timing.Kind?) -> (Instant) -> DuePoint {
    { [timing] moment in
      let left = moment - timing.readAt.wall
      guard kind == .in, left > .zero else { return .wall(moment) }
      let end = Instant(microseconds: timing.readAt.boot) + left
      return DuePoint(clock: timing.boot, microseconds: end.microseconds)
    }
  }

  private func occurrence(_ wire: WireOccurrence) -> Occurrence {
    Occurrence(
      id: wire.id, dueAt: wire.dueAt, ahead: wire.ahead ?? .zero, outcome: wire.outcome,
      missedCount: wire.missedCount,
      firedAt: wire.firedAt,
      // Past rings of another machine are not journaled here.
      journaledAt: wire.journaledAt ?? wire.firedAt, shownAt: wire.shownAt, dismissedAt: wire.dismissedAt,
      snoozedUntil: wire.snoozedUntil, due: wire.snoozedUntil.map(point(.in)), lateness: wire.lateness,
      lateReason: wire.lateReason, hooks: (wire.hooks ?? []).compactMap { HookRun($0) })
  }
}
