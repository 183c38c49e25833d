import Testing

@testable import EggCommands

@Suite struct TypedLineTests {
  private func typed(_ keys: [Key]) -> TypedLine {
    var line = TypedLine()
    for key in keys { _ = line.press(key) }
    return line
  }

  @Test("Keys edit the line at the cursor")
  func edit() {
    let line = typed([.pasted("6m30s two"), .home, .right, .delete, .character("h"), .end, .character("!")])
    #expect(line.text == "6h30s two!")
    #expect(typed([.pasted("two soft  "), .control("w")]).text == "two ")
    #expect(typed([.pasted("two soft"), .left, .left, .control("u")]).text == "ft")
    #expect(typed([.pasted("two soft"), .left, .left, .control("k")]).text == "two so")
  }

  @Test("What is entered first replaces an offered text; any other key keeps it")
  func offered() {
    for (keys, text) in [
      ([.character("1"), .character("h")], "1h"), ([.pasted("1h")], "1h"), ([.end, .character("s")], "5ms"),
      ([.backspace], "5"), ([.left, .character("0")], "50m"),
    ] as [([Key], String)] {
      var line = TypedLine("5m", isOffer: true)
      for key in keys { _ = line.press(key) }
      #expect(line.text == text)
    }
  }

  @Test("A character is deleted whole, however many scalars it has")
  func clusters() {
    #expect(typed([.character("e"), .character("\u{301}"), .backspace]).text == "")
    #expect(typed([.pasted("a👩‍🍳"), .left, .delete]).text == "a")
  }

  @Test("Keys do nothing beyond the ends of the line")
  func ends() {
    #expect(typed([.left, .backspace, .delete, .right, .control("w")]).text == "")
  }

  @Test(
    "Other keys are not handled",
    arguments: [Key.up, .enter, .escape, .tab, .control("x")])
  func others(_ key: Key) {
    var line = TypedLine("a")
    let isTaken = line.press(key)
    #expect(!isTaken)
    #expect(line == TypedLine("a"))
  }
}
