import EggTime
import Testing

@Suite("Sentences where one kind makes sense") struct SentencesOfAKindTests {
  private static func context() throws -> ReadingContext {
    try ReadingContext(now: Instant(microseconds: 1_800_000_000_000_000), zone: Zone.named("Asia/Seoul"))
  }

  @Test(
    "Where a span is wanted, it may be said in words",
    arguments: [
      ("90", 90), ("10m", 600), ("half an hour", 1_800), ("an hour and a half", 5_400), ("10분", 600),
      ("반시간", 1_800), ("한 시간 반", 5_400), ("in 10 minutes", 600), ("a month", 2_629_800),
    ] as [(String, Int64)])
  func spans(text: String, seconds: Int64) throws {
    let context = try Self.context()
    #expect(try TimeExpression.read(text, in: context, as: .span).reading == .span(.seconds(seconds)))
    #expect(try TimeExpression.span(text, in: context) == .seconds(seconds))
  }

  @Test("A span is never in the past", arguments: ["5 days ago", "2 months 5 days ago", "두 달 전"])
  func past(text: String) throws {
    #expect(throws: ExpressionError.unreadable(offset: 0, reason: .spanWanted, readings: [])) {
      try TimeExpression.read(text, in: Self.context(), as: .span)
    }
  }

  @Test("Only --in refuses counts in English words, as systemd does")
  func countsInWords() throws {
    let context = try Self.context()
    #expect(throws: ExpressionError.self) { try TimeExpression.read("ten minutes", in: context, as: .span) }
    #expect(try TimeExpression.span("ten minutes", in: context) == .seconds(600))
    #expect(throws: ExpressionError.unreadable(offset: 0, reason: .spanWanted, readings: [])) {
      try TimeExpression.span("tomorrow 07:30", in: context)
    }
  }

  @Test(
    "Where a moment is wanted, a sentence means what it means alone",
    arguments: [
      "내일 아침 7시", "다음 주 월요일 9시", "friday next week 9am", "in 3 days at 5pm", "the 15th at 9am",
      "half past six pm", "today 18:00", "next month", "tomorrow 0730", "in 2 weeks", "2주 뒤",
      "an hour from now",
    ])
  func moments(text: String) throws {
    let context = try Self.context()
    let expression = try TimeExpression.read(text, in: context, as: .timestamp)
    #expect(expression.reading == (try TimeExpression.read(text, in: context).reading))
    #expect(expression.kind == .timestamp)
  }

  @Test(
    "Where a recurring time is wanted, a sentence needs no 'every'",
    arguments: [
      ("weekdays at 7am", "weekdays at 7am"), ("매주 화요일 오후 9시", "매주 화요일 오후 9시"),
      ("monday 9am", "every monday 9am"), ("20m", "every 20m"),
      ("day at 8am and 8pm", "every day at 8am and 8pm"),
      ("every other tuesday 9:00", "every other tuesday 9:00"),
      ("2 weeks on friday 9:00", "every 2 weeks on friday 9:00"),
    ])
  func recurrences(text: String, alone: String) throws {
    let context = try Self.context()
    let expression = try TimeExpression.read(text, in: context, as: .calendar)
    #expect(expression.reading == (try TimeExpression.read(alone, in: context).reading))
  }

  @Test(
    "systemd's meaning comes first",
    arguments: [("07:30", "*-*-* 07:30:00"), ("friday", "Fri *-*-* 00:00:00")])
  func systemd(text: String, event: String) throws {
    #expect(try TimeExpression.read(text, in: Self.context(), as: .calendar).canonical == event)
  }
}
