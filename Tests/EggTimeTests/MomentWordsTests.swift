import EggTestSupport
import Testing

@testable import EggTime

@Suite struct MomentWordsTests {
  private static let context = ReadingContext(
    now: Instant(microseconds: 1_795_210_470_000_000), zone: .utc)

  /// `15min | holidays | - | tomorrow 14:30`
  private static func read(_ words: [String], isTimeOptional: Bool = false) -> String {
    let said = MomentWords(words, as: nil, in: context, isTimeOptional: isTimeOptional)
    let parts = [said.leads.map(\.description), said.except, said.onlyOn].map { $0.joined(separator: "+") }
    return (parts + [said.rest.joined(separator: "_")]).map { $0.isEmpty ? "-" : $0 }.joined(separator: " | ")
  }

  private static func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  @Test(
    "A sentence says rings before and days off beside its time",
    arguments: [
      ("tomorrow 14:30 meeting 15 minutes before", "15min | - | - | tomorrow_14:30_meeting"),
      ("tomorrow 14:30 meeting, 15m before", "15min | - | - | tomorrow_14:30_meeting"),
      ("meeting 14:30 remind me 15 minutes before", "15min | - | - | meeting_14:30"),
      ("tomorrow 14:30 meeting, and remind me 15 minutes before", "15min | - | - | tomorrow_14:30_meeting"),
      ("tomorrow 14:30 a day before", "1d | - | - | tomorrow_14:30"),
      ("tomorrow 14:30 meeting an hour and a half early", "1h 30min | - | - | tomorrow_14:30_meeting"),
      ("tomorrow 14:30 meeting 1 week in advance", "7d | - | - | tomorrow_14:30_meeting"),
      ("tomorrow 14:30 1 day before and 15 minutes before", "15min+1d | - | - | tomorrow_14:30"),
      ("weekdays 7:00 except holidays", "- | holidays | - | weekdays_7:00"),
      ("weekdays 7:00 except for the holidays", "- | holidays | - | weekdays_7:00"),
      ("weekdays 7:00 excluding holidays", "- | holidays | - | weekdays_7:00"),
      ("weekdays 7:00 (except holidays)", "- | holidays | - | weekdays_7:00"),
      ("tomorrow 14:30 meeting (big) 15 minutes before", "15min | - | - | tomorrow_14:30_meeting_(big)"),
      ("tomorrow 14:30 meeting (15 minutes before)", "15min | - | - | tomorrow_14:30_meeting"),
      ("weekdays 7:00 except holidays and trip", "- | holidays+trip | - | weekdays_7:00"),
      ("weekdays 7:00 except holidays, trip", "- | holidays+trip | - | weekdays_7:00"),
      ("weekdays 7:00 except holidays get up", "- | holidays | - | weekdays_7:00_get_up"),
      (
        "weekdays 7:00 get up except holidays 10 minutes before",
        "10min | holidays | - | weekdays_7:00_get_up"
      ),
      ("daily 9:00 only on holidays", "- | - | holidays | daily_9:00"),
      ("내일 14:30 회의 15분 전에", "15min | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 15분전에 알려줘", "15min | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 하루 전에", "1d | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 하루 전에도 알려줘", "1d | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 하루 전과 1시간 전에", "1h+1d | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 1시간 전, 10분 전 알림", "10min+1h | - | - | 내일_14:30_회의"),
      ("내일 14:30 회의 30분전 15분전 알림", "15min+30min | - | - | 내일_14:30_회의"),
      ("회의 15분 전에 미리 알려줘 내일 14:30", "15min | - | - | 회의_내일_14:30"),
      ("평일 7시 공휴일은 빼고", "- | 공휴일 | - | 평일_7시"),
      ("평일 7시 공휴일 말고", "- | 공휴일 | - | 평일_7시"),
      ("평일 7시 (공휴일 제외)", "- | 공휴일 | - | 평일_7시"),
      ("평일 7시 공휴일 제외", "- | 공휴일 | - | 평일_7시"),
      ("공휴일 제외하고 평일 7시 기상", "- | 공휴일 | - | 평일_7시_기상"),
      ("매일 9시 공휴일에만", "- | - | 공휴일 | 매일_9시"),
    ])
  func said(text: String, expected: String) {
    #expect(Self.read(Self.words(text)) == expected)
    #expect(Self.read([text]) == expected)
  }

  @Test(
    "Words with another meaning, or with two, are left to the time and the label",
    arguments: [
      "10 minutes before noon", "tomorrow 14:30 1 day and 15 minutes before", "15 minutes before",
      "friday 14:30 meeting 1 day and 15 minutes before", "friday 14:30 meeting 1 day, 15 minutes before",
      "daily 7:00 except weekends", "daily 7:00 except 24 dec", "tomorrow 7:00 except holidays",
      "내일 7시 15분 전에", "내일 7시 30분 전, 15분 전에", "내일 14:30 회의 15분 전", "call mom except holidays",
      "tomorrow 7:00 the day before",
    ])
  func left(text: String) {
    let words = Self.words(text)
    #expect(Self.read(words) == "- | - | - | " + words.joined(separator: "_"))
  }

  @Test(
    "Where a time is there already, the phrases may be all",
    arguments: [
      ("15 minutes before", "15min | - | - | -"), ("except holidays", "- | holidays | - | -"),
      ("0 minutes before", "0s | - | - | -"), ("except none", "- | none | - | -"),
    ])
  func alone(text: String, expected: String) {
    #expect(Self.read(Self.words(text), isTimeOptional: true) == expected)
  }

  @Test("A quoted label is no phrase")
  func quoted() {
    #expect(Self.read(["7:00", "call all except bob"]) == "- | - | - | 7:00_call all except bob")
  }

  @Test(
    "A lead is read as people write spans; days and weeks are the calendar's",
    arguments: [
      ("15m", "15min"), ("1d", "1d"), ("24h", "24h"), ("1 day 2 hours", "1d 2h"), ("2 weeks", "14d"),
      ("하루", "1d"),
      ("90s", "1min 30s"), ("0m", "0s"), ("29d", nil), ("1 month", nil), ("15", nil), ("1.5ms", nil),
      ("none", nil),
    ] as [(String, String?)])
  func lead(text: String, expected: String?) {
    #expect(Lead(reading: text)?.description == expected)
  }
}
