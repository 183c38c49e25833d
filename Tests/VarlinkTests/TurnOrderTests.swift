import Testing

@testable import Varlink

@Suite struct TurnOrderTests {
  private static func turns(_ turns: inout TurnOrder<String>, _ count: Int) -> [String?] {
    (0..<count).map { _ in turns.next()?.key }
  }

  @Test("The connection that used less goes first, or the first to ask among equals")
  func least() {
    var turns = TurnOrder<String>()
    for (name, cost) in [("flood", 1_000_000), ("busy", 1_000)] as [(String, UInt64)] {
      turns.add(name, isFresh: false)
      _ = turns.next()
      turns.charge(name, nanoseconds: cost)
    }
    for name in ["flood", "busy", "new", "newer", "new"] { turns.add(name, isFresh: false) }
    #expect(Self.turns(&turns, 5) == ["new", "newer", "busy", "flood", nil])
    #expect(turns.isEmpty)
  }

  @Test("A heavy connection waits only until each light one has had as much")
  func share() {
    var turns = TurnOrder<String>()
    turns.add("costly", isFresh: false)
    _ = turns.next()
    turns.charge("costly", nanoseconds: 300)
    turns.add("costly", isFresh: false)
    let many = (0..<50).map { "small\($0)" }
    for name in many { turns.add(name, isFresh: false) }
    var waited = 0
    while let next = turns.next()?.key, next != "costly" {
      turns.charge(next, nanoseconds: 30)
      turns.add(next, isFresh: false)
      waited += 1
    }
    #expect(waited == 50 * 10)
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

  @Test("Idle time earns no credit")
  func idle() {
    var turns = TurnOrder<String>()
    for _ in 0..<100 {
      turns.add("flood", isFresh: false)
      _ = turns.next()
      turns.charge("flood", nanoseconds: 1_000)
    }
    var order: [String?] = []
    for name in ["flood", "idle"] { turns.add(name, isFresh: false) }
    for _ in 0..<4 {
      let next = turns.next()?.key
      order.append(next)
      if let next {
        turns.charge(next, nanoseconds: 1_000)
        turns.add(next, isFresh: false)
      }
    }
    #expect(order == ["idle", "flood", "idle", "flood"])
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
