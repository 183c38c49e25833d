import Testing

@testable import Varlink

@Suite struct TurnOrderTests {
  @Test("Who has taken less time goes first; of equals, who asked first")
  func least() {
    var turns = TurnOrder<String>()
    turns.charge("flood", nanoseconds: 1_000_000, now: 0)
    turns.charge("busy", nanoseconds: 1_000, now: 0)
    for name in ["flood", "busy", "new", "newer", "new"] { turns.add(name) }
    let order = (0..<5).map { _ in turns.next(now: 1) }
    #expect(order == ["new", "newer", "busy", "flood", nil])
    #expect(turns.isEmpty)
  }

  @Test("What was taken long ago no longer counts")
  func decay() {
    var turns = TurnOrder<String>()
    turns.charge("past", nanoseconds: 1_000_000_000, now: 0)
    turns.charge("present", nanoseconds: 1_000, now: 40 << 30)
    turns.add("present")
    turns.add("past")
    let first = turns.next(now: 40 << 30)
    #expect(first == "past")
  }

  @Test("Who has left is not called")
  func removal() {
    var turns = TurnOrder<String>()
    turns.add("a")
    turns.add("b")
    turns.remove("a")
    let order = [turns.next(now: 0), turns.next(now: 0)]
    #expect(order == ["b", nil])
  }
}
