import EggTime
import Testing

@testable import EggCommands

@Suite struct WatchStateTests {
  @Test("Alarms are sorted by position, then number, after every change")
  func order() throws {
    var watching = try Watching([
      Watching.alarm(1, position: 30), Watching.alarm(2, position: 20), Watching.alarm(3, position: 20),
    ])
    #expect(watching.numbers == [2, 3, 1])
    try watching.change(from: Watching.alarm(1, position: 30), to: Watching.alarm(1, position: 10))
    #expect(watching.numbers == [1, 2, 3])
    try watching.change(to: Watching.alarm(4, position: 15))
    #expect(watching.numbers == [1, 4, 2, 3])
    try watching.change(from: Watching.alarm(2))
    #expect(watching.numbers == [1, 4, 3])
  }

  @Test("The cursor stays on its alarm whatever others do; if that is deleted, on its row")
  func cursor() throws {
    var watching = try Watching(Watching.three)
    watching.press(.down)
    #expect(watching.state.current?.wire.number == 2)
    try watching.change(to: Watching.alarm(4, position: 0))
    #expect(watching.state.current?.wire.number == 2)
    try watching.change(from: Watching.three[1])
    #expect(watching.state.current?.wire.number == 3)
    try watching.change(from: Watching.three[2])
    #expect(watching.state.current?.wire.number == 1)
  }

  @Test("The cursor goes to a new alarm, whether the reply or the change comes first")
  func added() throws {
    var watching = try Watching(Watching.three)
    watching.state.apply(WatchOutcome(number: 4))
    #expect(watching.state.current?.wire.number == 1)
    try watching.change(to: Watching.alarm(4))
    #expect(watching.state.current?.wire.number == 4)
    try watching.change(to: Watching.alarm(5))
    watching.state.apply(WatchOutcome(number: 5))
    #expect(watching.state.current?.wire.number == 5)
  }

  @Test("Totals always match the shown alarms")
  func totals() throws {
    var watching = try Watching([Watching.alarm(1, "soft", eggs: 2), Watching.alarm(2, "hard", eggs: 3)])
    func totals() -> [Int64?] {
      let totals = watching.state.list.totals()
      return [totals.alarms, totals.eggs, totals.next.map { ($0 - Run.now).microseconds / 60_000_000 }]
    }
    #expect(totals() == [2, 5, 1])
    watching.press(.character("/"))
    watching.type("hard")
    #expect(totals() == [1, 3, 2])
    try watching.change(to: Watching.alarm(3, "hard too", left: 30))
    #expect(totals() == [2, 4, 0])
    try watching.change(from: Watching.alarm(3, "hard too", left: 30), to: Watching.alarm(3, "soft"))
    #expect(totals() == [1, 3, 2])
    watching.press(.escape)
    #expect(totals() == [3, 6, 1])
    try watching.change(from: Watching.alarm(1), to: Watching.alarm(1, state: .ringing))
    #expect(totals() == [3, 5, 2])
  }

  @Test("Applying changes one by one gives the same list as reading it again")
  func agreement() throws {
    var state: UInt64 = 7
    func random(_ bound: UInt64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64((state >> 33) % bound)
    }
    var alarms: [Int64: String] = [:]
    var watching = try Watching()
    watching.press(.character("/"))
    watching.type("a")
    for _ in 0..<2_000 {
      let number = random(40) + 1
      let new =
        random(4) == 0
        ? nil
        : Watching.alarm(
          number, ["a", "b"][Int(random(2))], left: random(50) + 1, done: random(2) == 0, eggs: random(9) + 1,
          position: random(10), group: ["G", "H"][Int(random(2))])
      guard alarms[number] != nil || new != nil else { continue }
      try watching.change(from: alarms[number], to: new)
      if random(3) == 0 { _ = watching.state.list.totals() }
      alarms[number] = new
    }
    var fresh = try Watching(Array(alarms.values))
    fresh.press(.character("/"))
    fresh.type("a")
    #expect(watching.numbers == fresh.numbers)
    let totals = (watching.state.list.totals(), fresh.state.list.totals())
    #expect(totals.0 == totals.1)
    #expect(watching.state.list.progress == fresh.state.list.progress)
    #expect(watching.numbers.count > 5)
  }

  @Test("A ring is announced until the next key, even if its row is not visible")
  func ring() throws {
    var watching = try Watching(Watching.three)
    try watching.change(from: Watching.three[2], to: Watching.alarm(3, "egg 3", state: .ringing))
    #expect(watching.state.notice == "#3 egg 3 rings")
    watching.press(.up)
    #expect(watching.state.notice == nil)
    try watching.change(
      from: Watching.alarm(3, "egg 3", state: .ringing), to: Watching.alarm(3, "egg", state: .ringing))
    #expect(watching.state.notice == nil)
  }

  @Test("A list that arrives again replaces the old one once it is complete")
  func startOver() throws {
    var watching = try Watching(Watching.three)
    try watching.tell("startOver")
    try watching.tell("page", "\"alarms\":[\(Watching.three[2])]")
    #expect(watching.numbers == [1, 2, 3])
    try watching.tell("ready")
    #expect(watching.numbers == [3])
  }

  @Test("A lost connection is shown until the list has arrived again")
  func lost() throws {
    var watching = try Watching(Watching.three)
    watching.state.lose("eggd is not running")
    let lost = watching.state.link
    #expect(lost == .lost("eggd is not running"))
    try watching.tell("page", "\"alarms\":[\(Watching.three[0])]")
    #expect(watching.state.link == lost)
    #expect(watching.numbers == [1, 2, 3])
    try watching.tell("ready")
    #expect(watching.state.link == .live)
    #expect(watching.numbers == [1])
    #expect(watching.state.notice == "eggd is back")
  }
}
