import EggTestSupport
import EggTime
import Testing

@testable import EggCommands

@Suite struct ResolveTests {
  private func resolve(_ row: TimeCase, _ flags: [String]) -> Run {
    var words = ["resolve", "--json"] + flags
    if row.base != "-" { words += ["--base", row.base, "--zone", row.zone] }
    return Run.run(words + ["--", row.text], variables: [:])
  }

  @Test("What a sentence says of rings before and days off is in the answer, and in its JSON")
  func besideTime() {
    func run(_ words: String...) -> String { Run.run(["resolve"] + words, variables: [:]).output }
    #expect(
      run("tomorrow", "14:30", "15", "minutes", "before", "--json").contains("\"leads\":[\"15min\",\"0s\"]"))
    #expect(run("weekdays 7:00 except holidays", "--json").contains("\"except\":[\"holidays\"]"))
    #expect(run("daily 9:00 only on holidays", "--json").contains("\"onlyOn\":[\"holidays\"]"))
    #expect(!run("daily 9:00", "--json").contains("except"))
    #expect(run("7am call mom", "--json").contains("\"label\":\"call mom\""))
    #expect(run("weekdays 7:00 get up except holidays").hasSuffix("  label  get up\n  except holidays\n"))
  }

  @Test("The table has all its rows")
  func whole() { #expect(TimeCase.all.count == 507) }

  @Test("resolve gives the result of every row", arguments: TimeCase.all)
  func table(row: TimeCase) {
    let flag = ["timespan": "--in", "timestamp": "--at", "calendar": "--every"][row.kind] ?? ""
    let run = resolve(row, [flag])
    guard row.expected != "error", row.text != "infinity" else {
      #expect(run.status == .usage && run.output.isEmpty)
      return
    }
    #expect(run.status == .success && run.messages.isEmpty, "\(run)")
    #expect(run.output.contains("\"kind\":\"\(row.kind)\""), "\(run)")
    switch row.kind {
    case "timespan": #expect(run.output.contains("\"span\":\(row.expected)"), "\(run)")
    case "timestamp": #expect(run.output.contains("\"occurrences\":[\(row.expected)]"), "\(run)")
    default:
      let elapses = row.expected == "never" ? "" : row.expected
      #expect(run.output.contains("\"occurrences\":[\(elapses)]"), "\(run)")
      let form = row.note.dropFirst("normalized=".count).split(separator: ";").first ?? ""
      #expect(run.output.contains("\"canonical\":\"\(form)\""), "\(run)")
    }
  }

  @Test("Without a flag each row has the class in its last column", arguments: TimeCase.all)
  func classes(row: TimeCase) {
    guard row.auto != "-" else { return }
    let run = resolve(row, [])
    // As a calendar event an impossible date never elapses; as a timestamp it is refused.
    if row.auto == "error" || row.text == "2027-02-29" {
      #expect(run.status == .usage && run.output.isEmpty)
    } else {
      #expect(run.output.contains("\"kind\":\"\(row.auto)\""), "\(run)")
    }
  }

  @Test("Moments are shown in the caller's zone, in UTC, and as time left")
  func moments() {
    #expect(
      Run.alone("resolve", "6m30s")
        == .said("timespan  6min 30s\n  2026. 11. 20. 21:41:00   2026-11-20 21:41:00 UTC   in 6 min 30 s\n"))
    #expect(
      Run.alone("resolve", "Mon..Fri", "07:30", "Europe/Paris", "--count", "2")
        == .said(
          """
          calendar  Mon..Fri *-*-* 07:30:00 Europe/Paris
            2026. 11. 23. 06:30:00   2026-11-23 06:30:00 UTC   in 2 d 8 h 55 min 30 s
            2026. 11. 24. 06:30:00   2026-11-24 06:30:00 UTC   in 3 d 8 h 55 min 30 s

          """))
    #expect(Run.alone("resolve", "*-02-30").output.hasSuffix("\n  never\n"))
    #expect(Run.alone("resolve", "yesterday").output.contains("ago, in the past\n"))
  }

  @Test("Gaps and folds of the clock are explained")
  func changes() {
    func remark(_ words: String...) -> String {
      Run.run(["resolve", "--zone", "Europe/Paris"] + words, variables: [:]).output
    }
    #expect(
      remark("2027-03-28 02:30").contains(
        "jumps over 2027-03-28 02:30:00: it rings 1 h later, at 2027-03-28 03:30:00."))
    #expect(remark("2027-10-31 02:30").contains("shows 2027-10-31 02:30:00 twice: it rings the first time"))
    #expect(remark("*-*-* 02:30").contains("jumps over 2027-03-28 02:30:00: it does not ring then."))
    #expect(!remark("07:30").contains("clock"))
    #expect(remark("*:*:0/10").contains("more often than once a minute"))
    #expect(
      remark("--in", "1 month").contains(
        "A month is 30.44 days here and a year 365.25; for calendar months enter 'now + 1 month'.\n"))
    #expect(
      remark("1 month").hasSuffix(
        "\n  Months and years are counted on the calendar: the same day of the month, the same time.\n"))
    #expect(remark("15h30").hasSuffix("\n  This counts from now; for a time of day enter '15:30'.\n"))
    #expect(remark("+1month").contains("for calendar months enter 'now + 1 month'.\n"))
  }

  @Test("An unreadable time exits with 64, a caret under the place, and what may have been meant")
  func errors() {
    #expect(
      Run.alone("resolve", "dayly")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read 'dayly' as a time: not understood from here
            dayly
            ^
          eggctl: hint: eggctl resolve daily

          """))
    #expect(
      Run.alone("resolve", "in", "5")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read 'in 5' as a time: a number needs a unit or a colon
            in 5
               ^
          eggctl: hint: eggctl resolve in 5 minutes, or eggctl resolve in 5 seconds

          """))
    #expect(
      Run.alone("resolve", "5-minute", "tea")
        == .failed(
          .usage,
          """
          eggctl: error: cannot read '5-minute' as a time: not understood from here
            5-minute
             ^
          eggctl: hint: eggctl resolve 5 minute --label tea

          """))
    #expect(
      Run.alone("resolve", "07:30", "--zone", "Mars/Phobos")
        == .failed(
          .usage,
          """
          eggctl: error: there is no zone 'Mars/Phobos' on this machine
          eggctl: hint: --zone takes the name of a file below /usr/share/zoneinfo, such as Europe/Paris

          """))
    #expect(Run.alone("resolve", "07:30", "--base", "then").status == .usage)
    #expect(Run.alone("resolve", "daily", "--count", "0").status == .usage)
    #expect(
      Run.alone("resolve", "5m", "--count", "2")
        == .failed(
          .usage,
          "eggctl: error: --from and --count are for recurring times, and '5m' rings once\neggctl: hint: eggctl help resolve\n"
        )
    )
    #expect(Run.alone("resolve").status == .usage)
  }
}
