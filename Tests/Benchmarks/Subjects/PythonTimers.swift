/// Timers of Python: sched of its library, and APScheduler.
enum PythonTimers {
  /// Single alarms, a fifth of a second apart.
  static func single(_ bench: Workbench, beside ours: [Int64], _ report: inout Report) throws {
    let first = Clock.wall() / 1000 + 2_000_000
    let moments = (0..<20).map { first + $0 * 200_000 }
    for peer in Peer.allCases {
      let late = try lateness(bench, peer, moments, &report)
      guard !late.isEmpty else { continue }
      report.rows.append(
        Row(
          "at the journal call, p50", .microseconds(ours), "µs",
          beside: Row.Beside(name: peer.name, sample: Sample(late))))
    }
  }

  enum Peer: String, CaseIterable {
    case sched
    case apscheduler

    var name: String { self == .sched ? "Python's sched, in memory" : "APScheduler, in memory" }
  }

  /// In µs, of each; empty where the peer is missing, which the report then says.
  static func lateness(
    _ bench: Workbench, _ peer: Peer, _ moments: [Int64], _ report: inout Report
  ) throws -> [Double] {
    let python = peer == .sched ? Command.path("python3") : bench.python
    guard let python else {
      report.missing.append("\(peer.name): not installed")
      return []
    }
    // moments that are over by now are moved to where those of the first peer were
    let shift = max(0, Clock.wall() / 1000 + 2_000_000 - (moments.first ?? 0))
    let script = "\(bench.repository)/Tests/Benchmarks/peers/timers.py"
    let words = [python, script, peer.rawValue] + moments.map { String($0 + shift) }
    let text = try Command.output(words, through: "\(bench.disk)/python")
    let late = text.split(separator: "\n").compactMap { Double($0) }
    guard late.count == moments.count else { throw BenchFailure("\(peer.name) rang \(late.count) times") }
    return late
  }
}
