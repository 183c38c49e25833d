import Testing

@testable import Varlink

@Suite struct TurnOrderTests {
  private static func turns(_ turns: inout TurnOrder<String>, _ count: Int) -> [String?] {
    (0..<count).map { _ in turns.next()?.key }
  }

  @Test("The first to ask goes first, and only once")
  func first() {
    var turns = TurnOrder<String>()
    for name in ["a", "b", "c", "a"] { turns.add(name, isFresh: false) }
    #expect(Self.turns(&turns, 4) == ["a", "b", "c", nil])
    #expect(turns.isEmpty)
  }

  @Test("Who comes again waits for one turn of each other")
  func again() {
    var turns = TurnOrder<String>()
    turns.add("person", isFresh: true)
    _ = turns.next()
    for index in 0..<50 { turns.add("other\(index)", isFresh: true) }
    turns.add("person", isFresh: true)
    var waited = 0
    while let next = turns.next()?.key, next != "person" {
      turns.add(next, isFresh: true)
      waited += 1
    }
    #expect(waited == 50)
  }

  @Test(
    "Who took longer waits while the others have as many turns as that was worth, and never for long",
    arguments: [(500, 1), (501, 2), (1_500, 3), (1_600, 4), (3_600_000, 9)] as [(UInt64, Int)])
  func debt(microseconds: UInt64, rounds: Int) {
    var turns = TurnOrder<String>()
    turns.add("costly", isFresh: true)
    _ = turns.next()
    turns.charge("costly", nanoseconds: microseconds * 1_000)
    let others = (0..<20).map { "other\($0)" }
    for name in others { turns.add(name, isFresh: true) }
    turns.add("costly", isFresh: true)
    var waited = 0
    while let next = turns.next()?.key, next != "costly" {
      turns.charge(next, nanoseconds: 100_000)
      turns.add(next, isFresh: true)
      waited += 1
    }
    #expect(waited == others.count * rounds)
    // Now its debt is paid.
    turns.add("costly", isFresh: true)
    #expect(Self.turns(&turns, others.count + 1).last == "costly")
  }

  @Test("A connection alone does not wait for its debt")
  func alone() {
    var turns = TurnOrder<String>()
    for _ in 0..<3 {
      turns.add("costly", isFresh: false)
      #expect(turns.next()?.key == "costly")
      turns.charge("costly", nanoseconds: .max)
    }
  }

  @Test("A fresh connection and a flood take turns, whatever each had before")
  func fresh() {
    var turns = TurnOrder<String>()
    turns.add("person", isFresh: true)
    _ = turns.next()
    turns.charge("person", nanoseconds: 1_000_000)
    for index in 0..<50 { turns.add("flood\(index)", isFresh: false) }
    _ = turns.next()
    turns.add("person", isFresh: true)
    turns.add("other", isFresh: true)
    #expect(Self.turns(&turns, 5) == ["other", "flood1", "person", "flood2", "flood3"])
  }

  @Test("A removed connection gets no turn")
  func removal() {
    var turns = TurnOrder<String>()
    turns.add("a", isFresh: false)
    turns.add("b", isFresh: false)
    turns.remove("a")
    #expect(Self.turns(&turns, 2) == ["b", nil])
  }
}
