import ArgumentParser
import Testing

@testable import EggCommands

/// The commands that hints suggest are complete.
@Suite struct KeptOptionsTests {
  /// A value that is accepted, for each option that takes one.
  private static let values = [
    "--label": "x", "--eggs": "3", "--category": "soft", "--group": "w9", "--title": "t", "--body": "b",
    "--note": "n n", "--sound": "none", "--insist": "2m", "--run": "true", "--unanswered-after": "5m",
    "--run-unanswered": "true", "--from": "2026-12-01", "--until": "2027-12-01", "--count": "3",
    "--if-missed": "record", "--ring-within": "10m", "--before": "15m", "--except": "monday",
    "--only-on": "gym", "--key": "k", "--date-format": "iso", "--zone": "Asia/Seoul",
    "--base": "2026-11-20",
  ]

  @Test(
    "Each command that a refusal suggests keeps every option that was given",
    arguments: ["schedule", "resolve", "edit 12", "timer"])
  func options(verb: String) throws {
    let words = verb.split(separator: " ").map(String.init)
    let types: [String: any ParsableCommand.Type] = ["resolve": Resolve.self, "edit": Edit.self]
    var names: [String] = []
    for option in try VerbArguments(of: types[words[0]] ?? Schedule.self).options {
      names += (option.names ?? []).map(\.text)
      for name in (option.names ?? []).map(\.text) where !Self.changesTime.contains(name) {
        if words[0] == "timer", ["--json", "--quiet", "-q"].contains(name) { continue }
        let value = option.kind == .option ? [try #require(Self.values[name], "\(name)")] : []
        let run = Run.run(words + [name] + value + ["7am", "gym", "monday"], variables: [:])
        let given = ([name] + value.map(\.shellQuoted)).joined(separator: " ")
        let kept = name == "--json" ? "--json" : given
        #expect(run.messages.ranges(of: "eggctl \(verb) 7am").count == 2, "\(run)")
        #expect(
          run.messages.replacing("\\\"", with: "\"").ranges(of: " \(kept)").count == 2, "\(name): \(run)")
      }
    }
    #expect(names.count > 5)
  }

  /// Under these the words are read otherwise; -h asks for help.
  private static let changesTime: Set = ["--in", "--at", "--every", "-h", "--help", "--version"]

  @Test(
    "A hint keeps the kind, phrases beside the time, and what a label's note goes with",
    arguments: [
      (
        "schedule 7am gym monday --wake --eggs 3 --group w9 --before 15m",
        "eggctl schedule 7am monday --label gym --wake --eggs 3 --group w9 --before 15m, "
          + "or eggctl schedule 7am --label \"gym monday\" --wake --eggs 3 --group w9 --before 15m"
      ),
      ("schedule 5h wk --wake", "eggctl schedule 5h --label wk --wake"),
      ("schedule --in 90 lbl", "eggctl schedule 90 --label lbl --in"),
      ("schedule --in --wake tomorrow", "eggctl schedule tomorrow --wake"),
      ("timer 5h wk --insist --no-bell", "eggctl timer 5h --label wk --insist --no-bell"),
      ("resolve 5h wk --zone Asia/Seoul", "eggctl resolve 5h --label wk --zone Asia/Seoul"),
      ("edit 1 7 tomorrow --wake", "eggctl edit 1 \"07:00 tomorrow\" --wake"),
      (
        "schedule 매년 설날 --wake --eggs 3 --group fam",
        "eggctl anniversary \"설날\" 2026-1-1 --lunar --wake --group fam"
      ),
      (
        "schedule 1h \(long) --wake --key k --note=x",
        nil
      ),
      ("schedule 1h \(long) --wake --key k", "eggctl schedule 1h --note \(long) --wake --key k"),
    ] as [(String, String?)])
  func wording(line: String, hint: String?) {
    let run = Run.run(line.split(separator: " ").map(String.init), variables: [:])
    #expect(run.status == .usage)
    let help = "eggctl help schedule\n"
    #expect(run.messages.contains("eggctl: hint: \(hint ?? help)"), "\(run)")
  }

  private static let long = String(repeating: "x", count: 501)

  @Test("A label that is too long for a note, too, is refused without a command that would be refused")
  func tooLong() {
    let text = String(repeating: "x", count: 1_501)
    #expect(
      Run.run(["schedule", "1h", text], variables: [:])
        == .failed(
          .usage, "eggctl: error: the label is longer than 512 bytes\neggctl: hint: eggctl help schedule\n"))
  }

  @Test("A label of several lines is suggested as a note in words that bash reads as it")
  func lines() {
    let run = Run.run(["schedule", "1h", "it's\na"], variables: [:])
    #expect(run.messages.hasSuffix("eggctl: hint: eggctl schedule 1h --note $'it\\'s\\na'\n"), "\(run)")
  }
}
