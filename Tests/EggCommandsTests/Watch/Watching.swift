import Alarms
import EggProtocol
import EggTime
import Varlink

@testable import EggCommands

/// Drives a screen's state with messages and keys, and shows it as lines.
struct Watching {
  var state: WatchState
  var now = Run.now
  private(set) var requests: [WatchRequest] = []
  private var sequence: Int64 = 0

  /// Begins with these alarms in the list.
  init(_ alarms: [String] = []) throws {
    state = WatchState()
    try tell("page", "\"alarms\":[\(alarms.joined(separator: ","))]")
    try tell("ready")
  }

  /// Begins with several machines whose lists are still to come.
  init(hosts: [String]) throws { state = WatchState(hosts: hosts) }

  /// "egg 1" to "egg 3".
  static let three = (1...3).map { alarm(Int64($0), "egg \($0)") }

  /// An alarm on the wire; by default it rings in as many minutes as its number.
  static func alarm(
    _ number: Int64, _ label: String? = nil, left: Int64? = nil, state: Alarm.Phase = .scheduled,
    done: Bool = false, eggs: Int64 = 1, category: Alarms.Category = .other, position: Int64? = nil,
    group: String? = nil, every: String? = nil
  ) -> String {
    var members = [
      "\"number\":\(number)", "\"state\":\"\(state.rawValue)\"", "\"done\":\(done)",
      "\"category\":\"\(category.rawValue)\"", "\"eggs\":\(eggs)", "\"position\":\(position ?? number)",
    ]
    if state == .scheduled {
      members.append("\"due\":\(Run.now.microseconds + (left ?? number * 60) * 1_000_000)")
    }
    if state == .ringing {
      members.append(
        "\"latest\":{\"id\":\(number),\"dueAt\":\(Run.now.microseconds),\"outcome\":\"rung\","
          + "\"firedAt\":\(Run.now.microseconds)}")
    }
    if let every { members.append("\"kind\":\"every\",\"calendarEvent\":\"\(every)\"") }
    if let label { members.append("\"label\":\"\(label)\"") }
    if let group { members.append("\"group\":\"\(group)\"") }
    return "{\(members.joined(separator: ","))}"
  }

  /// Applies a message of eggd.
  mutating func tell(_ part: String, _ members: String...) throws {
    sequence += 1
    let json =
      "{\(["\"part\":\"\(part)\"", "\"sequence\":\(sequence)"].joined(separator: ","))"
      + members.map { ",\($0)" }.joined() + "}"
    state.apply(try JSON.value(Array(json.utf8), as: SubscribeReply.self))
  }

  /// Applies a change of one alarm.
  mutating func change(from old: String? = nil, to new: String? = nil) throws {
    var members: [String] = []
    if let old { members.append("\"old\":\(old)") }
    if let new { members.append("\"new\":\(new)") }
    try tell("change", members.joined(separator: ","))
  }

  /// Presses keys in order.
  mutating func press(_ keys: Key...) {
    for key in keys { requests += state.press(key, in: ReadingContext(now: now, zone: .utc)) }
  }

  mutating func type(_ text: String) {
    for scalar in text.unicodeScalars { press(.character(Character(scalar))) }
  }

  /// The screen.
  mutating func view(_ columns: Int = 80, _ lines: Int = 10, colours: Bool = false) -> WatchView {
    let layout = WatchLayout(
      columns: columns, lines: lines, groups: state.groups.count,
      groupWidth: state.groupWidth, footer: state.footerLines)
    state.prepare(rows: layout.rows)
    let view = WatchView(
      state: state, moments: Moments(zone: .utc, now: now), layout: layout, colours: colours)
    state.keepDetails(within: view.lastDetailsTop)
    return view
  }

  /// The screen's lines without trailing empty ones.
  mutating func lines(_ columns: Int = 80, _ lines: Int = 10, colours: Bool = false) -> String {
    view(columns, lines, colours: colours).picture().lines.map { $0 + "\n" }.joined()
  }

  /// The numbers on the screen.
  var numbers: [Int64] { (0..<state.list.count).compactMap { state.alarm(at: $0)?.wire.number } }
}
