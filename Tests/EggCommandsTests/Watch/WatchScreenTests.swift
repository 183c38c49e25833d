import Testing

@testable import EggCommands

@Suite struct WatchScreenTests {
  private typealias Picture = WatchView.Picture

  @Test("Only changed lines are written")
  func changed() {
    let old = Picture(lines: ["a", "b", "c"])
    #expect(
      WatchScreen.update(from: old, to: Picture(lines: ["a", "B", ""]))
        == "\u{1b}[2;1H\u{1b}[2KB\u{1b}[3;1H\u{1b}[2K")
    #expect(WatchScreen.update(from: old, to: old) == "")
  }

  @Test("An unknown picture, or one of another size, is cleared first")
  func unknown() {
    let new = Picture(lines: ["a", "", "c"])
    let all = "\u{1b}[H\u{1b}[2J\u{1b}[1;1Ha\u{1b}[3;1Hc"
    #expect(WatchScreen.update(from: nil, to: new) == all + "\u{1b}[?25l")
    #expect(WatchScreen.update(from: Picture(lines: ["a"]), to: new) == all)
  }

  @Test("The cursor is shown in an input line and hidden elsewhere")
  func caret() {
    let hidden = Picture(lines: ["a"])
    let shown = Picture(lines: ["a"], caret: Picture.Caret(line: 0, column: 1))
    #expect(WatchScreen.update(from: hidden, to: shown) == "\u{1b}[1;2H\u{1b}[?25h")
    #expect(WatchScreen.update(from: shown, to: hidden) == "\u{1b}[?25l")
  }
}
