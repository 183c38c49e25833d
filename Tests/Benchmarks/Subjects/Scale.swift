import EggProtocol
import Glibc

/// What each costs with nothing to a million alarms stored, or as many as `--to` says, the sizes by turns, all on the
/// session bus.
enum Scale {
  private static let sizes = [0, 1_000, 100_000, 1_000_000]

  /// The costs of one size.
  struct Costs {
    var rows: Int
    var name: String { rows == 0 ? "empty" : Double(rows).grouped }
    /// All in ns.
    var ready: [Int64] = []
    var add: [Int64] = []
    var delete: [Int64] = []
    /// Processor time.
    var ring: [Int64] = []
    /// Reads of a client, in ns.
    var reads: [Read: [Int64]] = [:]
    /// In MiB.
    var resident = 0.0
    var own = 0.0
    var file = 0.0
  }

  /// What a client asks for.
  enum Read: String, CaseIterable {
    case page = "a page of the list, with totals"
    case rest = "a page of the list, without totals"
    case next = "the next alarm"
    case group = "a page of a group of 1 000, with totals"
    case scheduled = "what is scheduled, with totals"
    case ringing = "what rings, with totals"
    case rung = "what has rung, with totals"

    var parameters: String {
      switch self {
      case .page: #"{"limit":100}"#
      case .rest: #"{"limit":100,"totals":false}"#
      case .next: #"{"limit":1,"order":"due","totals":false}"#
      case .group: #"{"limit":100,"group":"thousand"}"#
      case .scheduled: #"{"limit":100,"states":["scheduled"]}"#
      case .ringing: #"{"limit":100,"states":["ringing"]}"#
      case .rung: #"{"limit":100,"states":["rung"]}"#
      }
    }
  }

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let more = [bench.largest].compactMap { $0 }.filter { $0 > Self.sizes.last ?? 0 }
    let sizes = Self.sizes + more
    var costs = sizes.map { Costs(rows: $0) }
    let states = try sizes.map { try bench.state(of: $0) }
    let rung = try bench.unanswered(1_000_000)
    var unanswered: [Int64] = []
    for round in -1..<9 {
      for index in costs.indices {
        let daemon = try bench.daemonAside(state: states[index], onBus: true)
        if round >= 0 { costs[index].ready.append(daemon.timeToReady) }
        daemon.end()
      }
      // without a bus, so that each start finds what the first one found
      let daemon = try bench.daemonAside(state: rung)
      if round >= 0 { unanswered.append(daemon.timeToReady) }
      daemon.end()
    }
    var numbers = sizes.map { Numbers(stored: $0) }
    try useAll(states, &costs, &numbers, bench)
    for index in costs.indices { costs[index].file = MiB.ofFile("\(states[index])/eggd/schedule.db") }
    rows(of: costs, &report)
    let empty = Row.Beside(
      name: "an empty schedule", sample: .milliseconds(costs[0].ready), atMost: 1.5, isAbove: true)
    report.rows.append(
      Row(
        "start to READY, 1 000 000 unanswered rings", .milliseconds(unanswered), "ms", atMost: 25,
        beside: [empty]))
    let figure = ScaleFigure(costs)
    try figure.write(to: "\(bench.repository)/.build/scale.svg")
    report.notes.append("drawn in .build/scale.svg")
    if let path = bench.figure { try figure.write(to: path) }
  }

  /// Each has afterwards as many stored as before.
  private static func useAll(
    _ states: [String], _ costs: inout [Costs], _ numbers: inout [Numbers], _ bench: Workbench
  ) throws {
    let daemons = try states.map { try bench.daemonAside(state: $0, onBus: true) }
    defer { daemons.forEach { $0.end() } }
    let wires = try daemons.map { try Wire(path: $0.socket) }
    let clients = try daemons.map { try $0.client() }
    for round in -5..<60 {
      for index in daemons.indices {
        let span = try change(wires[index], &numbers[index])
        guard round >= 0 else { continue }
        costs[index].add.append(span.add)
        costs[index].delete.append(span.delete)
      }
    }
    for _ in 0..<10 {
      for index in daemons.indices {
        costs[index].ring.append(try ring(daemons[index], clients[index], &numbers[index], bench))
      }
    }
    // Before the questions, which an empty schedule is not asked.
    for index in costs.indices { (costs[index].resident, costs[index].own) = try daemons[index].memory() }
    // Above a million each read may take seconds.
    for index in daemons.indices where costs[index].rows > 0 {
      for read in Read.allCases {
        let call = Wire.call("List", read.parameters)
        costs[index].reads[read] = try (0..<5).map { _ in try wires[index].time(call) }
      }
    }
  }

  /// Which alarm is deleted next: a stored one, each once; where none is stored the one that was added last.
  private struct Numbers {
    let stored: Int
    /// The last that was given to an alarm; they count up.
    var last: Int
    private var deleted: Set<Int> = []

    init(stored: Int) { (self.stored, last) = (stored, stored) }

    mutating func next() -> Int {
      guard stored > 0 else { return last }
      while true {
        let number = Int.random(in: 1...stored)
        if deleted.insert(number).inserted { return number }
      }
    }
  }

  /// One add, at a moment between those that are stored, and one deletion, anywhere between them; in ns.
  private static func change(_ wire: Wire, _ numbers: inout Numbers) throws -> (add: Int64, delete: Int64) {
    let place = Int64.random(in: 0..<1_000_000 * Int64(max(1_000, numbers.stored)))
    let moment = Clock.wall() / 1000 + PreparedSchedule.ahead * 1_000_000 + place
    let add = try wire.time(Wire.call("Schedule", #"{"expression":"\#(SingleAlarms.epoch(moment))"}"#))
    numbers.last += 1
    let delete = try wire.time(Wire.call("Delete", #"{"numbers":[\#(numbers.next())]}"#))
    guard wire.errors == 0 else { throw BenchFailure("a call was refused") }
    return (add, delete)
  }

  /// Processor time from 0.1 s before an alarm is due until 0.2 s after, its bubble included, in ns.
  private static func ring(
    _ daemon: Daemon, _ client: ScheduleClient, _ numbers: inout Numbers, _ bench: Workbench
  ) throws -> Int64 {
    bench.forgetRings()
    let alarm = try client.call(ScheduleCall(expression: "400ms")).alarm
    numbers.last = Int(alarm.number)
    guard let due = alarm.due else { throw BenchFailure("no due moment") }
    Clock.sleep(until: (due.microseconds - 100_000) * 1000)
    let before = try daemon.processorTime()
    Clock.sleep(until: (due.microseconds + 200_000) * 1000)
    _ = try bench.journal.take(1)
    _ = try bench.notifications.take(1)
    let spent = try daemon.processorTime() - before
    // no bubble of it is left for the next start
    _ = try client.call(DeleteCall(WireSelection(numbers: [alarm.number])))
    return spent
  }

  /// Cost by cost, each with an empty schedule first.
  private static func rows(of costs: [Costs], _ report: inout Report) {
    add("start to READY", "ms", atMost: 25, ratio: 1.5) { Sample.milliseconds($0.ready) }
    add("one add", "µs", ratio: 1.5) { Sample.microseconds($0.add) }
    add("one deletion", "µs", ratio: 1.5) { Sample.microseconds($0.delete) }
    add("one ring, processor time", "µs", atMost: 2_500, ratio: 1.5) { Sample.microseconds($0.ring) }
    let memory = costs[0].resident
    report.rows.append(Row("resident memory, empty", Sample([memory]), "MiB", atMost: 26))
    for cost in costs.dropFirst() {
      report.rows.append(
        Row(
          "resident memory, \(cost.name)", Sample([cost.resident]), "MiB",
          atMost: isMarked(cost) ? memory + 2 : nil))
    }
    for cost in costs {
      report.rows.append(
        Row(
          "memory of its own, \(cost.name)", Sample([cost.own]), "MiB", atMost: cost.rows == 0 ? 5 : nil))
    }
    for cost in costs { report.rows.append(Row("database, \(cost.name)", Sample([cost.file]), "MiB")) }

    for read in Read.allCases {
      for cost in costs {
        guard let spans = cost.reads[read] else { continue }
        report.rows.append(
          Row("\(read.rawValue), \(cost.name)", Sample.milliseconds(spans), "ms", atMost: 100))
      }
    }

    func isMarked(_ cost: Costs) -> Bool { cost.rows == costs.last?.rows }

    func add(
      _ subject: String, _ unit: String, atMost: Double? = nil, ratio: Double, sample: (Costs) -> Sample
    ) {
      for cost in costs {
        let empty = Row.Beside(
          name: "an empty schedule", sample: sample(costs[0]), atMost: isMarked(cost) ? ratio : nil,
          isAbove: true)
        report.rows.append(
          Row(
            "\(subject), \(cost.name)", sample(cost), unit, atMost: atMost,
            beside: cost.rows == 0 ? [] : [empty]))
      }
    }
  }
}
