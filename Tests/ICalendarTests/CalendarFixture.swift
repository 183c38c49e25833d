import EggTime
import Testing

@testable import ICalendar

/// Calendars read in Paris, as of 2026-11-20 21:34:30 UTC.
enum CalendarFixture {
  static let now = Instant(microseconds: 1_795_210_470_000_000)

  static func context() throws -> ReadingContext {
    ReadingContext(now: now, zone: try Zone.named("Europe/Paris"))
  }

  /// Reads lines, put into a calendar.
  static func read(_ lines: String) throws -> [Result<CalendarEntry, CalendarProblem>] {
    let text = "BEGIN:VCALENDAR\nVERSION:2.0\n\(lines)\nEND:VCALENDAR\n"
    return ICalendarReader.read(Array(text.utf8), in: try context())
  }

  /// The entry of an event with these properties; its BEGIN is line 3.
  static func entry(_ lines: String, of component: String = "VEVENT") throws -> CalendarEntry {
    let results = try read("BEGIN:\(component)\n\(lines)\nEND:\(component)")
    try #require(results.count == 1)
    guard case .success(let entry) = results[0] else {
      Issue.record("\(results[0])")
      throw NotThat()
    }
    return entry
  }

  /// Why an event with these properties is refused, after its line.
  static func problem(_ lines: String, of component: String = "VEVENT") throws -> String {
    let results = try read("BEGIN:\(component)\n\(lines)\nEND:\(component)")
    try #require(results.count == 1)
    guard case .failure(let problem) = results[0] else {
      Issue.record("\(results[0])")
      throw NotThat()
    }
    return "\(problem.line): \(problem.message)"
  }

  struct NotThat: Error {}
}

extension CalendarItem.Edited {
  var text: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }
}

extension CalendarItem {
  func text(answered answer: CalendarAnswer, of moment: Instant?) -> String {
    String(decoding: bytes(answered: answer, of: moment), as: UTF8.self)
  }
}
