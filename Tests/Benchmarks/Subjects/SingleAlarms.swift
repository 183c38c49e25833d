import EggProtocol
import EggTime

/// How late single alarms are while something else goes on, beside a timerfd loop whose moments lie between theirs.
enum SingleAlarms {
  @Sendable static func busy(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let stop = Stop()
    let spinner = Worker { while !stop.isSet {} }
    defer { stop.set() }
    report.rows += try lateness(bench, daemon).rows()
    stop.set()
    try spinner.value()
  }

  @Sendable static func flood(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let stop = Stop()
    let flood = try Flood(daemon, until: stop)
    defer { stop.set() }
    let begin = Clock.steady()
    report.rows += try lateness(bench, daemon).rows()
    stop.set()
    let answered = try flood.answered()
    let seconds = Double(Clock.steady() - begin) / 1e9
    report.rows += [
      Row("changes that the flood stored", Sample([Double(answered.changes) / seconds]), "/s"),
      Row("questions that it was answered", Sample([Double(answered.questions) / seconds]), "/s"),
    ]
  }

  @Sendable static func million(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon(stored: 1_000_000)
    defer { daemon.end() }
    report.rows += try lateness(bench, daemon).rows(isMarked: true)
  }

  /// Of 50 alarms, a fifth of a second apart.
  private static func lateness(_ bench: Workbench, _ daemon: Daemon) throws -> Lateness {
    let count = 50
    let spacing: Int64 = 200_000
    bench.forgetRings()
    let first = Clock.wall() / 1000 + 3_000_000
    let moments = (0..<Int64(count)).map { first + $0 * spacing }
    try schedule(moments, daemon)
    let between = moments.map { $0 + spacing / 2 }
    let bare = BareTimer.start(moments: between, bus: bench.bus.address)
    Clock.sleep(until: (first + Int64(count) * spacing) * 1000)
    let rings = try bench.journal.take(count)
    let stamps = try bench.notifications.take(count)
    let bareStamps = try bench.notifications.take(count, of: BareTimer.sender)
    guard rings.count == count, stamps.count == count else {
      throw BenchFailure("\(rings.count) entries and \(stamps.count) notifications of \(count) alarms")
    }
    return Lateness(
      journal: rings.map(\.lateness), said: rings.map(\.saidLateness),
      bus: zip(stamps, moments).map { $0 - $1 * 1000 }, bare: try bare.value(),
      bareBus: zip(bareStamps, between).map { $0 - $1 * 1000 })
  }

  /// One alarm at each of the moments, in µs since the epoch.
  static func schedule(_ moments: [Int64], _ daemon: Daemon) throws {
    let client = try daemon.client()
    defer { client.connection.close() }
    for moment in moments {
      let reply = try client.call(.init(expression: epoch(moment)) as ScheduleCall)
      guard reply.alarm.due?.microseconds == moment else { throw BenchFailure("due at another moment") }
    }
  }

  /// A moment in µs as a time expression.
  static func epoch(_ moment: Int64) -> String {
    let rest = String(moment % 1_000_000)
    return "@\(moment / 1_000_000)." + String(repeating: "0", count: 6 - rest.count) + rest
  }
}
