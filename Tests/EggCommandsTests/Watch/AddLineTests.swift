import EggTime
import Testing

@testable import EggCommands

@Suite struct AddLineTests {
  private func read(_ line: String) -> String {
    switch AddLine.read(line, in: ReadingContext(now: Run.now, zone: .utc)) {
    case .empty: "empty"
    case .label(let label): "label \(label)"
    case .wrong(let reason, let offset): "\(offset): \(reason)"
    case .alarm(let time, let first, let label):
      "\(time.text) | \(MomentFormat.dotted.text(first, in: .utc)) | \(label ?? "-")"
    }
  }

  @Test(
    "As many words as possible form the time; the rest is the label",
    arguments: [
      ("", "empty"), ("   ", "empty"), ("6m30s", "6m30s | 2026. 11. 20. 21:41:00 | -"),
      ("  6m 30s call mom ", "6m 30s | 2026. 11. 20. 21:41:00 | call mom"),
      ("tomorrow 07:30 \"get up\"", "tomorrow 07:30 | 2026. 11. 21. 07:30:00 | get up"),
      ("10m 한글 달걀", "10m | 2026. 11. 20. 21:44:30 | 한글 달걀"),
      ("Mon..Fri 07:30", "Mon..Fri 07:30 | 2026. 11. 23. 07:30:00 | -"),
      ("5s \"\u{301}eggs\u{d4e}\"", "5s | 2026. 11. 20. 21:34:35 | \u{301}eggs\u{d4e}"),
      ("5s \"\"", "5s | 2026. 11. 20. 21:34:35 | -"),
    ])
  func reading(_ line: String, _ said: String) {
    #expect(read(line) == said)
  }

  @Test("A line in quotes changes the label, even if a mark joins a quote")
  func label() {
    let line = AddLine.readEdit(" '\u{301}eggs\u{d4e}' ", in: ReadingContext(now: Run.now, zone: .utc))
    guard case .label(let label) = line else {
      Issue.record("\(line)")
      return
    }
    #expect(label == "\u{301}eggs\u{d4e}")
  }

  @Test(
    "A line that gives no alarm is refused with the place",
    arguments: [
      ("6", "0: a number needs a unit or a colon; 6m or 6s?"), (" 6mm", "2: not a unit of time"),
      ("at 7", "3: morning or evening? at 07:00 or at 19:00?"),
      ("2026-01-01 10:00", "0: that is in the past"),
      ("6m noon", "3: the label \"noon\"?"), ("6m 25:00", "3: the label \"25:00\"?"),
      ("tomorrow at eightish", "9: the label \"at eightish\"?"),
      ("5pm tomorow", "4: 5pm tomorrow or the label \"tomorow\"?"),
      ("tomorrow 7 meeting", "9: tomorrow 07:00 or tomorrow 19:00 or the label \"7 meeting\"?"),
      ("6m an egg that takes a very long time", "3: the label has 34 characters; the limit is 30"),
    ])
  func wrong(_ line: String, _ said: String) {
    #expect(read(line) == said)
  }
}
