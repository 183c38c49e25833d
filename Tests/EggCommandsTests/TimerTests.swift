import EggProtocol
import EggTime
import Testing
import Varlink

@testable import EggCommands

@Suite("eggctl timer")
struct TimerTests {
  private static func alarm(_ members: String) -> String {
    #"{"number":12,"done":false,"category":"soft","eggs":1,"label":"달걀 two soft ones","kind":"in","span":390000000,"#
      + #""createdAt":\#(Run.now.microseconds),\#(members)}"#
  }

  private static let waiting = alarm(#""state":"scheduled","due":\#(Run.now.microseconds + 390_000_000)"#)
  private static let ringing = alarm(#""state":"ringing""#)

  private static func tell(_ state: inout TimerState, _ part: String, _ members: String = "") throws {
    let json = #"{"part":"\#(part)","sequence":1\#(members)}"#
    state.apply(try JSON.value(Array(json.utf8), as: SubscribeReply.self), from: 0)
  }

  private static func state(_ alarm: String = waiting) throws -> TimerState {
    var state = TimerState(number: 12)
    try tell(&state, "page", #","alarms":[\#(alarm)]"#)
    try tell(&state, "ready")
    return state
  }

  private static func lines(
    _ state: TimerState, _ columns: Int, _ lines: Int, after span: TimeSpan = .zero
  ) -> [String] {
    var state = state
    let moments = Moments(zone: .utc, now: Run.now + span)
    return state.draw((columns, lines), moments, colours: false).0.lines
  }

  @Test(
    "It fits any size, and digits become as large as there is room for", arguments: [20, 40, 80, 200],
    [5, 10, 24, 50])
  func fits(columns: Int, count: Int) throws {
    for alarm in [Self.waiting, Self.ringing] {
      let lines = Self.lines(try Self.state(alarm), columns, count)
      #expect(lines.count == count)
      #expect(lines.allSatisfy { $0.displayWidth <= columns })
    }
    let blocks = Self.lines(try Self.state(), columns, count).filter { $0.contains("█ ") }
    #expect(blocks.isEmpty == (count < 9))
  }

  @Test("On five lines of twenty columns stand the time left, the bar, the label, the moment and the keys")
  func smallest() throws {
    #expect(
      Self.lines(try Self.state(), 20, 5, after: .seconds(195)) == [
        "        3:15", "  ████████░░░░░░░░", " 달걀 two soft ones", "rings at 2026. 11. …",
        "Space pause  + - a …",
      ])
  }

  @Test(
    "Without time left the state stands there, once",
    arguments: ["paused", "rung", "missed", "skipped"])
  func withoutTimeLeft(phase: String) throws {
    let lines = Self.lines(try Self.state(Self.alarm(#""state":"\#(phase)""#)), 40, 5)
    #expect(
      lines.filter { !$0.isEmpty }.map { String($0.drop { $0 == " " }) } == [
        phase, "달걀 two soft ones",
        "Space \(phase == "paused" ? "resume" : "pause")  + - a minute  q leave",
      ])
  }

  @Test("An option that timer lacks comes with the command of schedule")
  func noQuiet() {
    #expect(
      Run.alone("timer", "3s", "-q")
        == .failed(.usage, "eggctl: error: timer has no '-q'\neggctl: hint: eggctl schedule 3s -q\n"))
  }

  @Test("A second that has begun counts, and the picture changes at the next one")
  func seconds() throws {
    var state = try Self.state()
    let moments = Moments(zone: .utc, now: Run.now + TimeSpan(microseconds: 400_000))
    let (picture, change) = state.draw((20, 5), moments, colours: false)
    #expect(picture.lines[0].hasSuffix("6:30"))
    #expect(change == Run.now + .seconds(1))
  }

  @Test("Keys pause and resume, move by a minute, snooze and dismiss, and q leaves")
  func keys() throws {
    var state = try Self.state()
    let context = ReadingContext(now: Run.now, zone: .utc)
    func press(_ key: Key) -> [WatchRequest] { state.press(key, in: context) }
    #expect(press(.character(" ")) == [.pause(12)])
    #expect(press(.character("+")) == [.extend(12, .seconds(60))])
    #expect(press(.character("-")) == [.extend(12, .seconds(-60))])
    #expect(press(.character("s")) == [.snooze(12, nil)])
    #expect(press(.enter) == [.dismiss(12)])
    try Self.tell(&state, "change", #","new":\#(Self.alarm(#""state":"paused","remaining":60000000"#))"#)
    #expect(press(.character(" ")) == [.resume(12)])
    #expect(!state.isOver)
    #expect(press(.character("q")).isEmpty)
    #expect(state.isOver)
  }

  @Test("What was said of a key before the ring gives way to the keys of the ring")
  func notice() throws {
    var state = try Self.state()
    state.apply(WatchOutcome(notice: "only ringing alarms can be snoozed"), from: 0)
    #expect(Self.lines(state, 60, 5).last?.contains("only ringing") == true)
    try Self.tell(&state, "change", #","new":\#(Self.ringing)"#)
    #expect(Self.lines(state, 60, 5).last?.contains("Enter dismiss") == true)
  }

  @Test("It ends when its ring is dismissed or its alarm deleted, not while eggd is away")
  func ends() throws {
    var state = try Self.state(Self.ringing)
    state.lose("eggd is not running", from: 0)
    #expect(!state.isOver && Self.lines(state, 40, 5).last?.contains("eggd is not running") == true)
    try Self.tell(&state, "page", #","alarms":[\#(Self.ringing)]"#)
    try Self.tell(&state, "ready")
    #expect(!state.isOver)
    try Self.tell(&state, "change", #","new":\#(Self.alarm(#""state":"rung""#))"#)
    #expect(state.isOver)
    var deleted = try Self.state()
    try Self.tell(&deleted, "change", #","old":\#(Self.waiting)"#)
    #expect(deleted.isOver && deleted.alarm == nil)
  }
}
