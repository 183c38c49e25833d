import EggProtocol
import EggTime
import Testing

@testable import EggCommands

@Suite struct WatchStateTests {
  private let three = (1...3).map { Watching.alarm(Int64($0), "egg \($0)") }

  @Test("alarms stand by position, then number, and follow every change")
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

  @Test("the cursor stays at its alarm, whatever others do; where that is gone, at its place")
  func cursor() throws {
    var watching = try Watching(three)
    watching.press(.down)
    #expect(watching.state.current?.number == 2)
    try watching.change(to: Watching.alarm(4, position: 0))
    #expect(watching.state.current?.number == 2)
    try watching.change(from: three[1])
    #expect(watching.state.current?.number == 3)
    try watching.change(from: three[2])
    #expect(watching.state.current?.number == 1)
  }

  @Test("an alarm that was added gets the cursor, whether the reply or the change comes first")
  func added() throws {
    var watching = try Watching(three)
    watching.state.apply(WatchOutcome(number: 4))
    #expect(watching.state.current?.number == 1)
    try watching.change(to: Watching.alarm(4))
    #expect(watching.state.current?.number == 4)
    try watching.change(to: Watching.alarm(5))
    watching.state.apply(WatchOutcome(number: 5))
    #expect(watching.state.current?.number == 5)
  }

  @Test("totals are those of what is shown, at every moment")
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

  @Test("a model of changes applied one by one is the model of the list told anew")
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

  @Test("a ring is told, wherever the alarm stands, until the next key")
  func ring() throws {
    var watching = try Watching(three)
    try watching.change(from: three[2], to: Watching.alarm(3, "egg 3", state: .ringing))
    #expect(watching.state.notice == "#3 egg 3 rings")
    watching.press(.up)
    #expect(watching.state.notice == nil)
    try watching.change(
      from: Watching.alarm(3, "egg 3", state: .ringing), to: Watching.alarm(3, "egg", state: .ringing))
    #expect(watching.state.notice == nil)
  }

  @Test("what is told anew takes the place of the list once it is complete")
  func startOver() throws {
    var watching = try Watching(three)
    try watching.tell("startOver")
    try watching.tell("page", "\"alarms\":[\(three[2])]")
    #expect(watching.numbers == [1, 2, 3])
    try watching.tell("ready")
    #expect(watching.numbers == [3])
  }

  @Test("a connection that was lost is told until the list has come again")
  func lost() throws {
    var watching = try Watching(three)
    watching.state.lose("eggd is not there")
    let lost = watching.state.link
    #expect(lost == .lost("eggd is not there"))
    try watching.tell("page", "\"alarms\":[\(three[0])]")
    #expect(watching.state.link == lost)
    #expect(watching.numbers == [1, 2, 3])
    try watching.tell("ready")
    #expect(watching.state.link == .live)
    #expect(watching.numbers == [1])
    #expect(watching.state.notice == "eggd is back")
  }

  @Test(
    "a key asks eggd for something about the alarm at the cursor",
    arguments: [
      (.character("s"), .snooze(1)), (.character(" "), .dismiss(1)), (.character("p"), .pause(1)),
      (.character("x"), .markDone(1, true)), (.character("h"), .schedule(expression: "5s", label: nil)),
    ] as [(Key, WatchRequest)])
  func requests(_ key: Key, _ request: WatchRequest) throws {
    var watching = try Watching(three)
    watching.press(key)
    #expect(watching.requests == [request])
  }

  @Test("the same key pauses and lets go on, marks done and not done")
  func toggles() throws {
    var watching = try Watching([Watching.alarm(1, state: .paused, done: true)])
    watching.press(.character("p"), .character("x"))
    #expect(watching.requests == [.resume(1), .markDone(1, false)])
  }

  @Test("where there is no alarm, keys about one do nothing")
  func nothing() throws {
    var watching = try Watching()
    for key in "dspxm G".map(Key.character) + [.up, .down, .pageDown, .delete, .end] { watching.press(key) }
    #expect(watching.requests == [])
    #expect(watching.state.mode == .list)
  }

  @Test("delete asks; only y deletes")
  func delete() throws {
    var watching = try Watching(three)
    watching.press(.character("d"), .character("n"))
    #expect(watching.requests == [])
    #expect(watching.state.notice == "#1 stays")
    watching.press(.character("d"), .character("y"))
    #expect(watching.requests == [.delete(1)])
  }

  @Test("undo asks with what eggd says would be taken back; only y does it")
  func undo() throws {
    let change = UndoReply(
      change: .delete, madeAt: Run.now - .seconds(120), client: "eggctl", own: false, count: 1, numbers: [7],
      label: "two soft ones", missed: [], sequence: 31)
    var watching = try Watching(three)
    for key in ["n", "y"] {
      watching.press(.character("u"))
      #expect(watching.requests.last == .previewUndo)
      watching.state.apply(WatchOutcome(undo: change))
      #expect(
        watching.view().picture().lines.last
          == "undo deleted #7 'two soft ones', 2 min ago, by eggctl? y/n")
      watching.press(.character(Character(key)))
    }
    #expect(watching.requests == [.previewUndo, .previewUndo, .undo(change)])
  }

  @Test("what is asked about an alarm is void when somebody else deletes it")
  func gone() throws {
    var watching = try Watching(three)
    watching.press(.character("d"))
    try watching.change(from: three[0])
    #expect(watching.state.mode == .list)
    watching.press(.character("y"))
    #expect(watching.requests == [])
    watching.press(.character("m"))
    try watching.change(from: three[1])
    #expect(watching.state.mode == .list)
    #expect(watching.state.notice == "#2 is gone")
  }

  @Test("text from the clipboard is typed into a line and is no key anywhere else")
  func paste() throws {
    var watching = try Watching(three)
    watching.press(.pasted("dy"))
    #expect(watching.requests == [])
    watching.press(.character("a"), .pasted("6m30s two soft ones"), .enter)
    #expect(watching.requests == [.schedule(expression: "6m30s", label: "two soft ones")])
    #expect(watching.state.mode == .list)
  }

  @Test("a line that is no alarm stays to be corrected; Escape leaves it")
  func wrongLine() throws {
    var watching = try Watching()
    watching.press(.character("a"))
    watching.type("6x")
    watching.press(.enter)
    #expect(watching.requests == [])
    watching.press(.backspace)
    watching.type("m")
    watching.press(.enter)
    #expect(watching.requests == [.schedule(expression: "6m", label: nil)])
    watching.press(.character("a"), .character("q"), .escape)
    #expect(watching.state.mode == .list)
    #expect(!watching.state.isOver)
  }

  @Test(
    "a move is shown first and asked for with Enter, next to an alarm that is on the screen",
    arguments: [
      ([.down], [2, 1, 3], .move(1, .before, 3)), ([.down, .down], [2, 3, 1], .move(1, .after, 3)),
      ([.end], [2, 3, 1], .move(1, .after, 3)), ([.down, .up], [1, 2, 3], nil), ([.up], [1, 2, 3], nil),
    ] as [([Key], [Int64], WatchRequest?)])
  func move(_ keys: [Key], _ shown: [Int64], _ request: WatchRequest?) throws {
    var watching = try Watching(three)
    watching.press(.character("m"))
    for key in keys { watching.press(key) }
    #expect(watching.numbers == shown)
    watching.press(.enter)
    #expect(watching.requests == [request].compactMap(\.self))
    #expect(watching.numbers == [1, 2, 3])
  }

  @Test("a move upwards goes before the alarm that follows")
  func moveUp() throws {
    var watching = try Watching(three)
    watching.press(.end, .character("m"), .up, .up)
    #expect(watching.numbers == [3, 1, 2])
    watching.press(.enter)
    #expect(watching.requests == [.move(3, .before, 1)])
    watching.press(.character("m"), .up, .escape)
    #expect(watching.requests.count == 1)
  }

  @Test(
    "the filter looks for words in label and group, and for the beginning of number, state and category",
    arguments: [
      ("soft", [1, 4]), ("SOFT one", [1]), ("#2", [2, 20]), ("2", [2, 20]), ("pau", [2]), ("sunday", [20]),
      ("done", [4]), ("달걀", [20]), ("zzz", []), ("", [1, 2, 4, 20]), ("hard ", [2]),
    ] as [(String, [Int64])])
  func filter(_ text: String, _ numbers: [Int64]) throws {
    var watching = try Watching([
      Watching.alarm(1, "two Soft ones"), Watching.alarm(2, state: .paused, category: .hard),
      Watching.alarm(4, done: true, category: .soft), Watching.alarm(20, "달걀", group: "Sunday"),
    ])
    watching.press(.character("/"))
    watching.type(text)
    #expect(watching.numbers == numbers)
    watching.press(.control("u"))
    #expect(watching.numbers == [1, 2, 4, 20])
  }

  @Test("a filter stays with Enter and goes with Escape")
  func filterKept() throws {
    var watching = try Watching(three)
    watching.press(.character("/"), .character("3"), .enter)
    #expect(watching.numbers == [3])
    try watching.change(to: Watching.alarm(33))
    try watching.change(to: Watching.alarm(4))
    #expect(watching.numbers == [3, 33])
    watching.press(.character("/"), .character("3"), .escape)
    #expect(watching.numbers == [3, 33])
    watching.press(.escape)
    #expect(watching.numbers == [1, 2, 3, 4, 33])
  }

  @Test("q leaves, but not where it is typed")
  func quit() throws {
    var watching = try Watching(three)
    watching.press(.character("/"), .character("q"), .escape)
    #expect(!watching.state.isOver)
    watching.press(.character("q"))
    #expect(watching.state.isOver)
  }

  @Test("a longer filter shows of a shorter one's alarms what it would show of all")
  func narrowing() throws {
    let alarms = (1...2_000).map { Watching.alarm(Int64($0), "egg \($0)") }
    var typed = try Watching(alarms)
    typed.press(.character("/"))
    typed.type("egg 77")
    var pasted = try Watching(alarms)
    pasted.press(.character("/"), .pasted("egg 77"))
    #expect(typed.numbers == pasted.numbers)
    #expect(typed.numbers == (1...2_000).filter { "\($0)".contains("77") })
  }
}
