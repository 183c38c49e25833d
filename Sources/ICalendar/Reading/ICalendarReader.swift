import EggTime
import Gettext

/// Reads iCalendar files (RFC 5545). Each event or to-do becomes a ``CalendarEntry``, or a ``CalendarProblem`` if no alarm
/// can do what it says.
///
/// Other components (journals, free time) are skipped. A VTIMEZONE only tells which of the machine's own zones is meant.
package enum ICalendarReader {
  /// The entries and problems of a file, in order.
  ///
  /// - Parameter context: The present, which decides what is over; the zone of floating times; the loader of
  /// zones.
  package static func read(_ bytes: [UInt8], in context: ReadingContext) -> [Result<
    CalendarEntry, CalendarProblem
  >] {
    CalendarComponents.read(bytes, in: context) { (draft, timing) throws(CalendarProblem) in
      try draft.entry(&timing)
    }
  }
}

/// Tracks the component that a line belongs to, and what has been read of it.
struct CalendarComponents<Item> {
  /// What an entry means. Problems that leave it readable are added to the timing's.
  typealias Reading = (EntryDraft, inout EntryTiming) throws(CalendarProblem) -> Item

  private let reading: Reading
  private var timing: EntryTiming
  /// Outermost first.
  private var open: [(name: String, line: Int)] = []
  private var entry: EntryDraft?
  private var alarm: AlarmDraft?
  private var zone = ZoneDraft()
  /// Each with the line that it is about: a series is read after what follows it.
  private var found: [(line: Int, finding: Result<Item, CalendarProblem>)] = []
  private var series = CalendarSeries()
  /// Whether the file was already refused: it is said once.
  private var isRefused = false

  /// The deepest nesting that is read; only broken files go deeper.
  private static var deepest: Int { 32 }

  /// The entries and problems of a file, in order.
  static func read(
    _ bytes: [UInt8], in context: ReadingContext, _ reading: @escaping Reading
  ) -> [Result<Item, CalendarProblem>] {
    let lines = ComponentLines.lines(of: bytes)
    let zones = CalendarZones(context, describedIn: lines)
    var components = CalendarComponents(reading: reading, timing: EntryTiming(context: context, zones: zones))
    for line in lines { components.take(line) }
    components.end()
    return components.found.sorted { $0.line < $1.line }.map(\.finding)
  }

  private mutating func take(_ line: ComponentLines.Line) {
    do throws(CalendarProblem) {
      guard let property = try Property(line) else { return refuse(outside: line.number) }
      switch property.name {
      case .begin: try begin(property)
      case .end: try end(property)
      default: read(property)
      }
    } catch {
      guard !open.isEmpty else { return refuse(outside: line.number) }
      if entry != nil { entry?.fail(error) } else { found.append((error.line, .failure(error))) }
    }
  }

  /// Reports what is still open at the end of the file.
  private mutating func end() {
    closeSeries()
    if let innermost = open.last {
      problem(innermost.line, tr("the file ends before END:\(innermost.name.visible)"))
    } else {
      refuse(outside: 1)
    }
  }

  private mutating func begin(_ property: Property) throws(CalendarProblem) {
    let name = property.value.uppercased()
    guard !open.isEmpty || name == "VCALENDAR" else { return refuse(outside: property.line) }
    guard open.count < Self.deepest, name.utf8.count <= 100 else {
      throw CalendarProblem(line: property.line, message: tr("components are nested too deeply"))
    }
    isRefused = true
    open.append((name, property.line))
    switch name {
    case "VEVENT", "VTODO":
      if entry == nil { entry = EntryDraft(isToDo: name == "VTODO", line: property.line) }
    case "VALARM": alarm = AlarmDraft()
    case "VTIMEZONE": zone = ZoneDraft()
    case "STANDARD", "DAYLIGHT": zone.begin(name)
    default: break
    }
  }

  private mutating func end(_ property: Property) throws(CalendarProblem) {
    let name = property.value.uppercased()
    guard let innermost = open.last else { return refuse(outside: property.line) }
    guard innermost.name == name else {
      // A component without its END is dropped; reading goes on after it.
      guard let index = open.lastIndex(where: { $0.name == name }) else {
        throw CalendarProblem(line: property.line, message: tr("END:\(name.prefix(60).visible) has no BEGIN"))
      }
      let dropsEntry = open[index...].contains { ["VEVENT", "VTODO"].contains($0.name) }
      open.removeSubrange(index...)
      problem(innermost.line, tr("BEGIN:\(innermost.name.visible) has no END"))
      if dropsEntry { entry = nil }
      return
    }
    open.removeLast()
    switch name {
    case "VEVENT", "VTODO":
      guard !open.contains(where: { ["VEVENT", "VTODO"].contains($0.name) }) else { break }
      if let entry, let single = series.take(entry) { read(single) }
      entry = nil
    case "VCALENDAR": closeSeries()
    case "VALARM":
      if let alarm { entry?.take(alarm) }
      alarm = nil
    case "VTIMEZONE": timing.zones.describe(zone)
    default: break
    }
  }

  private mutating func closeSeries() {
    for entry in series.close() { read(entry) }
  }

  private mutating func read(_ entry: EntryDraft) {
    do throws(CalendarProblem) {
      try entry.check()
      found.append((entry.line, .success(try reading(entry, &timing))))
    } catch {
      found.append((entry.line, .failure(entry.named(error))))
      timing.problems = []
    }
    found += timing.problems.map { ($0.line, .failure($0)) }
    timing.problems = []
  }

  private mutating func read(_ property: Property) {
    switch open.last?.name {
    case "VCALENDAR" where property.name == .version && property.value != "2.0":
      problem(
        property.line,
        tr("iCalendar version '\(property.value.prefix(20).visible)' is not supported, only 2.0"))
    case "VEVENT", "VTODO": entry?.take(property)
    case "VALARM": alarm?.take(property)
    case "VTIMEZONE", "STANDARD", "DAYLIGHT": zone.take(property)
    case nil: refuse(outside: property.line)
    default: break
    }
  }

  /// Reports once that the file is no calendar.
  private mutating func refuse(outside line: Int) {
    guard open.isEmpty, !isRefused else { return }
    isRefused = true
    problem(line, tr("not an iCalendar file: it does not begin with BEGIN:VCALENDAR"))
  }

  private mutating func problem(_ line: Int, _ message: String) {
    found.append((line, .failure(CalendarProblem(line: line, message: message))))
  }
}
