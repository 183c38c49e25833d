import Alarms
import EggTestSupport
import Foundation
import LinuxIO
import Testing
import Varlink

@testable import EggCommands

@Suite("Quotes hold, whatever marks join them into one character with what is quoted")
struct QuotingTests {
  private static let texts =
    MarkedTexts.around("'\"$`\\!;&|<>(){}[]*?~#= -\n\t\u{202e}") + ["", "a'\u{301};touch pwned;'"]

  /// Expects that the shell reads each of the words as the text beside it.
  private func expect(_ shell: String, reads words: [(word: String, text: String)]) throws {
    for start in stride(from: 0, to: words.count, by: 200) {
      let words = words[start..<min(start + 200, words.count)]
      let script = "printf '%s\\0' \(words.map(\.word).joined(separator: " "))"
      let run = try #require(
        ProgramOutput.read(
          [shell, "-c", script], environment: ["LC_ALL=C.UTF-8", "PATH="], within: patience))
      let read = run.utf8.split(separator: 0, omittingEmptySubsequences: false).dropLast().map(Array.init)
      #expect(read.count == words.count)
      for (read, word) in zip(read, words) where read != Array(word.text.utf8) {
        Issue.record(
          "\(shell) reads \(word.word.debugDescription) as \(String(decoding: read, as: UTF8.self))")
        return
      }
    }
  }

  /// Those with `$'…'`, which dash lacks, are for bash.
  private static func texts(for shell: String) -> [String] {
    shell == "bash" ? texts : texts.filter { $0.visible == $0 }
  }

  @Test("A word of a hint is shown as it is, and read by the shell as the text", arguments: ["bash", "dash"])
  func hints(shell: String) throws {
    let texts = Self.texts(for: shell)
    #expect(texts.allSatisfy { $0.shellQuoted.visible == $0.shellQuoted })
    try expect(shell, reads: texts.map { ($0.shellQuoted, $0) })
  }

  @Test("What is in single quotes is read as it is", arguments: ["bash", "dash"])
  func singleQuotes(shell: String) throws {
    try expect(shell, reads: Self.texts.map { ($0.inSingleQuotes, $0) })
  }

  @Test("A hint for another machine carries the same words", arguments: ["bash", "dash"])
  func remote(shell: String) throws {
    let host = RemoteHost(try HostName("kitchen")) { Run.now }
    let hints = Self.texts.map { host.hint("sudo \($0.shellQuoted)").dropFirst("ssh -t kitchen ".count) }
    try expect(shell, reads: zip(hints, Self.texts).map { (String($0), "sudo \($1.shellQuoted)") })
  }

  @Test("A command's own text reads as the same words")
  func commands() {
    for text in Self.texts where LimitedText.run.problem(in: text) == nil {
      let words = ["/bin/true", text, "b"]
      #expect(AlarmCommand(words: words).flatMap { AlarmCommand($0.text) }?.words == words)
    }
  }

  @Test("A machine's name hides no hyphen and no @ from eggctl that ssh would see")
  func machines() {
    for mark in ["\u{345}", "\u{d4e}", "\u{903}"] {
      for name in ["-\(mark)x", "x@-\(mark)x", "x\(mark)@-x", "x@\(mark)@-x"] {
        #expect(throws: Failure.self, "\(name.debugDescription)") { try HostName(name) }
      }
    }
  }

  @Test("JSON reads back as the same text, without a character that moves the cursor or reorders a line")
  func json() throws {
    for text in MarkedTexts.around(
      "\"\\\u{1}\u{7f}\u{80}\u{9b}\u{61c}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}")
    {
      let json = try JSON.text([text])
      #expect(
        try JSONDecoder().decode([String].self, from: Data(json.utf8)).map { Array($0.utf8) } == [
          Array(text.utf8)
        ])
      #expect(json.visible == json)
    }
  }
}
