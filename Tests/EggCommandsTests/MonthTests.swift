import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import EggCommands

/// A month with fifty alarms a day, on a terminal of 80 columns and 24 lines.
@Suite struct MonthTests {
  @Test("In a month of fifty alarms a day, what rings and what comes next are always on the screen")
  func month() throws {
    var month = Month(seed: 40)
    var watching = try Watching()
    var ringing = 0
    for step in 0..<30 * Month.stepsInDay {
      for change in month.pass() { try watching.tell("change", change) }
      watching.now = month.clock
      month.moveCursor(of: &watching)
      let lines = watching.view(80, 24).picture().lines
      expect(lines, toShow: month, "watch, step \(step)")
      ringing = max(ringing, month.ringing.count)
      // The list as it is printed, every other day, at another hour each time.
      guard step % 53 == 0 else { continue }
      let answer = ScriptedDaemon.Answer.reply(month.list)
      let daemon = try ScriptedDaemon([answer])
      defer { daemon.end() }
      let run = Run.run(
        ["list"], variables: ["XDG_RUNTIME_DIR": daemon.directory, "COLUMNS": "80"], height: 24)
      // The last line is the shell's next prompt.
      expect(
        run.output.split(separator: "\n").suffix(23).map(String.init), toShow: month, "list, step \(step)")
    }
    #expect(month.scheduled == 30 * 50 && ringing > 3)
  }

  private func expect(_ screen: [String], toShow month: Month, _ place: Comment) {
    #expect(screen.allSatisfy { $0.displayWidth <= 80 }, place)
    var shown = Set<Int64>()
    for line in screen {
      if let number = Int64(line.split { " >".contains($0) }.first ?? "") { shown.insert(number) }
      guard line.contains("rings: ") || line.contains("next") else { continue }
      for name in line.matches(of: /#(\d+)(?:-(\d+))?(?![\d…])/) {
        guard let first = Int64(name.1), let last = Int64(name.2 ?? name.1) else { continue }
        shown.formUnion(first...last)
      }
    }
    #expect(shown.isSuperset(of: month.ringing), place)
    #expect(!shown.isDisjoint(with: month.next), place)
  }
}

/// Alarms that come, ring, are answered and are forgotten, on a clock that goes in hours from ``Run/now`` on.
private struct Month {
  static let stepsInDay = 24
  private static let step: Int64 = 3600

  private struct Entry: Equatable {
    var state = Alarm.Phase.scheduled
    var due: Int64?
    var rangAt: Int64?
    let isDaily: Bool
  }

  private var entries: [Int64: Entry] = [:]
  private var random: SeededGenerator
  /// Seconds since the first midnight.
  private var now: Int64 = -step
  private(set) var scheduled = 0
  private var latest: Int64 = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  var clock: Instant { Run.now + .seconds(now) }
  var ringing: [Int64] { entries.filter { $0.value.state == .ringing }.keys.sorted() }
  /// All that have the next moment.
  var next: [Int64] {
    let first = entries.values.compactMap(\.due).min()
    return entries.filter { first != nil && $0.value.due == first }.keys.sorted()
  }
  /// The list, for an eggctl whose clock stands at ``Run/now``.
  var list: String {
    let alarms = entries.sorted { $0.key < $1.key }.map { json($0.key, $0.value, from: now) }
    return
      "{\"alarms\":[\(alarms.joined(separator: ","))],\"totals\":{\"alarms\":\(alarms.count),\"eggs\":1}}"
  }

  /// An hour passes.
  ///
  /// - Returns: The changes.
  mutating func pass() -> [String] {
    now += Self.step
    let before = entries
    let day = now / 86_400 * 86_400
    if now == day {
      // Ten are daily ones; the others come for that day, or for one of the next.
      if now == 0 { for _ in 0..<10 { add(at: .random(in: 0..<86_400, using: &random), isDaily: true) } }
      for _ in 0..<40 {
        let later =
          Int64.random(in: 0..<10, using: &random) == 0 ? Int64.random(in: 1...3, using: &random) : 0
        add(at: day + later * 86_400 + .random(in: 1..<86_400, using: &random), isDaily: false)
      }
      scheduled += 10
    }
    for number in entries.keys.sorted() { live(number) }
    let changed = Set(before.keys).union(entries.keys).sorted().filter { before[$0] != entries[$0] }
    return changed.map { number in
      let old = before[number].map { "\"old\":\(json(number, $0))" }
      let new = entries[number].map { "\"new\":\(json(number, $0))" }
      return [old, new].compactMap(\.self).joined(separator: ",")
    }
  }

  private mutating func add(at due: Int64, isDaily: Bool) {
    latest += 1
    entries[latest] = Entry(due: due, isDaily: isDaily)
    if !isDaily { scheduled += 1 }
  }

  /// It may ring, be answered, be put off, be deleted or be left alone.
  private mutating func live(_ number: Int64) {
    guard var entry = entries[number] else { return }
    if let due = entry.due, due <= now {
      entry.state = .ringing
      entry.rangAt = due
      entry.due = entry.isDaily ? due + 86_400 : nil
    } else if entry.state == .ringing {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<65: entry.state = entry.isDaily ? .scheduled : .rung
      case 65..<75:
        entry.state = .snoozed
        entry.due = now + 600
      case 75..<80 where !entry.isDaily:
        entries[number] = nil
        return
      default: break
      }
    } else if entry.state == .rung, let rangAt = entry.rangAt, now - rangAt > 3 * 86_400 {
      entries[number] = nil
      return
    }
    entries[number] = entry
  }

  /// Sometimes to another row, or to a page that needs no list.
  mutating func moveCursor(of watching: inout Watching) {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: watching.press(.end)
    case 1: watching.press(.home)
    case 2: watching.press(.pageDown)
    case 3: watching.press(.down)
    case 4: watching.press(.character("?"))
    default: break
    }
  }

  private func json(_ number: Int64, _ entry: Entry, from begin: Int64 = 0) -> String {
    func moment(_ seconds: Int64) -> Int64 { Run.now.microseconds + (seconds - begin) * 1_000_000 }
    var members = [
      "\"number\":\(number)", "\"state\":\"\(entry.state.rawValue)\"", "\"done\":false",
      "\"category\":\"other\"", "\"eggs\":1", "\"position\":\(number)", "\"label\":\"errand \(number)\"",
    ]
    if let due = entry.due { members.append("\"due\":\(moment(due))") }
    if let rangAt = entry.rangAt {
      members.append(
        "\"latest\":{\"id\":\(rangAt),\"dueAt\":\(moment(rangAt)),\"outcome\":\"rung\"}")
    }
    return "{\(members.joined(separator: ","))}"
  }
}
