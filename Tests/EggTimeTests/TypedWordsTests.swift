import EggTestSupport
import EggTime
import Testing

/// Runs Tests/Fixtures/typed.tsv, and the rules that hold for any words.
@Suite struct TypedWordsTests {
  @Test(
    "The words of a command line are read as meant, or refused with their meanings", arguments: TypedCase.all)
  func meanings(row: TypedCase) throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    let found = FoundWords(row.words, in: context)
    #expect(found?.text ?? "refused" == row.meaning)
    if let found {
      #expect(found.label == row.label)
      #expect(row.hint == nil || found.time.hint.map { "\($0)".contains(row.hint ?? "") } ?? false)
      return
    }
    do throws(ExpressionError) {
      let words = TypedWords.arranged(row.words, as: nil, in: context).words
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
    let days = ["", "tomorrow ", "dec 24 ", "다음 주 월요일 "]
    for start in starts {
      for mark in ["-", " - ", "~", " ~ ", " to ", "–", " – ", "부터 ", " until ", "에서 "] {
        for end in ends {
          for day in days {
            for text in [day + start + mark + end, "\(start)\(mark)\(end) \(day)"] {
              let words = text.split(separator: " ").map(String.init)
              if let found = FoundWords(words, in: context) {
                #expect(found.time.kind == .calendar, "\(text) is \(found.text), \(found.label ?? "")")
              }
            }
          }
        }
      }
    }
  }

  @Test("A day behind a word for the first or the last of a recurring time is in no label")
  func bounds() throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    let days = ["friday", "dec 20", "december 20", "the 20th", "next month", "christmas", "end of january"]
    let times = ["every day 9am", "weekdays at 9am", "every 4 hours", "mondays 9:00", "daily at 8am and 8pm"]
    let ends = [
      "until", "till", "til", "through", "thru", "up to", "up until", "no later than", "ending", "ending on",
      "ends",
    ]
    let starts = ["from", "starting", "beginning", "as of", "starting on"]
    var read = 0
    for time in times {
      for word in ends + starts {
        for day in days {
          let words = "\(time) \(word) \(day)".split(separator: " ").map(String.init)
          guard let found = FoundWords(words, in: context) else { continue }
          read += 1
          #expect(found.label == nil, "\(time) \(word) \(day)")
          #expect((ends.contains(word) ? found.time.until : found.time.from) != nil, "\(time) \(word) \(day)")
        }
      }
    }
    #expect(read >= 470)
  }

  @Test("A time, a label and how long from now are never one moment")
  func spanFromNow() throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    for time in ["sunday", "tomorrow 9am", "10m", "every monday 9am", "dec 24", "내일 9시", "매일 오전 9시"] {
      for label in ["roast", "two eggs", "회의", "치과 예약"] {
        for span in [
          "in 40 min", "in an hour", "within 2 hours", "in 1h30", "40 minutes later", "40분 뒤", "한 시간 후에",
        ] {
          let words = "\(time) \(label) \(span)".split(separator: " ").map(String.init)
          #expect(FoundWords(words, in: context) == nil, "\(time) \(label) \(span)")
        }
      }
    }
  }

  @Test("No word can be left out unnoticed", arguments: TypedCase.all.filter { $0.meaning != "refused" })
  func deletion(row: TypedCase) throws {
    // They only join, ask for an alarm, or say what is so without them.
    let fillers: Set = [
      "at", "on", "the", "in", "to", "a", "an", "up", "of", "alarm", "timer", "reminder", "알려줘", "깨워줘", "알람",
      "타이머",
      "around", "about", "time", "set", "me", "for", "from", "오전", "아침", "뒤", "뒤에", "오늘", "주", "정각", "this",
      "coming",
      "within", "couple", "and", "-", "–", "있다가",
    ]
    // Beside `every` days need no unit, and beside days no `every`.
    let others: Set = ["day", "every", "매주"]
    // `1900 tomorrow`, `시간마다` and `a 10-minute timer` say the same.
    let needless = ["1900 hours tomorrow": "hours", "한 시간마다": "한", "start a 10-minute timer": "start"]
    // Wednesday afternoon, Monday morning and evening, a Sunday late in the month, the new year.
    let bases = [1_796_188_800, 1_796_612_400, 1_796_673_600, 1_797_771_600, 1_798_930_800].map {
      Instant(microseconds: $0 * 1_000_000)
    }
    let words = row.words
    for place in words.indices where words.count > 1 && !fillers.union(others).contains(words[place]) {
      guard needless[row.text] != words[place] else { continue }
      var fewer = words
      fewer.remove(at: place)
      let isNoticed = try bases.contains { base in
        let dayAt = TimeOfDay(hour: 8, minute: 43)
        let context = try ReadingContext(now: base, zone: Zone.named("Europe/Paris"), dayAt: dayAt)
        let (whole, part) = (FoundWords(words, in: context), FoundWords(fewer, in: context))
        return whole?.text != part?.text || whole?.label != part?.label
          || whole?.time.until != part?.time.until || whole?.time.count != part?.time.count
      }
      #expect(isNoticed, "'\(words[place])' says nothing")
    }
  }

  @Test("Whether words are read does not depend on the day, but for what is past", arguments: TypedCase.all)
  func sweep(row: TypedCase) throws {
    let zone = try Zone.named(TypedCase.zone)
    // Every 29th day of two years, at the same time of day.
    let days = stride(from: 0, to: 730, by: 29).map { TypedCase.now + .seconds(Int64($0) * 86_400) }
    var read: [Bool] = []
    for day in days {
      let context = ReadingContext(now: day, zone: zone)
      guard let found = TypedWords(row.words, as: nil, in: context), found.suspect == nil else {
        read.append(false)
        continue
      }
      do throws(ExpressionError) {
        _ = try found.time.instant(in: context)
        read.append(true)
      } catch { /* past */  }
    }
    let isFixed = row.text.contains("2026") || row.text.contains("2027") || row.text.contains("until")
    #expect(Set(read).count <= 1 || isFixed)
  }

  @Test("Two joined syllables are a word of time only where both say one together")
  func concatenation() throws {
    let context = try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
    // Every syllable that alone is a word of time, and common ones that are not.
    let syllables = "한두세네열이삼사오육칠팔구십백천첫반초분일날주달월년해시화수목금토낼밤낮매뒤후전말번과와에의간쯤경집물책약차꽃밥옷"
      .map { String($0) }
    // A number and what it counts, days of the week with each other and parts of the day, and what may stand behind.
    let joined = [
      "[한두세네열이삼사오육칠팔구십백천일][초분일날주달월년해시번]", "일[십백천]", "반[초분일날주달년해]", "[월화수목금토일낼][월화수목금토일낼밤낮]", "[밤낮][밤낮쯤경]",
      "반[쯤경에의]", "[뒤후전밤낮쯤경]에",
    ]
    let isTime = try joined.map { try Regex($0) }
    for first in syllables {
      for second in syllables {
        let word = first + second
        let found = TypedWords(["오후", "5시", word], as: nil, in: context)
        guard found?.label == nil || found?.suspect != nil else { continue }
        #expect(
          try isTime.contains { try $0.wholeMatch(in: word) != nil } || Self.words.contains(word),
          "\(word)")
      }
    }
  }

  /// Words of the tables with two syllables that the syllables above make.
  private static let words: Set = [
    "오전", "오후", "열한", "열두", "사이", "이후", "이전", "주일", "주말", "월말", "말일", "시간", "금일", "금주", "금월", "금년", "차주",
    "매일", "매주", "매달", "매월",
    "매년", "매해", "매시", "매분", "열세", "열네", "한낮", "전날", "후년", "차월", "한두", "두세",
  ]
}
