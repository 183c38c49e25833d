import EggTestSupport
import EggTime
import Testing

/// Runs Tests/Fixtures/typed.tsv, and the rules that hold for any words.
@Suite struct TypedWordsTests {
  @Test(
    "The words of a command line are read as meant, or refused with their meanings", arguments: TypedCase.all)
  func meanings(row: TypedCase) throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    let found = Self.found(row.words, in: context)
    #expect(found?.text ?? "refused" == row.meaning)
    if let found {
      #expect(found.label == row.label)
      #expect(row.hint == nil || found.time.hint.map { "\($0)".contains(row.hint ?? "") } ?? false)
      return
    }
    do throws(ExpressionError) {
      let words = TypedWords.arranged(row.words, as: nil, in: context)
      _ = try TimeExpression.read(TypedWords.spaced(words[...]), in: context)
      Issue.record("the whole is read")
    } catch {
      #expect(error.readings == row.offered)
      for reading in error.readings { _ = try TimeExpression.read(reading, in: context) }
    }
  }

  @Test("Two times of day with a range between them are never one moment")
  func twoClocks() throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    let starts = ["9", "10", "9am", "9:00", "14:00", "0900", "noon", "9시", "오후 2시", "9.30", "ten"]
    let ends = ["11", "11am", "10:00", "16:00", "1000", "midnight", "4시", "오후 4시", "10.30", "1030pm"]
    let days = ["", "tomorrow ", "friday ", "dec 24 ", "내일 ", "다음 주 월요일 "]
    for start in starts {
      for mark in ["-", " - ", "~", " ~ ", " to ", "–", " – ", "부터 ", " until "] {
        for end in ends {
          for day in days {
            for text in [day + start + mark + end, "\(start)\(mark)\(end) \(day)"] {
              let words = text.split(separator: " ").map(String.init)
              if let found = Self.found(words, in: context) {
                #expect(found.time.kind == .calendar, "\(text) is \(found.text), \(found.label ?? "")")
              }
            }
          }
        }
      }
    }
  }

  @Test("No word can be left out unnoticed", arguments: TypedCase.all.filter { $0.meaning != "refused" })
  func deletion(row: TypedCase) throws {
    // They only join, or ask for an alarm.
    let fillers: Set = [
      "at", "on", "the", "in", "to", "a", "an", "up", "alarm", "timer", "알려줘", "깨워줘", "오전", "아침", "뒤",
    ]
    // Beside `every` days need no unit, and beside days no `every`.
    let others: Set = ["day", "every"]
    // Wednesday afternoon, Monday morning and evening, a Sunday late in the month, the new year.
    let bases = [1_796_188_800, 1_796_612_400, 1_796_673_600, 1_797_771_600, 1_798_930_800].map {
      Instant(microseconds: $0 * 1_000_000)
    }
    let words = row.words
    for place in words.indices where words.count > 1 && !fillers.union(others).contains(words[place]) {
      var fewer = words
      fewer.remove(at: place)
      let isNoticed = try bases.contains { base in
        let context = try ReadingContext(now: base, zone: Zone.named("Europe/Paris"))
        let (whole, part) = (Self.found(words, in: context), Self.found(fewer, in: context))
        return whole?.text != part?.text || whole?.label != part?.label
      }
      #expect(isNoticed, "'\(words[place])' says nothing")
    }
  }

  private static func found(
    _ typed: [String], in context: ReadingContext
  ) -> (time: TimeExpression, text: String, label: String?)? {
    let words = TypedWords.arranged(typed, as: nil, in: context)
    guard let found = TypedWords(words, as: nil, in: context), found.suspect == nil,
      found.rest.isEmpty || found.isOneLabel, (try? found.time.instant(in: context)) != nil
    else { return nil }
    let moments = (try? found.time.moments(in: context, count: 3)) ?? []
    return (
      found.time, moments.map { "\(context.zone.civil(at: $0))".prefix(16) }.joined(separator: ", "),
      found.rest.isEmpty ? nil : TypedWords.spaced(found.rest[...])
    )
  }
}
