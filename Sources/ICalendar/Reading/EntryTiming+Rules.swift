import Alarms
import EggTime
import Gettext

/// Reads an entry's alarms as leads, and what an export wrote of the days on which it keeps quiet.
extension EntryTiming {
  /// Gives the entry its rules, and the ring that it waits for.
  mutating func readRules(
    of draft: EntryDraft, from start: CalendarMoment, into entry: inout CalendarEntry
  ) throws(CalendarProblem) {
    if case .every = entry.timing {
      entry.rules.skips = try skips(of: draft)
      entry.rules.except = names(.except, of: draft)
      entry.rules.onlyOn = names(.onlyOn, of: draft)
      entry.quiet = try quiet(of: draft, start: start)
    }
    settle(&entry, in: start.zone ?? context.zone)
  }

  /// Ascending; empty for a ring at the moment alone.
  mutating func leads(
    of draft: EntryDraft, at ring: Ring, notes: inout [String]
  ) throws(CalendarProblem) -> [Lead] {
    var leads: Set<Lead> = []
    var (far, more): ([String], [String]) = ([], [])
    if draft.leadingAlarms.count < draft.alarms.count {
      notes.append(tr("it recurs; its alarms at fixed moments are left out"))
    }
    for distance in try distances(of: draft, at: ring) {
      guard let lead = Lead(distance) else {
        far.append("\(distance)")
        continue
      }
      if leads.count(where: { $0 != .zero }) == Limits.leads, lead != .zero, !leads.contains(lead) {
        more.append("\(distance)")
      } else {
        leads.insert(lead)
      }
    }
    func list(_ alarms: [String]) -> String {
      alarms.prefix(Limits.leads).joined(separator: ", ") + (alarms.count > Limits.leads ? " …" : "")
    }
    if !far.isEmpty { notes.append(tr("alarms more than 28 days away from it are left out: \(list(far))")) }
    if !more.isEmpty { notes.append(tr("it has more than \(Limits.leads) alarms; left out: \(list(more))")) }
    return leads == [.zero] ? [] : leads.sorted()
  }

  /// How far from the moment its alarms ring.
  mutating func distances(of draft: EntryDraft, at ring: Ring) throws(CalendarProblem) -> [CalendarDistance] {
    var distances: [CalendarDistance] = []
    for alarm in draft.leadingAlarms {
      if let lead = alarm.lead { distances += try self.distances(of: alarm, lead, draft, at: ring) }
    }
    return distances
  }

  /// How far from the moment a VALARM rings, again where it repeats.
  private mutating func distances(
    of alarm: AlarmDraft, _ lead: Property, _ draft: EntryDraft, at ring: Ring
  ) throws(CalendarProblem) -> [CalendarDistance] {
    var distance: CalendarDistance
    if alarm.isFixed {
      let away = try moment(lead).instant(context.zone) - ring.start.instant(context.zone)
      distance = CalendarDistance(seconds: Int(away.microseconds / 1_000_000)) - ring.distance
    } else {
      guard let read = CalendarDistance(lead.value) else {
        throw lead.problem(tr("'\(lead.value.prefix(60).visible)' is not a TRIGGER"))
      }
      distance = read + (alarm.isOfEnd ? ring.end : ring.begin) - ring.distance
    }
    guard let repeats = alarm.repeats.flatMap({ Int($0.value) }), repeats > 0,
      let pause = alarm.pause.flatMap({ CalendarDistance($0.value) })
    else { return [distance] }
    var distances = [distance]
    for _ in 0..<min(repeats, Limits.leads) { distances.append(distances[distances.count - 1] + pause) }
    return distances
  }

  private func skips(of draft: EntryDraft) throws(CalendarProblem) -> DaySet {
    guard let property = draft[.skips] else { return .none }
    let texts = property.value.split(separator: ",")
    let ranges = texts.compactMap { DayRange(String($0)) }
    guard ranges.count == texts.count, ranges.count <= Limits.skips else {
      throw property.problem(tr("X-EGGD-SKIP is not a list of days"))
    }
    return DaySet(ranges)
  }

  private func names(_ name: Property.Name, of draft: EntryDraft) -> [String] {
    let names = draft[name].map { ContentText.list($0.value).map(\.asOneLine).filter { !$0.isEmpty } } ?? []
    return Array(names.prefix(Limits.namedDaysOff))
  }

  private mutating func quiet(of draft: EntryDraft, start: CalendarMoment) throws(CalendarProblem) -> DaySet {
    var days: [DayRange] = []
    for property in draft.quiet {
      for moment in try moments(property) {
        guard let day = CivilDate(moment.civil(onClockOf: start, local: context.zone)) else { continue }
        days += [DayRange(day, through: day)].compactMap { $0 }
      }
    }
    return DaySet(days)
  }

  /// Turns the entry's moment into the ring that it waits for.
  private func settle(_ entry: inout CalendarEntry, in zone: Zone) {
    let leads = entry.rules.leads.isEmpty ? [.zero] : entry.rules.leads
    func rings(_ moment: Instant) -> [Instant] { leads.map { $0.ring(before: moment, in: zone) } }
    func next(_ moment: Instant) -> Instant? { rings(moment).filter { $0 > context.now }.min() }
    guard case .every(let time, _) = entry.timing else {
      guard let moment = entry.moment else { return }
      entry.due = next(moment)
      entry.last = rings(moment).max()
      entry.ahead = entry.due.map { moment - $0 } ?? .zero
      return
    }
    while let moment = entry.due {
      if let ring = next(moment) {
        entry.due = ring
        entry.ahead = moment - ring
        return
      }
      // Its leads are over.
      entry.count = entry.count.map { $0 - 1 }
      let later = entry.count == 0 ? nil : time.next(after: moment, in: zone)
      entry.due = later.flatMap { $0 <= entry.until ?? $0 ? $0 : nil }
    }
  }
}

extension Lead {
  /// nil beyond ``longest``.
  init?(_ distance: CalendarDistance) {
    let isMixed = distance.days.signum() * distance.seconds.signum() < 0
    let plain = isMixed ? CalendarDistance(secondsOnClock: distance.secondsOnClock) : distance
    self.init(days: -plain.days, seconds: -plain.seconds)
  }
}

extension CalendarEntry {
  /// Where days off that it names are not known, it keeps quiet on the days that its file leaves out for them. It then
  /// rings on others, as it would never ring only on days that nobody knows.
  package mutating func adopt(daysOff isKnown: (String) -> Bool) {
    let unknown = (content.time.rules.except + content.time.rules.onlyOn).filter { !isKnown($0) }
    guard !unknown.isEmpty else { return }
    content.time.rules.onlyOn.removeAll(where: unknown.contains)
    content.time.rules.skips = DaySet(
      Array(DaySet(content.time.rules.skips.ranges + quiet.ranges).ranges.prefix(Limits.skips)))
    let names = unknown.map { "'\($0.visible)'" }.joined(separator: ", ")
    notes.append(
      quiet.isEmpty
        ? tr("there are no days off \(names) here; it keeps quiet on none")
        : tr("there are no days off \(names) here; it keeps quiet on the dates that the file names"))
  }
}
