import Glibc
import Testing

@testable import EggCommands

@Suite("eggctl log")
struct LogTests {
  private static func entry(_ fields: String) -> String {
    #"{"__REALTIME_TIMESTAMP":"1795210465000000","_PID":"7","MESSAGE":"said","# + fields + "}"
  }
  private static let by = #""EGG_CLIENT":"eggctl","EGG_CLIENT_PID":"1234""#
  private static let pills = #""EGG_ALARM_NUMBER":"85","EGG_LABEL":"pills""#

  /// The line of an entry, without its time.
  private func line(_ fields: String, asked: Bool = false) -> String {
    let run = Run.run(
      asked ? ["log", "85"] : ["log"], variables: [:], printing: { _ in ([Self.entry(fields)], 0) })
    let time = "2026. 11. 20. 21:34:25   "
    guard run.status == .success, run.output.hasPrefix(time), run.output.hasSuffix("\n") else {
      return "\(run)"
    }
    return String(run.output.dropFirst(time.count).dropLast())
  }

  @Test(
    "An entry is one line: when, what, by whom",
    arguments: [
      (
        #""MESSAGE_ID":"cf5f9b230d1e4ddb9d5b5e792f1015a6","EGG_LATENESS_US":"900","# + pills,
        #"#85 "pills" rang"#
      ),
      (
        #""MESSAGE_ID":"cf5f9b230d1e4ddb9d5b5e792f1015a6","EGG_LATENESS_US":"300000000","# + pills
          + #","EGG_LATE_REASON":"down","EGG_MISSED_COUNT":"3""#,
        #"#85 "pills" rang, 5 min late: eggd was not running, stands for 3 times"#
      ),
      (
        #""MESSAGE_ID":"1949480d82264cecb0f434437ed29d41","EGG_LATENESS_US":"5000000","# + pills
          + #","EGG_DUE_AT":"1795210460000000""#,
        #"#85 "pills" missed, due 2026. 11. 20. 21:34:20, 5 s late"#
      ),
      (
        #""EGG_CHANGE":"schedule","EGG_DUE_AT":"1795210560000000","# + pills + "," + by,
        #"#85 "pills" scheduled for 2026. 11. 20. 21:36:00, by eggctl (1234)"#
      ),
      (
        #""EGG_CHANGE":"snooze","EGG_SNOOZED_UNTIL":"1795210770000000","EGG_CLIENT":"its bubble","# + pills,
        #"#85 "pills" snoozed until 2026. 11. 20. 21:39:30, by its bubble"#
      ),
      (#""EGG_CHANGE":"done","EGG_ALARM_NUMBER":"85","EGG_CLIENT_PID":"9""#, "#85 marked done, by process 9"),
      (
        #""EGG_CHANGE":"undo","EGG_UNDONE":"delete","EGG_COUNT":"1","# + pills + "," + by,
        #"undone: #85 "pills" deleted, by eggctl (1234)"#
      ),
      (
        #""EGG_CHANGE":"redo","EGG_UNDONE":"delete","EGG_COUNT":"1","# + pills + "," + by,
        #"redone: #85 "pills" deleted, by eggctl (1234)"#
      ),
      (
        #""EGG_CHANGE":"deleteGroup","EGG_GROUP":"Sunday","EGG_COUNT":"3","EGG_ALARM_NUMBER":["3","85"],"#
          + by,
        #"group "Sunday" with 3 alarms deleted, by eggctl (1234)"#
      ),
      (#""EGG_CHANGE":"schedule","EGG_COUNT":"400","EGG_CLIENT":"x""#, "400 alarms scheduled, by x"),
      (#""EGG_CHANGE":"hatch","EGG_COUNT":"400""#, "said"), (#""PRIORITY":"6""#, "said"),
    ])
  func lines(fields: String, expected: String) { #expect(line(fields) == expected) }

  @Test("A change of many alarms names the one that was asked for")
  func many() {
    let deleted = #""EGG_CHANGE":"delete","EGG_COUNT":"200","EGG_ALARM_NUMBER":["1","85"],"# + Self.by
    #expect(line(deleted) == "200 alarms deleted, by eggctl (1234)")
    #expect(line(deleted, asked: true) == "#85 and 199 more deleted, by eggctl (1234)")
  }

  @Test("Control characters and bytes that are not UTF-8 are escaped")
  func bytes() {
    let label = #""EGG_CHANGE":"pause","EGG_ALARM_NUMBER":"85","EGG_LABEL":[97,255,27,91]"#
    #expect(line(label) == "#85 \"a\u{fffd}\\u{1b}[\" paused")
    #expect(line(#""MESSAGE":"a\u001b\nb""#) == "a\\u{1b}\\nb")
    #expect(line(#""EGG_CHANGE":"pause","EGG_ALARM_NUMBER":"85","EGG_LABEL":null"#) == "#85 paused")
  }

  @Test("A line that is not an entry is skipped, and an empty journal says so")
  func nothing() {
    func log(_ words: String..., lines: [String] = [], status: Int32 = 0) -> Run {
      Run.run(words, variables: [:], printing: { _ in (lines, status) })
    }
    #expect(log("log") == .said("the journal has nothing on eggd\n"))
    #expect(log("log", "12", lines: ["-- rotated --"]) == .said("the journal has nothing on this alarm\n"))
    #expect(
      log("log", status: 1)
        == .failed(
          .unavailable,
          """
          eggctl: error: journalctl ended with status 1
          eggctl: hint: eggctl history answers from the database

          """))
  }

  @Test("Of the entries since a moment the last are shown")
  func lastSince() {
    let entries = ["1", "2", "3"].map { Self.entry(#""EGG_CHANGE":"pause","EGG_ALARM_NUMBER":"\#($0)""#) }
    func log(_ words: String...) -> String {
      Run.run(["log", "-n", "2", "--since", "-2h"] + words, variables: [:], printing: { _ in (entries, 0) })
        .output
    }
    let time = "2026. 11. 20. 21:34:25   "
    #expect(log() == "\(time)#2 paused\n\(time)#3 paused\n")
    #expect(log("--json") == entries[1] + "\n" + entries[2] + "\n")
  }

  @Test("A time that cannot be read is refused before journalctl runs")
  func notSince() {
    let run = Run.run(["log", "--since", "foo"], variables: [:], printing: { _ in ([], 1) })
    #expect(run.status == .usage)
    #expect(run.messages.hasPrefix("eggctl: error: cannot read 'foo' as a time"), "\(run)")
    #expect(
      Run.run(["log", "--since", "2027-01-04"], variables: [:], printing: { _ in ([], 1) })
        == .failed(.usage, "eggctl: error: '2027-01-04' is in the future\neggctl: hint: eggctl help log\n"))
  }

  @Test("journalctl is asked for eggd's entries at info and above, by number or UUID")
  func asked() {
    func words(_ words: String..., userID: uid_t = 1_000) -> String {
      var asked = ""
      _ = Run.run(
        words, variables: [:], userID: userID,
        printing: { words in
          asked = words.joined(separator: " ")
          return ([], 0)
        })
      return asked
    }
    let rest = "--priority=info --quiet --all --output=json"
    #expect(words("log") == "journalctl --user SYSLOG_IDENTIFIER=eggd " + rest)
    #expect(
      words("log", "12", "-f")
        == "journalctl --user SYSLOG_IDENTIFIER=eggd EGG_ALARM_NUMBER=12 \(rest) --follow")
    // eggctl itself keeps the last.
    #expect(words("log", "-n", "20", "--since", "-2h").hasSuffix(" \(rest) --since=@1795203270"))
    #expect(
      words("log", "-n", "20", "--since", "-2h", "-f").hasSuffix(" --lines=20 --since=@1795203270 --follow"))
    #expect(words("log", "--since", "yesterday").hasSuffix(" --since=@1795046400"))
    // To come today.
    #expect(words("log", "--since", "09:00") == "")
    #expect(words("log", "12", userID: 0).hasPrefix("journalctl _UID=0 "))
    let id = "d9428888-122b-4f13-8f3f-3e0c6c1f0b7a"
    #expect(
      Run.run(["log", id, "--json"], variables: [:], userID: 1_000)
        == .failed(
          .unavailable,
          """
          {"error":"unavailable","hint":"eggctl history answers from the database","message":"ran journalctl --user SYSLOG_IDENTIFIER=eggd EGG_ALARM_ID=\(id) \(rest)"}

          """))
  }

  @Test(
    "A program's lines arrive as they are printed, the last one also without a newline, and of a long one its beginning"
  )
  func program() throws {
    var lines: [String] = []
    let status = try ProgramLines.read(["sh", "-c", "echo one; printf two; exit 3"], reader: nil) {
      lines.append(String(decoding: $0, as: UTF8.self))
    } pause: {
    }
    #expect(lines == ["one", "two"] && status == 3)
    var lengths: [Int] = []
    let long = ["sh", "-c", "head -c 8000000 /dev/zero; echo; echo short"]
    _ = try ProgramLines.read(long, reader: nil, each: { lengths.append($0.count) }, pause: {})
    #expect(lengths.count == 2 && lengths.last == 5)
    #expect((ProgramLines.longestLine + 1...ProgramLines.longestLine + 1 << 17).contains(lengths.first ?? 0))
    #expect(throws: Failure.self) {
      try ProgramLines.read(["no-such-program"], reader: nil, each: { _ in }, pause: {})
    }
  }
}
