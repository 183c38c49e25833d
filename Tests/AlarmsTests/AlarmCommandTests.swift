import Alarms
import Testing

@Suite struct AlarmCommandTests {
  @Test(
    "Words are separated by blanks; quotes and backslashes group them as in a shell",
    arguments: [
      ("a", ["a"]), ("  a   b ", ["a", "b"]), ("a 'b c' d", ["a", "b c", "d"]),
      ("a \"b 'c'\"", ["a", "b 'c'"]),
      ("a b\\ c", ["a", "b c"]), ("a ''", ["a", ""]), ("a'b'c\"d\"", ["abcd"]),
      ("a \"\\\"\\\\\\n\"", ["a", "\"\\\\n"]),
      ("sh -c 'echo $HOME; *'", ["sh", "-c", "echo $HOME; *"]),
      ("a $HOME `b` *", ["a", "$HOME", "`b`", "*"]),
      ("한글 '두 개'", ["한글", "두 개"]),
    ])
  func words(text: String, words: [String]) { #expect(AlarmCommand(text)?.words == words) }

  @Test(
    "Without a program, with an open quote, or with a control character it is none",
    arguments: [
      "", "  ", "''", "'' a", "a 'b", "a \"b", "a\\", "a\nb", "a\tb", String(repeating: "a", count: 4_097),
    ])
  func none(text: String) { #expect(AlarmCommand(text) == nil) }

  @Test("The text of any words gives the same words again")
  func text() throws {
    for words in [
      ["a"], ["a b", "", "c'd", "\"", "\\", "$x", "'"], ["/a/b", "한 글", "--x=y z"],
      ["a", "'\u{301} \u{301}", "\u{7f2}"],
    ] {
      let command = try #require(AlarmCommand(words: words))
      #expect(AlarmCommand(command.text)?.words == words)
    }
    #expect(AlarmCommand(" a  'b' ")?.text == "a b")
  }

  @Test(
    "What became of a command reads as it was written",
    arguments: [.exited(0), .exited(3), .killed(9), .killed(nil), .timedOut, .notStarted("no\tsuch"), .other]
      as [HookRun.Result])
  func line(result: HookRun.Result) throws {
    let run = HookRun(hook: "\u{301}/a 'b c'", result: result)
    let read = try #require(HookRun(line: run.line))
    if case .notStarted = result {
      #expect(read.result == .notStarted("no\\tsuch"))
    } else {
      #expect(read == run)
    }
  }

  @Test("A line that is none is left out", arguments: ["", "exited", "exited\tx\t/a", "exited 3 /a"])
  func noLine(line: String) { #expect(HookRun(line: line) == nil) }
}
