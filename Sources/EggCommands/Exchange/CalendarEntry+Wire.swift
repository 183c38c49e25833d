import Alarms
import EggProtocol
import EggTime
import ICalendar

extension CalendarEntry {
  var id: AlarmID? { uid.flatMap(Digest.identity) }

  /// The alarm to import; nil for a recurring entry that is over.
  func alarm(on local: Zone, at now: Instant) -> ImportedAlarm? {
    let timing = remaining.map { Alarms.Timing.countdown($0) } ?? timing(on: local)
    guard let due = due ?? last ?? moment else { return nil }
    var manner = manner
    (manner.summary, manner.body, manner.note) = (content.summary, content.body, content.note)
    let time = content.time
    var alarm = Alarm(
      number: 0, id: id ?? AlarmID(), label: content.label, category: content.category, eggs: content.eggs,
      group: content.group, position: 0, manner: manner, timing: timing,
      expression: remaining.map { "\($0.microseconds / 1_000_000)s" } ?? expression,
      readingZone: local.identifier,
      from: time.from, until: time.until, count: time.count, rules: time.rules, createdAt: now,
      due: .wall(due),
      ahead: moment.map { $0 - due } ?? ahead)
    if content.isDone {
      alarm.doneAt = doneAt ?? now
      if moment != nil {
        alarm.state = .over
        alarm.doneDue = alarm.due
        alarm.due = nil
      }
    }
    if isPaused, !content.isDone {
      (alarm.state, alarm.remaining, alarm.due) = (.paused, remaining, nil)
    } else if isSkipped, !content.isDone {
      (alarm.state, alarm.due) = (.over, nil)
      alarm.latest = Occurrence(id: 1, dueAt: due, outcome: .skipped)
    }
    return ImportedAlarm(
      alarm: WireAlarm(alarm) { Instant(microseconds: $0.microseconds) },
      occurrences: alarm.latest.map { [WireOccurrence($0)] } ?? [])
  }

  private func timing(on local: Zone) -> Alarms.Timing {
    switch content.time.timing {
    case .instant(let instant): .instant(instant)
    case .civil(let civil, let zone): .civil(civil, zone: zone ?? local.identifier, floats: zone == nil)
    case .every(let time, let zone): .every(time, zone: zone ?? local.identifier, floats: zone == nil)
    }
  }
}

extension WireAlarm {
  var rules: MomentRules {
    var rules = MomentRules(leads: leads ?? [], except: except ?? [], onlyOn: onlyOn ?? [])
    rules.skips = DaySet(skips ?? [])
    return rules
  }
}

extension CalendarAlarm {
  init(_ alarm: WireAlarm) {
    let zone = alarm.floats == true ? nil : alarm.zone
    let once = alarm.instant ?? alarm.moment ?? alarm.shownMoment
    var content = CalendarContent(
      CalendarContent.Time(
        alarm.recurringTime.map { .every($0, zone: zone) } ?? alarm.civil.map { .civil($0, zone: zone) }
          ?? .instant(once ?? Instant(microseconds: 0)),
        from: alarm.from, until: alarm.until, count: alarm.count, rules: alarm.rules))
    content.label = alarm.label
    content.summary = alarm.summary
    content.body = alarm.body
    content.note = alarm.note
    content.category = alarm.category
    content.eggs = alarm.eggs
    content.group = alarm.group
    content.isDone = alarm.done
    self.init(content, uid: alarm.id?.description ?? "\(alarm.number)")
    self.zone = alarm.zone
    isUntimed = once == nil
    state = alarm.state
    remaining = alarm.remaining
    moment = alarm.shownMoment
    lastMoment = alarm.latest?.dueAt ?? alarm.due
    createdAt = alarm.createdAt
    modifiedAt = alarm.modifiedAt
    doneAt = alarm.doneAt
  }
}

extension Connection {
  /// Days off by name; those without days are left out.
  func daysOff() throws -> [String: DaySet] {
    var found: [String: DaySet] = [:]
    for calendar in try read(ListDaysOffCall()).daysOff where calendar.count > 0 {
      let days = try read(ListDaysOffCall(name: calendar.name)).daysOff.first?.days
      found[calendar.name] = DaySet(days ?? [])
    }
    return found
  }
}

/// The days off that eggd has, asked for when first needed.
final class KnownDaysOff {
  private let surroundings: Surroundings
  private var found: [String: DaySet]?

  init(in surroundings: Surroundings) { self.surroundings = surroundings }

  /// Asks for them if these rules name any. Uses a connection of its own: others have calls under way.
  func load(for rules: MomentRules) throws {
    guard found == nil, !rules.except.isEmpty || !rules.onlyOn.isEmpty else { return }
    found = try Connection(surroundings).daysOff()
  }

  subscript(name: String) -> DaySet? { found?[name] }
}
