import EggTestSupport
import EggTime
import Glibc
import Testing

/// Runs Tests/Fixtures/time-cases.tsv: what the tools of this field say about some 500 expressions.
@Suite struct TimeCasesTests {
  @Test("The table has 99 spans, 288 timestamps and 120 calendar events")
  func countsRows() {
    #expect(TimeCase.all.filter { $0.kind == "timespan" }.count == 99)
    #expect(TimeCase.all.filter { $0.kind == "timestamp" }.count == 288)
    #expect(TimeCase.all.filter { $0.kind == "calendar" }.count == 120)
    #expect(TimeCase.all.filter { $0.auto != "-" }.count == 434)
  }

  @Test("Each span reads as its row says", arguments: TimeCase.all.filter { $0.kind == "timespan" })
  func spans(row: TimeCase) throws {
    let context = try Self.context(row)
    // systemd reads infinity as a number; no alarm can be set for it.
    guard row.expected != "error", row.text != "infinity" else {
      #expect(throws: ExpressionError.self) { try TimeExpression.read(row.text, in: context, as: .span) }
      return
    }
    let expression = try TimeExpression.read(row.text, in: context, as: .span)
    #expect(expression.reading == .span(TimeSpan(microseconds: Int64(row.expected) ?? -1)))
    let again = try TimeExpression.read(expression.canonical, in: context)
    #expect(again.reading == expression.reading)
  }

  @Test(
    "Each timestamp reads as its row says", arguments: TimeCase.all.filter { $0.kind == "timestamp" }
  )
  func timestamps(row: TimeCase) throws {
    let context = try Self.context(row)
    guard row.expected != "error" else {
      if row.auto == "-" {
        #expect(throws: ExpressionError.self) { try TimeExpression.read(row.text, in: context) }
      }
      #expect(throws: ExpressionError.self) { try TimeExpression.read(row.text, in: context, as: .timestamp) }
      return
    }
    let expression = try TimeExpression.read(row.text, in: context, as: .timestamp)
    #expect(expression.moment?.microseconds == Int64(row.expected))
    #expect(expression.kind == .timestamp)
    let again = try TimeExpression.read(expression.canonical, in: context)
    #expect(again.reading == expression.reading)
    #expect(again.moment == expression.moment)
    let moment = try #require(expression.moment)
    if moment > context.now {
      #expect(try expression.instant(in: context) == moment)
    } else {
      #expect(throws: ExpressionError.inThePast(moment)) { try expression.instant(in: context) }
    }
  }

  @Test(
    "Each calendar event reads as its row says",
    arguments: TimeCase.all.filter { $0.kind == "calendar" })
  func calendarEvents(row: TimeCase) throws {
    let context = try Self.context(row)
    guard row.expected != "error" else {
      #expect(throws: ExpressionError.self) { try TimeExpression.read(row.text, in: context, as: .calendar) }
      return
    }
    let expression = try TimeExpression.read(row.text, in: context, as: .calendar)
    guard case .recurring(.event(let event)) = expression.reading else {
      Issue.record("read as \(expression.reading)")
      return
    }
    #expect(row.note.hasPrefix("normalized=\(event)"))
    let zone = try event.zoneName.map { try Zone.named($0) } ?? context.zone
    var elapses: [String] = []
    var base = context.now
    while elapses.count < 5, let next = event.next(after: base, in: zone) {
      elapses.append(String(next.microseconds))
      base = next
    }
    #expect(elapses.isEmpty ? row.expected == "never" : elapses.joined(separator: ",") == row.expected)
    #expect(
      try TimeExpression.read(expression.canonical, in: context, as: .calendar).reading == expression.reading)
  }

  @Test(
    "Without a flag, each row has the class in its last column",
    arguments: TimeCase.all.filter { $0.auto != "-" })
  func classes(row: TimeCase) throws {
    let context = try Self.context(row)
    switch row.auto {
    case "timespan": #expect(try TimeExpression.read(row.text, in: context).kind == .span)
    case "calendar": #expect(try TimeExpression.read(row.text, in: context).kind == .calendar)
    case "timestamp":
      // An impossible date never elapses as a calendar event, and is refused as a timestamp.
      if row.text == "2027-02-29" {
        #expect(throws: ExpressionError.unreadable(offset: 8, reason: .noSuchDate, readings: [])) {
          try TimeExpression.read(row.text, in: context)
        }
      } else {
        #expect(try TimeExpression.read(row.text, in: context).kind == .timestamp)
      }
    default:
      #expect(row.auto == "error")
      #expect(throws: ExpressionError.self) { try TimeExpression.read(row.text, in: context) }
    }
  }

  private static func context(_ row: TimeCase) throws -> ReadingContext {
    try ReadingContext(now: instant(row.base), zone: Zone.named(row.zone == "-" ? "UTC" : row.zone))
  }

  /// `2027-01-15T09:00:00+01:00`, read independently of the code under test; `-` gives the epoch.
  private static func instant(_ text: String) -> Instant {
    let numbers = text.split { !$0.isNumber }.compactMap { Int32($0) }
    guard numbers.count == 8 else { return Instant(microseconds: 0) }
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    let offset = Int(numbers[6] * 3_600 + numbers[7] * 60) * (text.contains("+") ? 1 : -1)
    return Instant(microseconds: Int64(timegm(&parts) - offset) * 1_000_000)
  }
}
