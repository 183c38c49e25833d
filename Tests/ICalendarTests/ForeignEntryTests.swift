import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// An edit of a field of an entry that somebody else made changes the lines of that field and no other. Read in Paris, as
/// of 2026-11-20 21:34:30 UTC.
@Suite struct ForeignEntryTests {
  static func content(_ item: CalendarItem, _ context: ReadingContext) -> CalendarContent? {
    item.entry.map { CalendarContent($0, at: context.now).asWritten(in: context) }
  }

  /// The file after a change of its alarm.
  static func edited(
    _ bytes: [UInt8], _ change: (inout CalendarContent) -> Void
  ) throws -> (edited: CalendarItem.Edited, wanted: CalendarContent, old: CalendarContent) {
    let context = try CalendarFixture.context()
    let item = try CalendarItem(bytes, in: context)
    let old = try #require(Self.content(item, context))
    var new = old
    change(&new)
    new = new.asWritten(in: context)
    var alarm = CalendarAlarm(new, uid: item.uid)
    alarm.modifiedAt = context.now
    alarm.revision = item.revision + 1
    let edited = try #require(
      item.edited(
        new.differences(from: old), to: alarm, from: old, in: context, daysOff: { _ in nil },
        reading: { Self.content($0, context) }))
    return (edited, new, old)
  }

  /// Every line with the components that it is in, without what each edit changes.
  static func lines(_ text: String) throws -> [(path: String, line: String)] {
    var open: [String] = []
    var lines: [(String, String)] = []
    for line in text.replacing("\r\n ", with: "\r\n\u{1}").split(separator: "\r\n").map(String.init) {
      if line.hasPrefix("\u{1}"), let last = lines.indices.last {
        lines[last].1 += line
        continue
      }
      if line.hasPrefix("BEGIN:") { open.append(String(line.dropFirst(6))) }
      lines.append((open.joined(separator: "/"), line))
      if line.hasPrefix("END:") { open.removeLast() }
    }
    return lines.filter { !["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"].contains(name($0.1)) }
  }

  private static func name(_ line: String) -> String { String(line.prefix { $0 != ":" && $0 != ";" }) }

  /// Whether a line belongs to a field.
  private static func isOwn(_ line: (path: String, line: String), _ field: CalendarContent.Field) -> Bool {
    let (name, isAlarm) = (name(line.line), line.path.hasSuffix("VALARM"))
    guard !line.path.contains("VTIMEZONE") else { return false }
    if name.hasPrefix("X-EGGD-"), !isAlarm { return true }
    return switch field {
    case .leads: isAlarm
    // An alarm that shows the title shows the new one.
    case .label: name == (isAlarm ? "DESCRIPTION" : "SUMMARY")
    case .summary, .eggs: false
    case .body: name == "DESCRIPTION" && !isAlarm
    case .note: line.line.hasPrefix("COMMENT:likes") || line.line.hasPrefix("COMMENT:x")
    case .category, .group: name == "CATEGORIES"
    case .done: isAlarm ? name == "ACTION" : ["STATUS", "PERCENT-COMPLETE", "COMPLETED"].contains(name)
    case .time:
      ["DTSTART", "DTEND", "DUE", "RDATE", "EXDATE", "RECURRENCE-ID"].contains(name)
        || isAlarm && line.line.hasPrefix("TRIGGER;VALUE=DATE-TIME:2026") || line.line.contains(";UNTIL=")
    }
  }

  static func change(_ field: CalendarContent.Field, of entry: ForeignEntry) throws -> (
    inout CalendarContent
  ) -> Void {
    let event = try entry.later.map { try #require(CalendarEvent($0)) }
    return { content in
      switch field {
      case .label: content.label = "A, b; c"
      case .summary: content.summary = "Ready"
      case .body: content.body = "one\ntwo, three"
      case .note: content.note = "x; 한글"
      case .category: content.category = .hard
      case .eggs: content.eggs = 7
      case .group: content.group = "Breakfast, Sunday"
      case .done: content.isDone = true
      case .leads: content.time.rules.leads = [.zero, Lead("20min")].compactMap(\.self)
      case .time:
        switch content.time.timing {
        case .instant(let instant): content.time.timing = .instant(instant + .seconds(25 * 3_600))
        case .civil(let civil, let zone):
          // A whole day can only become another one.
          let seconds = entry.lines.contains("VALUE=DATE:2026") ? 86_400 : 25 * 3_600
          content.time.timing = .civil(
            CivilDateTime(secondsOnClock: civil.secondsOnClock + seconds), zone: zone)
        case .every(_, let zone):
          if let event { content.time.timing = .every(.event(event), zone: zone) }
        }
      }
    }
  }

  @Test(
    "An edit of one field changes that field's lines and nothing else",
    arguments: ForeignEntry.all, CalendarContent.Field.allCases)
  func oneField(entry: ForeignEntry, field: CalendarContent.Field) throws {
    let context = try CalendarFixture.context()
    let change = try Self.change(field, of: entry)
    let (edited, wanted, old) = try Self.edited(entry.bytes, change)
    guard wanted != old else { return }
    // An alarm would ring before midnight: the day rings at 09:00 as long as it has none.
    guard field != .leads || !entry.lines.contains(";VALUE=DATE:") else {
      return #expect(edited.unsaid == [.leads] && edited.bytes == nil)
    }
    #expect(edited.unsaid.isEmpty)
    let text = try #require(edited.text)
    let (before, after) = (try Self.lines(entry.text), try Self.lines(text))
    #expect(
      before.filter { !Self.isOwn($0, field) }.map(\.line)
        == after.filter { !Self.isOwn($0, field) }.map(\.line))
    let now = try #require(Self.content(CalendarItem(Array(text.utf8), in: context), context))
    switch field {
    case .label: #expect(now.label == "A, b; c")
    case .summary: #expect(now.summary == "Ready")
    case .body: #expect(now.body?.hasSuffix("one\ntwo, three") == true)
    case .note: #expect(now.note == "x; 한글")
    case .category: #expect(now.category == .hard)
    case .eggs: #expect(now.eggs == 7)
    case .group: #expect(now.group == "Breakfast, Sunday")
    case .done: #expect(now.isDone)
    case .time: try compareDates(before, after)
    case .leads: #expect(now.time.rules.leads == wanted.time.rules.leads)
    }
    var time = old.time
    if field == .leads { time.rules.leads = wanted.time.rules.leads }
    if field != .time { #expect(now.time == time) }
  }

  /// Dates move alike: what lies between them stays, and so do their clocks.
  private func compareDates(
    _ before: [(path: String, line: String)], _ after: [(path: String, line: String)]
  ) throws {
    let (old, new) = (before.filter { Self.isOwn($0, .time) }, after.filter { Self.isOwn($0, .time) })
    try #require(old.map { Self.name($0.line) } == new.map { Self.name($0.line) })
    var moved: Set<Int> = []
    for (old, new) in zip(old, new) where !old.line.contains(";UNTIL=") {
      #expect(old.line.prefix { $0 != ":" } == new.line.prefix { $0 != ":" })
      func values(_ line: String) throws -> [CivilDateTime] {
        try line.split(separator: ":")[1].split(separator: ",").map { try #require(BasicDateTime($0)).civil }
      }
      let (old, new) = (try values(old.line), try values(new.line))
      try #require(old.count == new.count)
      for (old, new) in zip(old, new) { moved.insert(new.secondsOnClock - old.secondsOnClock) }
    }
    #expect(moved.count == 1 && moved != [0], "\(moved)")
  }
}
