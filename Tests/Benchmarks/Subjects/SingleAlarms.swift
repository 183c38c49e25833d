import EggProtocol
import EggTime

/// How late single alarms are, beside a timerfd loop whose moments lie between theirs.
enum SingleAlarms {
  @Sendable static func idle(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let warm = try lateness(bench, daemon, count: 200, spacing: 200_000)
    add(warm, "", marks: true, to: &report)
    let cold = try lateness(bench, daemon, count: 4, spacing: 11_000_000)
    add(cold, "after 10 s of idle, ", marks: false, to: &report)
    try PythonTimers.single(bench, beside: warm.journal, &report)
  }

  @Sendable static func busy(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let stop = Stop()
    let spinner = Worker { while !stop.isSet {} }
    defer { stop.set() }
    add(try lateness(bench, daemon, count: 50, spacing: 200_000), "", marks: false, to: &report)
    stop.set()
    try spinner.value()
  }

  @Sendable static func flood(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let stop = Stop()
    let path = daemon.socket
    // an alarm of a key, so that the schedule does not grow
    let calls =
      Wire.call("Schedule", #"{"expression":"30d","key":"flood"}"#) + Wire.call("Status")
      + Wire.call("List", #"{"limit":100}"#)
    let flooder = Worker {
      let wire = try Wire(path: path)
      var answered = 0
      var underWay = 0
      while !stop.isSet {
        if underWay <= 45 {
          try wire.send(calls)
          underWay += 3
        }
        if underWay > 45 {
          let count = try wire.replies()
          answered += count
          underWay -= count
        }
      }
      return answered
    }
    defer { stop.set() }
    let begin = Clock.steady()
    add(try lateness(bench, daemon, count: 50, spacing: 200_000), "", marks: false, to: &report)
    stop.set()
    let rate = Double(try flooder.value()) / (Double(Clock.steady() - begin) / 1e9)
    report.notes.append("the flooding client was answered \(rate.short) calls a second")
  }

  @Sendable static func million(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon(stored: 1_000_000)
    defer { daemon.end() }
    add(try lateness(bench, daemon, count: 50, spacing: 200_000), "", marks: false, to: &report)
  }

  /// In ns, in no order.
  struct Lateness {
    var journal: [Int64]
    var bus: [Int64]
    var bare: [Int64]
  }

  /// `spacing` in µs, at most one alarm every 20 ms.
  static func lateness(
    _ bench: Workbench, _ daemon: Daemon, count: Int, spacing: Int64
  ) throws -> Lateness {
    let client = try daemon.client()
    _ = bench.journal.takeAll()
    _ = try bench.notifications.take(0)
    let first = Clock.wall() / 1000 + 2_000_000 + Int64(count) * 20_000
    let moments = (0..<Int64(count)).map { first + $0 * spacing }
    for moment in moments {
      let reply = try client.call(.init(expression: epoch(moment)) as ScheduleCall)
      guard reply.alarm.due?.microseconds == moment else { throw BenchFailure("due at another moment") }
    }
    client.connection.close()
    let bare = BareTimer.start(moments: moments.map { $0 + spacing / 2 })
    Clock.sleep(until: (first + Int64(count) * spacing) * 1000)
    let rings = try bench.journal.take(count)
    let stamps = try bench.notifications.take(count)
    guard rings.count == count, stamps.count == count else {
      throw BenchFailure("\(rings.count) entries and \(stamps.count) notifications of \(count) alarms")
    }
    return Lateness(
      journal: rings.map { $0.at - ($0.dueAt ?? 0) },
      bus: zip(stamps, moments).map { $0 - $1 * 1000 }, bare: try bare.value())
  }

  /// A moment in µs as a time expression.
  static func epoch(_ moment: Int64) -> String {
    let rest = String(moment % 1_000_000)
    return "@\(moment / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }

  /// The marks are those of an idle machine.
  private static func add(_ lateness: Lateness, _ when: String, marks: Bool, to report: inout Report) {
    let journal = Sample.microseconds(lateness.journal)
    let bus = Sample.microseconds(lateness.bus)
    let bare = Sample.microseconds(lateness.bare)
    let loop = Row.Beside(name: "a bare timerfd loop", sample: bare)
    var least = loop
    least.atMost = 1
    report.rows += [
      Row("\(when)earliest at the journal", journal, "µs", part: .least, atLeast: 0),
      Row(
        "\(when)at the journal call, p50", journal, "µs", atMost: marks ? 100 : nil,
        beside: marks ? least : loop),
      Row(
        "\(when)at the journal call, p99", journal, "µs", part: .p99,
        atMost: marks && bare.quantile(0.99) <= 1000 ? 1000 : nil,
        beside: marks && bare.quantile(0.99) > 1000 ? least : loop),
      Row("\(when)at the bus, p50", bus, "µs", atMost: marks ? 300 : nil, beside: loop),
      Row("\(when)at the bus, p99", bus, "µs", part: .p99, beside: loop),
    ]
  }
}
