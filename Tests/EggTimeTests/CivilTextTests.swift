import EggTime
import Testing

@Suite struct CivilTextTests {
  private static let today = CivilDateTime(year: 2026, month: 11, day: 21)

  @Test(
    "A date alone is read in every form of expressions, even before 1970",
    arguments: [
      ("1946-05-05", "1946-05-05"), ("2024. 02. 29.", "2024-02-29"), ("5 May 1946", "1946-05-05"),
      ("May 5, 1946", "1946-05-05"), ("1946/5/5", "1946-05-05"), ("5/6/1946", "1946-05-06"),
      ("5.6.1946", "1946-06-05"), ("24-2-29", "2024-02-29"), ("Sun 1946-05-05", "1946-05-05"),
      ("today", "2026-11-21"), ("yesterday", "2026-11-20"), ("0001-01-01", "0001-01-01"),
    ])
  func date(text: String, date: String) throws {
    #expect(try CivilText.date(text, today: Self.today) == CivilDate(date))
  }

  @Test(
    "A text with a time of day or a zone, or without a year, is not a date",
    arguments: ["2024-02-29 09:00", "2024-02-29 UTC", "5 May", "friday", "09:00", "now", "@0", "next month"])
  func noDate(text: String) throws {
    #expect(try CivilText.date(text, today: Self.today) == nil)
  }

  @Test("A date that does not exist is refused with its offset")
  func refusedDate() {
    #expect(throws: ExpressionError.unreadable(offset: 8, reason: .noSuchDate, readings: [])) {
      try CivilText.date("2023-02-29", today: Self.today)
    }
    #expect(throws: ExpressionError.unreadable(offset: 0, reason: .unexpected, readings: [])) {
      try CivilText.date("Mina", today: Self.today)
    }
  }

  @Test("An expression cannot name a year before 1970")
  func epoch() {
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    #expect(throws: ExpressionError.unreadable(offset: 0, reason: .outOfBounds, readings: [])) {
      try TimeExpression.read("1969-12-31", in: context)
    }
  }

  @Test(
    "A time of day alone is read in every form of expressions",
    arguments: [
      ("09:00", "09:00:00"), ("9:30 pm", "21:30:00"), ("7am", "07:00:00"), ("noon", "12:00:00"),
      ("00:00:01", "00:00:01"),
    ])
  func timeOfDay(text: String, time: String) throws {
    #expect(try CivilText.timeOfDay(text) == CivilDateTime("1970-01-01 " + time))
  }

  @Test(
    "A text with a date or a zone is not a time of day",
    arguments: ["tomorrow 09:00", "09:00 UTC", "friday", "5min ago", "09:00:00.5"])
  func noTimeOfDay(text: String) throws {
    #expect(try CivilText.timeOfDay(text) == nil)
  }
}
