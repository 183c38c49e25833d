import EggProtocol
import Glibc

/// What each costs with nothing to a million alarms stored, the sizes by turns.
enum Scale {
  static let sizes = [0, 1_000, 100_000, 1_000_000]

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
    /// In MB.
    var resident = 0.0
    var own = 0.0
    var file = 0.0
  }

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    var costs = sizes.map { Costs(rows: $0) }
    let states = try sizes.map { try bench.state(of: $0) }
    for round in -1..<9 {
      for index in costs.indices {
        let daemon = try bench.daemonAside(state: states[index])
        if round >= 0 { costs[index].ready.append(daemon.timeToReady) }
        daemon.end()
      }
    }
    let daemons = try states.map { try bench.daemonAside(state: $0) }
    defer { daemons.forEach { $0.end() } }
    try useAll(daemons, &costs, bench)
    for index in costs.indices {
      (costs[index].resident, costs[index].own) = try daemons[index].memory()
      costs[index].file = Self.megabytes("\(states[index])/eggd/schedule.db")
    }
    rows(of: costs, &report)
    let path = "\(bench.repository)/Tests/Benchmarks/scale.svg"
    try ScaleFigure(costs).write(to: path)
    report.notes.append("drawn in Tests/Benchmarks/scale.svg")
  }

  private static func useAll(_ daemons: [Daemon], _ costs: inout [Costs], _ bench: Workbench) throws {
    let wires = try daemons.map { try Wire(path: $0.socket) }
    let clients = try daemons.map { try $0.client() }
    let call = ScheduleCall(expression: "400d", label: "two soft ones")
    for round in -5..<60 {
      for index in daemons.indices {
        let add = try wires[index].time(Wire.call("Schedule", #"{"expression":"400d"}"#))
        let number = try clients[index].call(call).alarm.number
        let delete = try wires[index].time(Wire.call("Delete", #"{"numbers":[\#(number)]}"#))
        guard wires[index].errors == 0 else { throw BenchFailure("a call was refused") }
        guard round >= 0 else { continue }
        costs[index].add.append(add)
        costs[index].delete.append(delete)
      }
    }
    for _ in 0..<10 {
      for index in daemons.indices {
        costs[index].ring.append(try ring(daemons[index], clients[index], bench))
      }
    }
  }

  /// Processor time from half a second before an alarm is due until half a second after, in ns.
  private static func ring(_ daemon: Daemon, _ client: ScheduleClient, _ bench: Workbench) throws -> Int64 {
    _ = bench.journal.takeAll()
    let alarm = try client.call(ScheduleCall(expression: "400ms")).alarm
    guard let due = alarm.due else { throw BenchFailure("no due moment") }
    Clock.sleep(until: (due.microseconds - 100_000) * 1000)
    let before = try daemon.processorTime()
    Clock.sleep(until: (due.microseconds + 200_000) * 1000)
    _ = try bench.journal.take(1)
    let spent = try daemon.processorTime() - before
    // no bubble of it is left for the next start
    _ = try client.call(DeleteCall(WireSelection(numbers: [alarm.number])))
    return spent
  }

  private static func megabytes(_ path: String) -> Double {
    var status = stat()
    return stat(path, &status) == 0 ? Double(status.st_size) / 1_048_576 : .nan
  }

  /// Cost by cost, each with an empty schedule first.
  private static func rows(of costs: [Costs], _ report: inout Report) {
    add("start to READY", "ms", atMost: 50, ratio: 1.2) { Sample.milliseconds($0.ready) }
    add("one add", "µs", ratio: 1.5) { Sample.microseconds($0.add) }
    add("one deletion", "µs", ratio: 1.5) { Sample.microseconds($0.delete) }
    add("one ring, processor time", "µs", ratio: 1.5) { Sample.microseconds($0.ring) }
    let memory = costs[0].resident
    report.rows.append(Row("resident memory, empty", Sample([memory]), "MB", atMost: 20))
    for cost in costs.dropFirst() {
      report.rows.append(
        Row("resident memory, \(cost.name)", Sample([cost.resident]), "MB", atMost: memory + 2))
    }
    for cost in costs { report.rows.append(Row("memory of its own, \(cost.name)", Sample([cost.own]), "MB")) }
    for cost in costs { report.rows.append(Row("database, \(cost.name)", Sample([cost.file]), "MB")) }

    func add(
      _ subject: String, _ unit: String, atMost: Double? = nil, ratio: Double, sample: (Costs) -> Sample
    ) {
      let empty = Row.Beside(
        name: "an empty schedule", sample: sample(costs[0]), atMost: ratio, isAbove: true)
      for cost in costs {
        report.rows.append(
          Row(
            "\(subject), \(cost.name)", sample(cost), unit, atMost: cost.rows == 0 ? nil : atMost,
            beside: cost.rows == 0 ? [] : [empty]))
      }
    }
  }
}
