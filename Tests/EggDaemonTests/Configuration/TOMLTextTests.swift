import Foundation
import Testing

@testable import EggDaemon

@Suite("TOML")
struct TOMLTextTests {
  private func values(_ text: String) -> [String: TOMLText.Value] {
    Dictionary(
      TOMLText(text).statements.map { ($0.path.joined(separator: "/"), $0.value) }, uniquingKeysWith: { $1 })
  }

  @Test("Texts, lists of texts, true, false and tables are read")
  func all() {
    let text = """
      \u{FEFF}snooze = ["5m", 'tomorrow 9:00', # with a comment
        "1h",
      ]
      "a key" = true\r
      empty = []
      [timers]
      tea = "4m"
      [timers.'soft egg'] # three
      time = "6m"
      """
    #expect(TOMLText(text).mistake == nil)
    #expect(
      values(text) == [
        "snooze": .texts(["5m", "tomorrow 9:00", "1h"]), "a key": .flag(true), "empty": .texts([]),
        "timers": .table, "timers/tea": .text("4m"), "timers/soft egg": .table,
        "timers/soft egg/time": .text("6m"),
      ])
  }

  @Test(
    "The place of a key is found behind every kind of text",
    arguments: [
      "a = \"\"\nk = '1'", "a = ''\nk = '1'", "a = \"\\\"\"\nk = '1'", "a = '\\'\nk = '1'",
      "a = \"\"\"\"\"\"\nk = '1'", "a = \"\"\"x\"\"\"\"\"\nk = '1'",
      "a = \"\"\"\nk = '2'\\\"\"\"\"\nk = '1'", "a = '''\nk = '2'''''\nk = '1'",
      "a = '1' # k = '2'\nk = '1'", "# k = '2'\n\nk = '1'", "\u{FEFF}a = '1'\r\nk = '1'",
      "'a' = '1'\n\n\nk = '1'",
    ])
  func places(text: String) throws {
    let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    let line = try #require(lines.lastIndex { $0.hasPrefix("k = '1'") })
    let place = TOMLText(text).statements.first { $0.path == ["k"] }?.place
    #expect(place == TOMLText.Place(line: line + 1, column: 1))
  }

  /// What Python's tomllib reads of each document: `null` where it is wrong.
  private func reference(_ documents: [String]) throws -> [Any] {
    let script = """
      import json, sys, tomllib
      def read(text):
          try: return tomllib.loads(text)
          except tomllib.TOMLDecodeError: return None
      json.dump([read(text) for text in json.load(sys.stdin)], sys.stdout, default=str)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    let sent = try JSONEncoder().encode(documents)
    DispatchQueue(label: "documents").async {
      input.fileHandleForWriting.write(sent)
      try? input.fileHandleForWriting.close()
    }
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return try #require(try JSONSerialization.jsonObject(with: answer) as? [Any])
  }

  /// The statements as a tree, as tomllib has it.
  private func tree(_ document: TOMLText) -> NSDictionary {
    func with(_ value: Any?, at path: ArraySlice<String>, in table: [String: Any]) -> [String: Any] {
      guard let name = path.first else { return table }
      var table = table
      if path.count == 1, let value {
        table[name] = value
      } else {
        table[name] = with(value, at: path.dropFirst(), in: table[name] as? [String: Any] ?? [:])
      }
      return table
    }
    var root: [String: Any] = [:]
    for statement in document.statements {
      switch statement.value {
      case .text(let text): root = with(text, at: statement.path[...], in: root)
      case .texts(let texts): root = with(texts, at: statement.path[...], in: root)
      case .flag(let flag): root = with(flag, at: statement.path[...], in: root)
      case .table, .other: root = with(nil, at: statement.path[...], in: root)
      }
    }
    return root as NSDictionary
  }

  @Test("Any text is what Python's tomllib makes of it, and ends no process")
  func anyText() throws {
    let pieces = [
      "\"", "'", "\"\"\"", "'''", "[", "]", "=", "#", "\n", "\r\n", "\r", "\\", "a", "b", ".", " ",
      "_", "1", "{", "\t", "\na = \"x\"\n", "\nb = ['y', \"z\"]\n", "\n[t]\n", "\n[t.u]\n", "a = ", "b = ",
      "true",
      "\\u0041", "\\n", "\u{7F}", "\u{E000}", "é", ",", "'x'", "\"y\"",
    ]
    var random = SystemRandomNumberGenerator()
    let documents = (0..<20_000).map { index in
      (0..<(index % 12 + 1)).map { _ in pieces[Int(random.next(upperBound: UInt(pieces.count)))] }.joined()
    }
    var accepted = 0
    for (text, expected) in zip(documents, try reference(documents)) {
      let document = TOMLText(text)
      // The rest is not read.
      if document.statements.last?.value == .other { continue }
      if expected is NSNull {
        #expect(document.mistake != nil, "\(text.debugDescription)")
      } else {
        accepted += 1
        #expect(document.mistake == nil, "\(text.debugDescription): \(document.mistake?.reason ?? "")")
        #expect(tree(document) == expected as? NSDictionary, "\(text.debugDescription)")
      }
    }
    #expect(accepted > 500)
  }
}
