import Alarms
import EggTime

/// Gives an entry another time. Its dates move as far as its start; its rule and its alarms stay as long as they say what
/// is wanted. It makes proposals: whoever reads them knows which one says it.
struct TimeEdit {
  /// A file, and the same without what is added to its rule or left out.
  struct Proposal {
    var file: ComponentLines
    var bare: ComponentLines
  }

  private let file: ComponentLines
  /// The entry's place in it.
  private let place: Int
  private let entry: ComponentLines
  /// As an export writes it, with its zone.
  private let written: ComponentLines
  private let source: ComponentLines
  private let old: CalendarContent.Time
  private let new: CalendarContent.Time
  private var timing: EntryTiming

  /// Of a recurring time, moments near the entry's start are tried as its new start: in seconds.
  private static let windows: [Int64] = [3_600, 86_400, 8 * 86_400, 32 * 86_400, 370 * 86_400]
  private static let mostMoments = 100

  init?(
    _ file: ComponentLines, at place: Int, from written: ComponentLines, _ old: CalendarContent.Time,
    _ new: CalendarContent.Time, in context: ReadingContext
  ) {
    guard case .component(let entry) = file.parts[place],
      let source = written.components.first(where: \.isEntry)
    else { return nil }
    (self.file, self.place, self.entry, self.written, self.source) = (file, place, entry, written, source)
    (self.old, self.new) = (old, new)
    timing = EntryTiming(
      context: context, zones: CalendarZones(context, describedIn: ComponentLines.lines(of: file.bytes)))
  }

  /// The best ones first.
  func proposals() -> [Proposal] {
    var timing = timing
    guard let ring = try? timing.ring(of: EntryDraft(entry)),
      let start = try? timing.start(of: EntryDraft(source))
    else { return [] }
    if (old.timing, old.from, old.until, old.count) == (new.timing, new.from, new.until, new.count) {
      return [proposal { _ in true }].compactMap(\.self)
    }
    let (recurs, recurred) = (EntryDraft(source).hasRule, EntryDraft(entry).hasRule)
    let distances = ring.distance == .zero ? [.zero] : [ring.distance, .zero]
    var proposals: [Proposal?] = []
    if recurs == recurred, !EntryDraft(entry).isExported {
      for civil in recurs ? starts(near: ring, on: start) : [start.civil] {
        proposals += distances.map { distance in
          proposal {
            $0.move(from: ring.start, to: start, civil, distance, timing, movesEnd: keepsEnd)
          }
        }
      }
    }
    // RFC 5545 has no rule without DTSTART, and no changed occurrence without a rule.
    guard recurs || recurred, !recurs || entry["DTSTART"] != nil, changes.isEmpty else {
      return proposals.compactMap(\.self)
    }
    proposals += distances.map { distance in
      proposal {
        guard $0.move(from: ring.start, to: start, start.civil, distance, timing) else { return false }
        return $0.edit(at: place) { entry in
          for name in ["RRULE", "RDATE", "EXDATE", "X-EGGD-EVENT", "X-EGGD-INTERVAL", "X-EGGD-MOMENT"] {
            entry.put(name, source.lines.filter { $0.name == name && !$0.isQuiet }) { !$0.isQuiet }
          }
        }
      }
    }
    return proposals.compactMap(\.self)
  }

  private var changes: [ComponentLines] {
    file.components.filter { $0.isEntry && $0["RECURRENCE-ID"] != nil && entry["RECURRENCE-ID"] == nil }
  }

  /// A rule that no event or interval says has its own start, which another time does not name.
  var begin: Instant? {
    guard case .every(.rule(let set), let name) = old.timing, new.from == nil else { return nil }
    if case .every(.rule, _) = new.timing { return nil }
    let zone = name.flatMap { try? timing.context.loadZone($0) } ?? timing.context.zone
    return zone.resolve(CivilDateTime(dayNumber: set.start.dayNumber)).instant
  }

  /// A rule that no event or interval says has its own end, which another time does not name.
  private var keepsEnd: Bool {
    guard case .every(.rule(let set), _) = old.timing, let rule = set.rule else { return false }
    return (rule.until != nil || rule.count != nil) && new.until == nil && new.count == nil
  }

  private func proposal(_ change: (inout ComponentLines) -> Bool) -> Proposal? {
    var file = file
    guard change(&file) else { return nil }
    _ = file.edit(at: place) { entry in
      entry.put("EXDATE", source.lines.filter(\.isQuiet)) { $0.isQuiet }
      if old.rules.leads != new.rules.leads { editAlarms(of: &entry) }
    }
    var bare = file
    bare.editComponents { $0.isEntry && $0["RECURRENCE-ID"] != nil && !changes.isEmpty ? nil : $0 }
    bare.editComponents { component in
      guard component.isEntry else { return component }
      var entry = component
      entry.edit("EXDATE") { $0.isQuiet ? $0 : nil }
      entry.edit("RDATE") { _ in nil }
      if keepsEnd { entry.edit("RRULE") { $0.withoutEnd } }
      return entry
    }
    for zone in written.components where zone.name == "VTIMEZONE" {
      let name = ContentText.unescaped(zone["TZID"]?.value ?? "")
      if !self.file.zoneNames.contains(name), file.zoneNames.contains(name) {
        file.add(zone, before: \.isEntry)
      }
    }
    return Proposal(file: file, bare: bare)
  }

  /// Moments of the new time that are near the entry's start, the nearest first.
  private func starts(near ring: EntryTiming.Ring, on start: CalendarMoment) -> [CivilDateTime] {
    guard case .every(let time, _) = new.timing else { return [] }
    let context = timing.context
    let zone = start.zone ?? context.zone
    let begin = ring.start.civil(onClockOf: start, local: context.zone)
    let moment = CivilDateTime(secondsOnClock: begin.secondsOnClock + ring.distance.secondsOnClock)
    guard moment.isValid else { return [] }
    let from = zone.resolve(moment).instant
    var found: [Instant] = []
    for window in Self.windows {
      var next = time.next(after: from - .seconds(window), in: zone)
      for _ in 0..<Self.mostMoments {
        guard let moment = next, moment <= from + .seconds(window) else { break }
        found.append(moment)
        next = time.next(after: moment, in: zone)
      }
      if !found.isEmpty { break }
    }
    func distance(_ moment: Instant) -> Int64 { abs((moment - from).microseconds) }
    return found.sorted { distance($0) < distance($1) }.prefix(8).map { zone.civil(at: $0) }
  }

  /// Removes alarms that ring when nothing is wanted, and adds those that are missing.
  private func editAlarms(of entry: inout ComponentLines) {
    var timing = timing
    let wanted = Set(new.rules.leads.isEmpty ? [.zero] : new.rules.leads)
    var covered: Set<Lead> = []
    var silent = entry
    silent.editComponents { _ in nil }
    entry.editComponents { component in
      guard component.rings else { return component }
      var alone = silent
      alone.add(component)
      let draft = EntryDraft(alone)
      var notes: [String] = []
      guard let ring = try? timing.ring(of: draft),
        let leads = try? timing.leads(of: draft, at: ring, notes: &notes), notes.isEmpty
      else { return component }
      let rings = Set(leads.isEmpty ? [.zero] : leads)
      guard rings.isSubset(of: wanted) else { return nil }
      covered.formUnion(rings)
      return component
    }
    let isSilent = source.components.contains { $0.name == "VALARM" && $0["ACTION"]?.value == "NONE" }
    let related = entry.name == "VTODO" && entry["DTSTART"] != nil ? ";RELATED=END" : ""
    for lead in wanted.subtracting(covered).sorted() {
      let alarm = ComponentLines(
        alarm: "ACTION:DISPLAY", "TRIGGER\(related):\(lead.trigger)", title: entry["SUMMARY"])
      if let alarm { entry.add(isSilent ? alarm.silenced(true) : alarm) }
    }
  }
}

extension ComponentLines {
  var isEntry: Bool { name == "VEVENT" || name == "VTODO" }

  private var hasSeries: Bool { components.contains { $0.isEntry && $0["RECURRENCE-ID"] == nil } }

  /// The place of the entry whose single occurrences the other ones change.
  var mainPlace: Int? {
    let hasSeries = hasSeries
    return parts.firstIndex { part in
      guard case .component(let component) = part, component.isEntry else { return false }
      return component["RECURRENCE-ID"] == nil || !hasSeries
    }
  }

  var main: ComponentLines? {
    guard let place = mainPlace, case .component(let main) = parts[place] else { return nil }
    return main
  }

  /// Those that its entries name.
  fileprivate var zoneNames: Set<String> {
    Set(components.filter(\.isEntry).flatMap(\.lines).compactMap { $0.property?.parameter("TZID") })
  }

  mutating func edit(at place: Int, _ change: (inout ComponentLines) -> Void) -> Bool {
    guard case .component(var component) = parts[place] else { return false }
    change(&component)
    parts[place] = .component(component)
    return true
  }

  /// Moves all dates. False if a whole day would get a time of day and nothing of it can have one.
  fileprivate mutating func move(
    from old: CalendarMoment, to start: CalendarMoment, _ civil: CivilDateTime, _ distance: CalendarDistance,
    _ timing: EntryTiming, movesEnd: Bool = false
  ) -> Bool {
    let moment = CalendarMoment(civil, on: start.zone)
    let civil = CivilDateTime(secondsOnClock: civil.secondsOnClock - distance.secondsOnClock)
    var new = CalendarMoment(civil, on: start.zone)
    var isDue = false
    if old.isDay {
      let day = CivilDateTime(dayNumber: civil.dayNumber)
      if civil != day {
        // A to-do of a day can be due at a time of day.
        guard distance == .zero, let due = main?["DUE"]?.property, BasicDateTime(due.value)?.isDay == false
        else { return false }
        isDue = true
      }
      new = CalendarMoment(day, on: nil, isDay: true)
    }
    guard civil.isValid else { return false }
    var shift = DateShift(old: old, new: new, local: timing.context.zone, zones: timing.zones)
    let hasSeries = hasSeries
    editComponents { component in
      guard component.isEntry else { return component }
      var entry = component
      if movesEnd { entry.edit("RRULE") { shift.movedEnd(of: $0) } }
      let isChange = hasSeries && component["RECURRENCE-ID"] != nil
      shift.move(&entry, isChange: isChange)
      if isDue, !isChange { entry.edit("DUE") { shift.moved($0, to: moment) } }
      return entry
    }
    return true
  }
}

extension ComponentLines.Line {
  /// A rule that goes on.
  fileprivate var withoutEnd: Self {
    with(
      value.split(separator: ";").filter { part in
        !["UNTIL=", "COUNT="].contains { part.uppercased().hasPrefix($0) }
      }
      .joined(separator: ";"))
  }

  /// Whether it leaves out dates for days on which the alarm keeps quiet.
  fileprivate var isQuiet: Bool { name == "EXDATE" && property?.word("X-EGGD-QUIET") == "TRUE" }
}

extension EntryDraft {
  init(_ component: ComponentLines) {
    self.init(isToDo: component.name == "VTODO", line: 0)
    for line in component.lines { if let property = line.property { take(property) } }
    for alarm in component.components.compactMap(\.alarm) { take(alarm) }
  }
}

extension AlarmDraft {
  init(_ component: ComponentLines) {
    for line in component.lines { if let property = line.property { take(property) } }
  }
}
