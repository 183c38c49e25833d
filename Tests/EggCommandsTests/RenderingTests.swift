import Testing

@testable import EggCommands

@Suite struct RenderingTests {
  @Test(
    "A text's width is the number of its terminal cells",
    arguments: [
      ("", 0), ("two soft ones", 13), ("한글", 4), ("🥚", 2), ("e\u{301}", 1), ("각", 2),
      ("\u{1100}\u{1161}\u{11a8}", 2), ("日本", 4), ("👩‍🍳", 2), ("🇰🇷", 2), ("❤\u{fe0f}", 2), ("❤", 1), ("Ｗ", 2),
      ("ﾊ", 1), ("a\u{200b}b", 2), ("👍🏽", 2), ("é", 1), ("±½", 2),
    ])
  func width(_ text: String, _ cells: Int) {
    #expect(text.displayWidth == cells)
  }

  @Test(
    "Only what would disturb a terminal is escaped",
    arguments: [
      ("two soft ones", "two soft ones"), ("한글 🥚", "한글 🥚"), ("a\u{1b}[31mb", "a\\u{1b}[31mb"),
      ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("\u{202e}gge", "\\u{202e}gge"), ("a\u{9b}b", "a\\u{9b}b"),
      ("a\u{2066}b\u{2069}", "a\\u{2066}b\\u{2069}"), ("👩‍🍳", "👩‍🍳"), ("\u{7f}", "\\u{7f}"),
    ])
  func visible(_ text: String, _ shown: String) {
    #expect(text.visible == shown)
  }

  @Test("Columns are as wide as their widest cell, in terminal cells")
  func table() {
    var table = Table([
      Table.Column(heading: "N", isNumeric: true), Table.Column(heading: "LABEL"),
      Table.Column(heading: "END", gap: 0),
    ])
    let rows: [[Table.Cell]] = [
      [.init("1"), .init("한글"), .init("a")], [.init("10"), .init("🥚"), .init("")],
      [.init("100"), .init("cafe\u{301} au"), .init("b")],
    ]
    let lines = table.text(rows, colours: false)
    #expect(
      lines == """
          N  LABEL    END
          1  한글     a
         10  🥚
        100  cafe\u{301} au  b

        """)
  }

  @Test("Colours do not move columns")
  func colours() {
    let table = Table([Table.Column(heading: "A", minimum: 4), Table.Column(heading: "B")])
    let line = table.line([.init("x", style: .bold), .init("y")], colours: true)
    #expect(line == "\u{1b}[1mx\u{1b}[0m     y\n")
  }

  @Test(
    "The caret is under the offending byte's cell",
    arguments: [
      ("6x", 1, "  6x\n   ^\n"), ("6m", 2, "  6m\n    ^\n"), ("한글 6x", 7, "  한글 6x\n       ^\n"),
      ("한글", 4, "  한글\n    ^\n"), ("a\u{1b}b", 2, "  a\\u{1b}b\n         ^\n"), ("6x", 99, "  6x\n    ^\n"),
      ("", 0, "  \n  ^\n"),
    ])
  func caret(_ text: String, _ offset: Int, _ excerpt: String) {
    #expect(Excerpt.caret(under: offset, in: text) == excerpt)
  }

  @Test(
    "Three or more consecutive numbers are joined",
    arguments: [
      ([], ""), ([3], "#3"), ([3, 4], "#3, #4"), ([3, 4, 5], "#3-5"), ([1, 3, 4, 5, 9], "#1, #3-5, #9"),
    ] as [([Int64], String)])
  func numbers(_ numbers: [Int64], _ list: String) {
    #expect(numbers.numberList == list)
  }

  @Test("What moves the cursor or reorders a line is escaped, and nothing else")
  func unsafe() {
    for scalar in (0...UInt32(0xffff)).compactMap(Unicode.Scalar.init) {
      let properties = scalar.properties
      let isUnsafe =
        [.control, .lineSeparator, .paragraphSeparator].contains(properties.generalCategory)
        || properties.isBidiControl || scalar == "\u{feff}"
      #expect((String(scalar).visible != String(scalar)) == isUnsafe, "\(String(scalar.value, radix: 16))")
    }
  }

  @Test(
    "A word is quoted for the shell only if needed",
    arguments: [
      ("07:30", "07:30"), ("two soft", "\"two soft\""), ("it's", "\"it's\""), ("", "\"\""),
      ("$HOME it's", "'$HOME it'\\''s'"),
      ("a\n\u{1b}1'", "$'a\\n\\0331\\''"), ("\u{202e}x\\", "$'\\342\\200\\256x\\\\'"),
    ])
  func quoted(_ text: String, _ word: String) {
    #expect(text.shellQuoted == word)
  }
}
