import Testing

@testable import Varlink

@Suite struct TurnOrderTests {
  private static func turns(_ turns: inout TurnOrder<String>, _ count: Int) -> [String?] {
    (0..<count).map { _ in turns.next()?.key }
  }

  @Test("Who has taken less goes first; of equals, who asked first")
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

  @Test("One that asks for much waits until each of many that ask for little has had as much, and no longer")
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

  @Test("A fresh one waits for one turn of a flood, whatever it had before; so does the flood for fresh ones")
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

  @Test("Who was idle has saved nothing up")
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

  @Test("Who has left is not called")
  func removal() {
    var turns = TurnOrder<String>()
    turns.add("a", isFresh: false)
    turns.add("b", isFresh: false)
    turns.remove("a")
    #expect(Self.turns(&turns, 2) == ["b", nil])
  }
}
