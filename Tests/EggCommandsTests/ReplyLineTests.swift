import EggProtocol
import EggTime
import Testing
import Varlink

@testable import EggCommands

/// An alarm's line in a reply. It is Tuesday, 2026-11-24 13:34:30 UTC.
@Suite struct ReplyLineTests {
  private static let now = Instant(microseconds: 1_795_527_270_000_000)
  /// 2026-11-25 07:30 and 2026-11-27 00:00, in microseconds.
  private static let wednesday: Int64 = 1_795_591_800_000_000
  private static let friday: Int64 = 1_795_737_600_000_000

  private static func line(_ members: String, in zone: Zone = .utc, state: String = "scheduled") throws
    -> String
  {
    let text = """
      {"number":13,"state":"\(state)","done":false,"category":"other","eggs":1,\(members)}
      """
    let alarm = try JSON.value(Array(text.utf8), as: WireAlarm.self)
    return AlarmText(moments: Moments(zone: zone, now: now)).line(alarm)
  }

  @Test(
    "A span is shown in full, without units that are zero",
    arguments: [
      (0, "0 s"), (1, "1 s"), (60, "1 min"), (390, "6 min 30 s"), (3_600, "1 h"), (3_630, "1 h 30 s"),
      (5_400, "1 h 30 min"), (86_400, "1 d"), (86_401, "1 d 1 s"), (90_000, "1 d 1 h"),
      (210_330, "2 d 10 h 25 min 30 s"), (31_536_060, "365 d 1 min"),
    ])
  func whole(seconds: Int64, text: String) {
    #expect(SpanText.whole(.seconds(seconds)) == text)
    #expect(SpanText.whole(.seconds(seconds) - TimeSpan(microseconds: 1)) == (seconds == 0 ? "0 s" : text))
    #expect(SpanText.whole(.zero - .seconds(seconds)) == "0 s")
  }

  @Test(
    "The weekday is shown except for today and tomorrow, midnight if no time of day was entered",
    arguments: [
      (friday, "friday", "#13  2026. 11. 27. 00:00:00  on Friday at midnight  in 2 d 10 h 25 min 30 s\n"),
      (friday, "friday 0:00", "#13  2026. 11. 27. 00:00:00  on Friday  in 2 d 10 h 25 min 30 s\n"),
      (friday, "58h", "#13  2026. 11. 27. 00:00:00  on Friday  in 2 d 10 h 25 min 30 s\n"),
      (friday, "2026-11-27", "#13  2026. 11. 27. 00:00:00  on Friday at midnight  in 2 d 10 h 25 min 30 s\n"),
      (friday, "of another version", "#13  2026. 11. 27. 00:00:00  on Friday  in 2 d 10 h 25 min 30 s\n"),
      (
        wednesday - 27_000_000_000, "tomorrow",
        "#13  2026. 11. 25. 00:00:00  at midnight  in 10 h 25 min 30 s\n"
      ),
      (wednesday, "tomorrow 7:30", "#13  2026. 11. 25. 07:30:00  in 17 h 55 min 30 s\n"),
      (wednesday, "tomorrow", "#13  2026. 11. 25. 07:30:00  in 17 h 55 min 30 s\n"),
      (1_795_552_200_000_000, "20:30", "#13  2026. 11. 24. 20:30:00  in 6 h 55 min 30 s\n"),
      (
        1_795_678_200_000_000, "thursday 7:30",
        "#13  2026. 11. 26. 07:30:00  on Thursday  in 1 d 17 h 55 min 30 s\n"
      ),
    ] as [(Int64, String, String)])
  func day(due: Int64, typed: String, line: String) throws {
    #expect(try Self.line("\"due\":\(due),\"expression\":\"\(typed)\"") == line)
  }

  @Test("The day is the day in the caller's zone")
  func callersClock() throws {
    let seoul = try Zone.named("Asia/Seoul")
    #expect(
      try Self.line("\"due\":1795705200000000,\"expression\":\"friday\",\"zone\":\"Asia/Seoul\"", in: seoul)
        == "#13  2026. 11. 27. 00:00:00  on Friday at midnight  in 2 d 1 h 25 min 30 s\n")
    #expect(
      try Self.line("\"due\":1795705200000000,\"expression\":\"friday\",\"zone\":\"Asia/Seoul\"")
        == "#13  2026. 11. 26. 15:00:00  on Thursday  in 2 d 1 h 25 min 30 s\n")
  }

  @Test(
    "A recurring alarm's rule follows its next moment, with the zone if that is not the caller's",
    arguments: [
      ("\"calendarEvent\":\"Mon..Fri *-*-* 07:30:00\"", "UTC", "every Mon–Fri 07:30"),
      ("\"calendarEvent\":\"Mon..Fri *-*-* 07:30:00\"", "Europe/Paris", "every Mon–Fri 07:30 Europe/Paris"),
      (
        "\"calendarEvent\":\"Mon..Fri *-*-* 07:30:00 Europe/Paris\"", "Europe/Paris",
        "every Mon–Fri 07:30 Europe/Paris"
      ),
      ("\"interval\":\"2w Mon,Thu 07:30:00 from 2026-11-23\"", "UTC", "every 2 weeks on Mon, Thu 07:30"),
      ("\"interval\":\"1h 30min from 2026-11-24 12:20:00 UTC\"", "Europe/Paris", "every 1 h 30 min"),
      ("\"calendarEvent\":\"of another version\"", "Europe/Paris", "every of another version"),
    ])
  func rule(time: String, zone: String, words: String) throws {
    let members = "\"due\":\(Self.wednesday),\"kind\":\"every\",\"zone\":\"\(zone)\",\(time)"
    #expect(
      try Self.line(members + ",\"label\":\"get up\"")
        == "#13  2026. 11. 25. 07:30:00  in 17 h 55 min 30 s  \(words)   get up\n")
    #expect(
      try Self.line(members, state: "paused")
        == "#13  2026. 11. 25. 07:30:00  in 17 h 55 min 30 s, paused  \(words)\n")
    let over = members.replacing("\"due\":\(Self.wednesday),", with: "")
    #expect(try Self.line(over, state: "paused") == "#13  paused  \(words)\n")
  }

  @Test("A paused countdown's time left is shown in full")
  func paused() throws {
    #expect(
      try Self.line("\"kind\":\"in\",\"remaining\":3630000000,\"label\":\"tea\"", state: "paused")
        == "#13  paused, 1 h 30 s left   tea\n")
  }
}
