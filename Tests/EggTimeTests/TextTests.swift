import EggTime
import Testing

@Suite struct TextTests {
  @Test(
    "The time left shows its two largest units, rounded up to the second",
    arguments: [
      (390_000_000, "6 min 30 s"), (389_999_999, "6 min 30 s"), (389_000_001, "6 min 30 s"),
      (389_000_000, "6 min 29 s"), (35_730_000_000, "9 h 55 min"), (5_000_000, "5 s"), (4_200_000, "5 s"),
      (1, "1 s"),
      (0, "0 s"), (-5, "0 s"), (60_000_000, "1 min"), (3_600_000_000, "1 h"), (3_630_000_000, "1 h"),
      (35_999_999_999, "10 h"), (86_400_000_000, "1 d"), (190_800_000_000, "2 d 5 h"),
      (34_559_999_000_000, "399 d 23 h"), (Int64.max, "106751991 d 4 h"),
    ])
  func left(microseconds: Int64, text: String) {
    #expect(SpanText.left(TimeSpan(microseconds: microseconds), in: .english) == text)
  }

  @Test(
    "The text of the time left lasts exactly as long as announced",
    arguments: [
      1, 999_999, 1_000_000, 1_000_001, 59_500_000, 60_000_000, 390_000_000, 3_599_999_999, 3_600_000_000,
      3_600_000_001, 35_730_000_000, 86_399_000_001, 86_400_000_000, 86_400_000_001, 190_800_000_000,
      Int64.max,
    ])
  func leftLasts(microseconds: Int64) throws {
    let span = TimeSpan(microseconds: microseconds)
    let lasts = try #require(SpanText.leftLasts(span))
    #expect(lasts > .zero)
    #expect(
      SpanText.left(span - (lasts - TimeSpan(microseconds: 1)), in: .english)
        == SpanText.left(span, in: .english))
    #expect(SpanText.left(span - lasts, in: .english) != SpanText.left(span, in: .english))
  }

  @Test("An elapsed time shows the same text forever", arguments: [0, -1, Int64.min])
  func leftLastsForEver(microseconds: Int64) {
    #expect(SpanText.leftLasts(TimeSpan(microseconds: microseconds)) == nil)
  }

  @Test(
    "The canonical text of a span reads back as the same span",
    arguments: [
      (390_000_000, "6min 30s"), (0, "0s"), (1, "1us"), (1_500_000, "1s 500ms"),
      (93_784_005_006, "1d 2h 3min 4s 5ms 6us"),
      (604_800_000_000, "1w"), (2_629_800_000_000, "30d 10h 30min"), (31_557_600_000_000, "365d 6h"),
      (3_599_999_999, "59min 59s 999ms 999us"),
    ])
  func canonical(microseconds: Int64, text: String) throws {
    let span = TimeSpan(microseconds: microseconds)
    #expect(SpanText.canonical(span) == text)
    let context = ReadingContext(now: Instant(microseconds: 0), zone: .utc)
    #expect(try TimeExpression.read(text, in: context).reading == .span(span))
  }

  @Test("A moment is shown in its zone, truncated to the second, and reads back")
  func display() throws {
    let zone = try Zone.named("Europe/Budapest")
    let instant = Instant(microseconds: 1_829_667_600_999_999)
    #expect(MomentFormat.dotted.text(instant, in: zone) == "2027. 12. 24. 18:00:00")
    let context = ReadingContext(now: Instant(microseconds: 0), zone: zone)
    let read = try TimeExpression.read("2027. 12. 24. 18:00:00", in: context)
    #expect(read.moment?.microseconds == 1_829_667_600_000_000)
  }

  @Test("Every 64-bit moment has a text", arguments: [Int64.min, .max])
  func extremes(microseconds: Int64) throws {
    let instant = Instant(microseconds: microseconds)
    #expect(MomentFormat.dotted.text(instant, in: .utc).hasSuffix(microseconds < 0 ? "19:59:05" : "04:00:54"))
    #expect(Zone.utc.civil(at: instant).microsecond == (microseconds < 0 ? 224_192 : 775_807))
  }
}
