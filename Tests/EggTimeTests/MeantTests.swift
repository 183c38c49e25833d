import EggTestSupport
import EggTime
import Testing

/// Runs two tables that were written without a look at the reader: texts with their meanings, and titles.
@Suite struct MeantTests {
  @Test("No text is another moment than the person means", arguments: MeantCase.all)
  func noOtherMoment(row: MeantCase) throws {
    for zone in MeantCase.zones {
      let context = try MeantCase.context(in: zone)
      guard let found = FoundWords(row.words, in: context) else { continue }
      let moment = (try? found.time.instant(in: context)) ?? context.now
      let read = row.meaning.hasSuffix("Z") ? Self.universal(moment) : found.text
      #expect(read == row.meaning, "in \(zone)")
      #expect(found.label == row.label, "in \(zone)")
    }
  }

  @Test("Of the texts with one reading at most 8 in 100 are refused", arguments: MeantCase.zones)
  func refused(zone: String) throws {
    let context = try MeantCase.context(in: zone)
    let rows = MeantCase.all.filter(\.hasOneReading)
    let refused = rows.filter { FoundWords($0.words, in: context) == nil }
    #expect(refused.count * 100 <= rows.count * 8, "\(refused)")
    #expect(rows.count >= 240)
  }

  @Test("A text with one reading has no hint of another", arguments: MeantCase.all.filter(\.hasOneReading))
  func noOtherReading(row: MeantCase) throws {
    let context = try MeantCase.context(in: "Europe/Paris")
    switch FoundWords(row.words, in: context)?.time.hint {
    // `9:00` and `next wednesday` have two readings wherever they stand; the other three hints name no other moment.
    case nil, .afternoon, .weekAfter, .calendarUnits, .denseEvent, .usualTime: break
    case let hint?: Issue.record("\(hint)")
    }
  }

  @Test(
    "A title behind a time is its label",
    arguments: [
      "en": ["10m", "5pm", "tomorrow", "dec 24 18:00", "every day 9am"],
      "ko": ["10분 뒤", "오후 5시", "내일", "12월 24일 18시", "매일 오전 9시"],
    ])
  func titles(language: String, times: [String]) throws {
    let context = try MeantCase.context(in: "Asia/Seoul")
    let titles = MeantCase.titles.filter { $0.language == language }.map(\.title)
    #expect(titles.count >= 190)
    for time in times {
      let alone = try #require(FoundWords(TypedCase.words(time), in: context))
      var refused: [String] = []
      for title in titles {
        guard
          let found = FoundWords(
            TypedCase.words(time) + title.split(separator: " ").map(String.init), in: context)
        else {
          refused.append(title)
          continue
        }
        // `오후 5시 30분` goes on with minutes.
        let isMinutes = title.hasPrefix("30분") && time.hasSuffix("시")
        #expect(found.text == alone.text && found.label == title || isMinutes, "\(time) \(title)")
      }
      #expect(refused.count * 100 <= titles.count * 5, "\(time): \(refused)")
    }
  }

  @Test(
    "A time of day within a title is never lost",
    arguments: [
      ("en", "tomorrow", "at 5pm with joe"), ("en", "friday", "at 5pm about lunch"),
      ("en", "every monday", "at 5pm with joe"),
      ("en", "friday", "for 5pm with joe"),
      ("ko", "내일", "오후 5시에 같이"),
    ])
  func timesWithinTitles(language: String, day: String, rest: String) throws {
    let context = try MeantCase.context(in: "Asia/Seoul")
    for (own, title) in MeantCase.titles where own == language {
      let words = TypedCase.words("\(day) \(title) \(rest)")
      #expect(FoundWords(words, in: context)?.text.hasSuffix("17:00") ?? true, "\(words)")
    }
  }

  @Test("A title without a number names a time at its start or its end alone")
  func titlesWithoutTimes() throws {
    let context = try MeantCase.context(in: "Asia/Seoul")
    for (_, title) in MeantCase.titles where !title.contains(where: \.isNumber) {
      guard let time = FoundWords(TypedCase.words(title), in: context)?.time.text else { continue }
      #expect(title.hasPrefix(time) || title.hasSuffix(time), "\(title)")
    }
  }

  /// `2026-12-24T17:00:00Z`
  private static func universal(_ instant: Instant) -> String {
    "\(Zone.utc.civil(at: instant))".prefix(19).split(separator: " ").joined(separator: "T") + "Z"
  }
}
