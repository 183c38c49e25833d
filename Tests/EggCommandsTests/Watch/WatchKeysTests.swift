import EggProtocol
import EggTime
import Testing
import Varlink

@testable import EggCommands

/// What keys and typed lines do.
@Suite struct WatchKeysTests {
  @Test(
    "Keys send requests for the alarm under the cursor",
    arguments: [
      (.character("s"), .snooze(1, nil)), (.character(" "), .dismiss(1)), (.character("p"), .pause(1)),
      (.character("x"), .markDone(1, true)), (.character("h"), .schedule(expression: "5s", label: nil)),
      (.character("r"), .again(1)), (.character("U"), .redo), (.enter, .show(1)),
    ] as [(Key, WatchRequest)])
  func requests(_ key: Key, _ request: WatchRequest) throws {
    var watching = try Watching(Watching.three)
    watching.press(key)
    #expect(watching.requests == [request])
  }

  @Test("s asks how long a ringing alarm is snoozed, and offers the last three lengths")
  func snooze() throws {
    var watching = try Watching([Watching.alarm(1, "tea", state: .ringing)])
    let offer = SnoozeOffer(id: 1, lengths: ["5min", "1h", "tomorrow 9:00"])
    watching.press(.character("s"))
    #expect(watching.requests == [.snoozeLengths(1)])
    watching.state.apply(WatchOutcome(snooze: offer))
    #expect(
      watching.view().picture().lines.suffix(2) == [
        "snooze #1 for: 5min", "up, down: 5min · 1h · tomorrow 9:00",
      ])
    watching.press(.up, .enter)
    #expect(watching.requests.last == .snooze(1, .until("tomorrow 9:00")))
    watching.press(.character("s"))
    watching.state.apply(WatchOutcome(snooze: offer))
    watching.type("10x")
    watching.press(.enter)
    #expect(watching.requests.last == .snoozeLengths(1))
    watching.press(.backspace)
    watching.type("m")
    watching.press(.enter)
    #expect(watching.requests.last == .snooze(1, .span(.seconds(600))))
    watching.press(.character("s"))
    watching.state.apply(WatchOutcome(snooze: offer))
    #expect(
      watching.state.mode
        == .typing(.snooze(1, ["10m", "tomorrow 9:00", "5min"]), TypedLine("10m", isOffer: true)))
    watching.press(.escape)
    #expect(watching.state.mode == .list)
  }

  @Test("The same key pauses and resumes, marks done and not done")
  func toggles() throws {
    var watching = try Watching([Watching.alarm(1, state: .paused, done: true)])
    watching.press(.character("p"), .character("x"))
    #expect(watching.requests == [.resume(1), .markDone(1, false)])
  }

  @Test("Without an alarm, keys that need one do nothing")
  func nothing() throws {
    var watching = try Watching()
    for key in "dspxm Ge+rgo".map(Key.character) + [.up, .down, .pageDown, .delete, .end, .enter] {
      watching.press(key)
    }
    #expect(watching.requests == [])
    #expect(watching.state.mode == .list)
  }

  @Test("delete asks; only y deletes")
  func delete() throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("d"), .character("n"))
    #expect(watching.requests == [])
    #expect(watching.state.notice == "#1 stays")
    watching.press(.character("d"), .character("y"))
    #expect(watching.requests == [.delete(1)])
  }

  @Test("undo asks with the change that eggd would undo; only y undoes it")
  func undo() throws {
    let change = UndoReply(
      change: .delete, madeAt: Run.now - .seconds(120), client: "eggctl", own: false, count: 1, numbers: [7],
      label: "two soft ones", missed: [], sequence: 31)
    var watching = try Watching(Watching.three)
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

  @Test("A question about an alarm ends if somebody else deletes it")
  func gone() throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("d"))
    try watching.change(from: Watching.three[0])
    #expect(watching.state.mode == .list)
    watching.press(.character("y"))
    #expect(watching.requests == [])
    watching.press(.character("m"))
    try watching.change(from: Watching.three[1])
    #expect(watching.state.mode == .list)
    #expect(watching.state.notice == "#2 is gone")
  }

  @Test("Pasted text goes into an input line, and is ignored elsewhere")
  func paste() throws {
    var watching = try Watching(Watching.three)
    watching.press(.pasted("dy"))
    #expect(watching.requests == [])
    watching.press(.character("a"), .pasted("6m30s two soft ones"), .enter)
    #expect(watching.requests == [.schedule(expression: "6m30s", label: "two soft ones")])
    #expect(watching.state.mode == .list)
  }

  @Test("A line that gives no alarm can be corrected; Escape leaves it")
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
    "A move is previewed, and sent with Enter as a place next to a shown alarm",
    arguments: [
      ([.down], [2, 1, 3], .move(1, .before, 3)), ([.down, .down], [2, 3, 1], .move(1, .after, 3)),
      ([.end], [2, 3, 1], .move(1, .after, 3)), ([.down, .up], [1, 2, 3], nil), ([.up], [1, 2, 3], nil),
    ] as [([Key], [Int64], WatchRequest?)])
  func move(_ keys: [Key], _ shown: [Int64], _ request: WatchRequest?) throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("m"))
    for key in keys { watching.press(key) }
    #expect(watching.numbers == shown)
    watching.press(.enter)
    #expect(watching.requests == [request].compactMap(\.self))
    #expect(watching.numbers == [1, 2, 3])
  }

  @Test("A move upwards goes before the following alarm")
  func moveUp() throws {
    var watching = try Watching(Watching.three)
    watching.press(.end, .character("m"), .up, .up)
    #expect(watching.numbers == [3, 1, 2])
    watching.press(.enter)
    #expect(watching.requests == [.move(3, .before, 1)])
    watching.press(.character("m"), .up, .escape)
    #expect(watching.requests.count == 1)
  }

  @Test(
    "The filter matches words in label and group, and beginnings of number, state and category",
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

  @Test("Enter keeps a filter, Escape removes it")
  func filterKept() throws {
    var watching = try Watching(Watching.three)
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

  @Test("q quits, but not in an input line")
  func quit() throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("/"), .character("q"), .escape)
    #expect(!watching.state.isOver)
    watching.press(.character("q"))
    #expect(watching.state.isOver)
  }

  @Test("A longer filter after a shorter one shows what it would show alone")
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

  @Test("ringing alarms come first in every order; o shows other orders and says which")
  func orders() throws {
    var watching = try Watching([
      Watching.alarm(1, "c", left: 30), Watching.alarm(2, "B", left: 20),
      Watching.alarm(3, "a", state: .ringing), Watching.alarm(4, left: 10),
    ])
    #expect(watching.numbers == [3, 1, 2, 4])
    watching.press(.down, .character("o"))
    #expect(watching.numbers == [3, 4, 2, 1])
    #expect(watching.state.notice == "sorted by due")
    #expect(watching.state.current?.wire.number == 1)
    watching.press(.character("m"))
    #expect(watching.state.notice == "sorted by due: o goes back to the order that m changes")
    watching.press(.character("o"))
    #expect(watching.numbers == [3, 2, 1, 4])
    #expect(watching.state.notice == "sorted by label")
    try watching.change(
      from: Watching.alarm(4, left: 10), to: Watching.alarm(4, "aa", left: 10))
    #expect(watching.numbers == [3, 4, 2, 1])
    try watching.tell("startOver")
    for alarm in [Watching.alarm(1, "c"), Watching.alarm(2, "B")] {
      try watching.tell("page", "\"alarms\":[\(alarm)]")
    }
    try watching.tell("ready")
    #expect(watching.numbers == [2, 1])
    watching.press(.character("o"))
    #expect(watching.state.notice == "in list order")
    #expect(watching.numbers == [1, 2])
  }

  @Test("An alarm is not moved among ringing ones")
  func moveAmongRinging() throws {
    var watching = try Watching([Watching.alarm(1), Watching.alarm(2, state: .ringing)])
    watching.press(.down, .character("m"), .up, .enter)
    #expect(watching.requests == [])
    #expect(watching.state.notice == "what rings comes first, what is over last")
  }

  @Test(
    "e changes the time, the label or both; any other line can be corrected",
    arguments: [
      ("8m", .edit(1, expression: "8m", label: nil)),
      ("tomorrow 07:30 \"get up\"", .edit(1, expression: "tomorrow 07:30", label: "get up")),
      ("\"two soft ones\"", .edit(1, expression: nil, label: "two soft ones")),
      (" '' ", .edit(1, expression: nil, label: "")), ("6x", nil), ("", nil),
    ] as [(String, WatchRequest?)])
  func edit(_ text: String, _ request: WatchRequest?) throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("e"))
    watching.type(text)
    watching.press(.enter)
    #expect(watching.requests == [request].compactMap(\.self))
    #expect((watching.state.mode == .list) == (text != "6x"))
  }

  /// What a line says of rings and days off.
  private static func moments(_ words: String) -> MomentWords {
    MomentWords(
      words.split(separator: " ").map(String.init), as: nil, in: ReadingContext(now: Run.now, zone: .utc),
      isTimeOptional: true)
  }

  @Test("Both lines take rings before and days off beside the time, and e takes them alone")
  func momentLines() throws {
    let typed = "tomorrow 14:30 tea 15 minutes before"
    var watching = try Watching(Watching.three)
    watching.press(.character("a"), .pasted(typed))
    #expect(
      watching.view(80).picture().lines.last
        == "2026. 11. 21. 14:30:00  in 16 h 55 min  15 min before, at the moment  tea")
    watching.press(.enter)
    #expect(
      watching.requests
        == [.schedule(expression: "tomorrow 14:30", label: "tea", moments: Self.moments(typed))])
    watching = try Watching(Watching.three)
    watching.press(.character("e"), .pasted("except holidays"))
    #expect(watching.view(80).picture().lines.last == "except holidays")
    watching.press(.enter)
    #expect(
      watching.requests
        == [.edit(1, expression: nil, label: nil, moments: Self.moments("except holidays"))])
    #expect(watching.state.mode == .list)
  }

  @Test("The edit line shows what it changes")
  func editPreview() throws {
    var watching = try Watching(Watching.three)
    func bottom() -> [String] { watching.view(60).picture().lines.suffix(2) }
    watching.press(.character("e"))
    #expect(bottom() == ["edit #1: ", "8m, tomorrow 07:30, or \"another label\""])
    watching.type("6m30s egg")
    #expect(bottom() == ["edit #1: 6m30s egg", "2026. 11. 20. 21:41:00  in 6 min 30 s  egg"])
    watching.press(.control("u"))
    watching.type("6x")
    #expect(bottom() == ["edit #1: 6x", "          ^ not a unit of time"])
    watching.press(.control("u"), .pasted("\"egg\""))
    #expect(bottom() == ["edit #1: \"egg\"", "egg"])
  }

  @Test("The edit line says that a recurring alarm would ring once")
  func editOnce() throws {
    var watching = try Watching([Watching.alarm(1, every: "Mon..Fri *-*-* 07:30:00")])
    watching.press(.character("e"))
    watching.type("6m30s")
    #expect(
      watching.view(60).picture().lines.last == "2026. 11. 20. 21:41:00  in 6 min 30 s  once only")
  }

  @Test("+ extends an alarm by the entered span, by default five minutes")
  func extend() throws {
    var watching = try Watching(Watching.three)
    watching.press(.character("+"), .enter)
    watching.press(.character("+"), .pasted("-30s"), .enter)
    #expect(watching.requests == [.extend(1, .seconds(300)), .extend(1, .zero - .seconds(30))])
    watching.press(.character("+"), .end, .character("x"), .enter)
    #expect(watching.view().picture().lines.last == "enter a span: 90s, 10m, 1h30m")
    watching.press(.backspace, .enter)
    #expect(watching.requests.last == .extend(1, .seconds(300)))
    #expect(watching.requests.count == 3)
  }

  @Test("g moves an alarm into the entered group; an empty name means none")
  func group() throws {
    var watching = try Watching([
      Watching.alarm(1, group: "Sunday"), Watching.alarm(2), Watching.alarm(3, group: "Work"),
    ])
    watching.press(.character("g"), .enter)
    #expect(watching.requests == [])
    watching.press(.character("g"))
    #expect(watching.view().picture().lines.last == "group of #1: Sunday")
    watching.press(.control("u"), .enter)
    watching.press(.down, .character("g"), .character("W"), .tab, .enter)
    #expect(watching.requests == [.group(1, ""), .group(2, "Work")])
  }

  @Test(
    "A line that eggd refuses comes back, with the reason below it, unless another has been begun",
    arguments: [("a", "tomorrow 07:30 tea"), ("e", "8m"), ("+", "-30s"), ("g", "Work")]
      as [(Character, String)])
  func refused(_ key: Character, _ text: String) throws {
    var watching = try Watching(Watching.three)
    watching.press(.character(key), .pasted(text))
    let line = watching.state.mode
    watching.press(.enter)
    let request = try #require(watching.requests.last)
    #expect(watching.state.mode == .list)
    watching.state.fail(request, "eggd does not want it")
    #expect(watching.state.mode == line)
    let bottom = watching.view(60).picture().lines.suffix(2)
    #expect(bottom.first?.hasSuffix(": \(text)") == true)
    #expect(bottom.last == "eggd does not want it")
    watching.press(.enter, .character("/"))
    watching.state.fail(request, "eggd does not want it")
    #expect(watching.state.mode == .filter(TypedLine(), before: ""))
  }

  @Test("Enter shows an alarm in full; any key goes back")
  func details() throws {
    var watching = try Watching(Watching.three)
    watching.press(.enter)
    let reply = try JSON.value(
      Array("{\"alarm\":\(Watching.three[0]),\"occurrences\":[]}".utf8), as: ShowReply.self)
    watching.state.apply(WatchOutcome(details: reply))
    #expect(
      watching.view(60, 7).picture().lines == [
        "next in 1 min: #1 egg 1", "#1  2026. 11. 20. 21:35:30  in 1 min   egg 1",
        "state  scheduled", "eggs   1", "any key: back to the list", "", "",
      ])
    #expect(watching.view(60, 5).picture().lines.last == "any key: back to the list")
    watching.press(.character("d"))
    #expect(watching.state.mode == .list)
  }

  @Test("Details longer than the screen wrap and scroll")
  func longDetails() throws {
    var watching = try Watching(Watching.three)
    let alarm =
      "{\"number\":1,\"state\":\"scheduled\",\"done\":false,\"category\":\"other\",\"eggs\":1,\"note\":\"one two three\\nfour five six seven eight nine ten\"}"
    let reply = try JSON.value(Array("{\"alarm\":\(alarm),\"occurrences\":[]}".utf8), as: ShowReply.self)
    watching.state.apply(WatchOutcome(details: reply))
    let lines = [
      "state  scheduled", "eggs   1", "note   one two three", "       four five six seven",
      "       eight nine ten",
    ]
    func shown() -> [String] { Array(watching.view(30, 5).picture().lines[1...3]) }
    #expect(shown()[1...] == lines[0...1])
    #expect(watching.view(60, 5).picture().lines.last == "up, down: scroll; another key: back to the list")
    watching.press(.down)
    #expect(shown() == Array(lines[0...2]))
    watching.press(.end, .down, .down)
    #expect(shown() == Array(lines[2...4]))
    watching.press(.up)
    #expect(shown() == Array(lines[1...3]))
    watching.press(.home)
    #expect(shown()[1...] == lines[0...1])
    watching.press(.escape)
    #expect(watching.state.mode == .list)
  }
}
