import EggTestSupport
import EggTime
import Testing

/// Runs Tests/Fixtures/sentences.tsv: what people type, paste and mistype, and its meaning.
@Suite struct SentenceTests {
  @Test("The table contains every kind of sentence")
  func countsRows() {
    #expect(SentenceCase.all.filter { $0.language == "en" }.count >= 400)
    #expect(SentenceCase.all.filter { $0.language == "ko" }.count >= 150)
    #expect(SentenceCase.all.filter { $0.language == "pasted" }.count >= 65)
    #expect(SentenceCase.all.filter { $0.language == "wrong" }.count >= 105)
  }

  @Test("A sentence is read as meant, or refused with its possible meanings", arguments: SentenceCase.all)
  func meanings(row: SentenceCase) throws {
    for (zone, meaning) in zip(SentenceCase.zones, row.meanings) {
      let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named(zone))
      do throws(ExpressionError) {
        let expression = try TimeExpression.read(row.text, in: context)
        _ = try expression.instant(in: context)
        let moments = try expression.moments(in: context, count: meaning.split(separator: ",").count)
        let read = moments.map { Self.text($0, in: context.zone) }.joined(separator: ",")
        #expect(read == meaning, "in \(zone)")
        if let hint = row.hint {
          #expect(expression.hint.map { "\($0)" }?.contains(hint) ?? false, "in \(zone)")
        }
        let again = try TimeExpression.read(
          expression.canonical, in: context, as: expression.kind == .calendar ? .calendar : nil)
        #expect(again.reading == expression.reading, "\(expression.canonical) in \(zone)")
      } catch {
        #expect(meaning == "refused", "\(error) in \(zone)")
        guard case .unreadable(_, let reason, let readings) = error, row.language == "wrong" else { continue }
        for text in row.offered {
          #expect(readings.contains { $0.contains(text) }, "\(text) is not in \(readings): \(reason)")
        }
        for reading in readings { _ = try TimeExpression.read(reading, in: context) }
      }
    }
  }

  @Test(
    "An interval counts from its start, even one in the past",
    arguments: [
      ("every 20m", nil, "2026-11-24 13:40:30", "2026-11-24 14:00:30"),
      ("every 20m", "2026-11-24 13:00", "2026-11-24 13:40:00", "2026-11-24 14:00:00"),
      ("every 20m", "2026-12-01 09:00", "2026-12-01 09:00:00", "2026-12-01 09:20:00"),
      ("every 3 days at 08:00", "2026-11-02", "2026-11-26 08:00:00", "2026-11-29 08:00:00"),
      ("every 3 days", "2026-11-02", "2026-11-26 00:00:00", "2026-11-29 00:00:00"),
      ("every other tuesday 9:00", "2026-11-17", "2026-12-01 09:00:00", "2026-12-15 09:00:00"),
      ("every other tuesday 9:00", "2027-01-04", "2027-01-05 09:00:00", "2027-01-19 09:00:00"),
      ("every 2 months on the 31st 9:00", "2026-12-01", "2026-12-31 09:00:00", "2027-08-31 09:00:00"),
      ("every monday 9:00", "2027-01-04", "2027-01-04 09:00:00", "2027-01-11 09:00:00"),
    ] as [(String, String?, String, String)])
  func beginnings(text: String, from: String?, first: String, second: String) throws {
    var context = try ReadingContext(now: SentenceCase.now, zone: Zone.named("Europe/Paris"))
    context.from = try from.map { try TimeExpression.read($0, in: context, as: .timestamp).moment } ?? nil
    let moments = try TimeExpression.read(text, in: context).moments(in: context, count: 2)
    #expect(moments.map { "\(context.zone.civil(at: $0))" } == [first, second])
  }

  @Test("The zone of a recurring time is that of its beginning and its end too")
  func zonedBounds() throws {
    let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named("Europe/Paris"))
    let text = "every day 9am from 2026-12-07 until 2026-12-08 Asia/Seoul"
    let expression = try TimeExpression.read(text, in: context)
    let moments = try expression.moments(in: context, count: 3)
    #expect(moments.map { "\(Zone.utc.civil(at: $0))" } == ["2026-12-07 00:00:00", "2026-12-08 00:00:00"])
    #expect(expression.zoneName == "Asia/Seoul")
    #expect(expression.from.map { "\(Zone.utc.civil(at: $0))" } == "2026-12-06 15:00:00")
  }

  @Test("The next holiday is never today", arguments: ["next christmas 18:00", "다음 크리스마스 18:00"])
  func nextHoliday(text: String) throws {
    let zone = try Zone.named("Europe/Paris")
    let christmas = CivilDateTime(year: 2026, month: 12, day: 25, hour: 9)
    let context = ReadingContext(now: zone.resolve(christmas).instant, zone: zone)
    let moments = try TimeExpression.read(text, in: context).moments(in: context, count: 1)
    #expect(moments.map { "\(zone.civil(at: $0))" } == ["2027-12-25 18:00:00"])
  }

  @Test("Words may have letters beyond ASCII, in any case")
  func foreignLetters() throws {
    let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named("Asia/Seoul"))
    #expect(try TimeExpression.read("10µs", in: context).reading == .span(TimeSpan(microseconds: 10)))
    #expect(try TimeExpression.read("every 10 MIN", in: context).kind == .calendar)
  }

  @Test(
    "A refused sentence is not read in part on a command line",
    arguments: SentenceCase.all.filter { $0.language == "wrong" })
  func refusedWhole(row: SentenceCase) throws {
    for zone in SentenceCase.zones {
      let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named(zone))
      let words = row.text.split(separator: " ").map(String.init)
      guard let found = TypedWords(words, as: nil, in: context), let label = found.label else { continue }
      let isPast = found.time.moment.map { $0 <= context.now } ?? false
      // `Date: Fri, 24 Dec 2027 18:00:00 +0900`
      let isBefore = ["", ":"].contains { row.text == label + $0 + " " + found.time.text }
      #expect(found.suspect != nil || isPast || isBefore, "\(found.time.text) | \(label) in \(zone)")
    }
  }

  @Test(
    "No number is too large for the reader",
    arguments: [
      "now + 153722867280 min 59", "every 153722867280 min 59", "9223372036854775807년마다",
      "800000000000000000년마다 9시", "every 9223372036854775807 years", "every 9223372036854775807 weeks on mon",
      "9223372036854775807 weeks", "9223372036854775807 weeks 9223372036854775807 days",
      "in 9223372036854775807 months", "now + 999999999999 years", "9223372036854775807 fridays from now",
      "99999999999999999999th of march", "every 99999999999 days", "9223372036854775807h30",
      "1시간 9223372036854775807분",
      "9223372036854775807일 뒤", "friday + 9223372036854775807 weeks", "153722867280 min 59",
      "next month 9223372036854775807th monday",
    ])
  func largeNumbers(text: String) throws {
    let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named("Asia/Seoul"))
    #expect(throws: ExpressionError.self) { try TimeExpression.read(text, in: context).instant(in: context) }
  }

  @Test(
    "A sentence of dates is read once, not once for each date that looks ahead", .timeLimit(.minutes(1)),
    arguments: ["1.1", "24.12", "1. 1."])
  func manyDates(date: String) throws {
    let context = try ReadingContext(now: SentenceCase.now, zone: Zone.named("Asia/Seoul"))
    let text = Array(repeating: date, count: 200 / (date.utf8.count + 1)).joined(separator: " ")
    #expect(throws: ExpressionError.self) { try TimeExpression.read(text, in: context).instant(in: context) }
  }

  /// `2026-11-25T07:30:00+01:00`
  private static func text(_ instant: Instant, in zone: Zone) -> String {
    let civil = zone.civil(at: instant)
    let offset = zone.period(at: instant).offset
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let sign = offset < 0 ? "-" : "+"
    let clock = "\(two(abs(offset) / 3_600)):\(two(abs(offset) / 60 % 60))"
    return "\(civil)".prefix(19).split(separator: " ").joined(separator: "T") + sign + clock
  }
}
