import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

@Suite struct ContentLineTests {
  /// `number:text` of each line.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    ComponentLines.lines(of: bytes).map { "\($0.number):\(String(decoding: $0.unfolded, as: UTF8.self))" }
  }

  @Test("Lines are unfolded for every line end")
  func unfolded() {
    let text = "\u{FEFF}A:1\r\n  two\r\n\tthree\nB:한\r\n\n \r\nC:\r\n D\r\n\r\nE"
    #expect(Self.lines(Array(text.utf8)) == ["1:A:1 twothree", "4:B:한", "7:C:D", "10:E"])
  }

  @Test("A character split by a fold is put together again")
  func cutCharacter() {
    let bytes = Array("A:".utf8) + [0xF0, 0x9F] + Array("\r\n ".utf8) + [0xA5, 0x9A, 0x0D, 0x0A]
    #expect(Self.lines(bytes) == ["1:A:🥚"])
  }

  @Test("Only the beginning of an endless line is kept")
  func long() throws {
    let text = "SUMMARY:" + String(repeating: "x", count: 200_000) + "\nUID:1\n"
    let properties = try ComponentLines.lines(of: Array(text.utf8)).map { try #require(try Property($0)) }
    #expect(properties.count == 2 && properties[1].line == 2 && !properties[1].isCut)
    #expect(properties[0].value.utf8.count == Property.longest - "SUMMARY:".utf8.count && properties[0].isCut)
  }

  @Test("A long line is folded to 75 bytes between characters, and reads back as it was")
  func folded() {
    var random = SeededGenerator(seed: 75)
    for _ in 0..<200 {
      let letters = ["a", "é", "한", "🥚", "👩🏽‍🍳", " "]
      let line =
        "N:"
        + (0..<Int.random(in: 1...120, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? "a"
        }.joined() + "."
      var content = ContentWriter()
      content.line(line)
      #expect(Self.lines(Array(content.text.utf8)) == ["1:" + line])
      for part in content.text.utf8.split(separator: UInt8(ascii: "\n")) {
        #expect(part.count <= 76)
        #expect(String(validating: Array(part), as: UTF8.self) != nil)
      }
    }
  }

  @Test("Quoted parameters may contain colons and semicolons")
  func parameters() throws {
    let line = ComponentLines.Line(#"dtstart;x="a:b;c",d;TZID=Z/P;y="":2026:1"#)
    let property = try #require(try Property(line))
    #expect(property.name == .start && property.value == "2026:1")
    #expect(property.parameter("X") == "a:b;c,d" && property.parameter("TZID") == "Z/P")
  }

  @Test("Texts read back as they were written", arguments: ["a,b;c\\n\\", "one\ntwo", "\\,", ""])
  func escapes(text: String) {
    #expect(ContentText.unescaped(ContentText.escaped(text)) == text)
    let list = [text, "x", text]
    #expect(ContentText.list(list.map(ContentText.escaped).joined(separator: ",")) == list)
  }

  @Test("Texts read back as they were written, whatever marks join their special characters")
  func marks() {
    for text in MarkedTexts.around(#"\;,:"nN "#) {
      let value = ContentText.escaped(text)
      #expect(Array(ContentText.unescaped(value).utf8) == Array(text.utf8))
      #expect(
        ContentText.list(value + "," + value).map { Array($0.utf8) } == [Array(text.utf8), Array(text.utf8)])
    }
  }

  @Test("No control character is written, not even one of those that a terminal takes for an escape")
  func written() {
    #expect(ContentText.escaped("a\u{1b}\u{7f}\u{80}\u{9b}\u{9f}b\tc\n") == "ab\tc\\n")
  }

  @Test("Control characters never reach a label")
  func controls() throws {
    let entry = try CalendarFixture.entry(
      "DTSTART:20261224T180000\nSUMMARY: a\\nb\u{1B}[1m\u{7}c\t\u{202E}d ")
    #expect(entry.label == "a b[1mc \u{202E}d")
  }
}
