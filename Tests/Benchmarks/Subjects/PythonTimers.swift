/// Timers of Python: sched of its library, and APScheduler with its schedule in SQLite.
enum PythonTimers: String, CaseIterable {
  case sched
  case apscheduler

  var name: String { self == .sched ? "Python's sched, in memory" : "APScheduler, SQLite" }

  func isMissing(_ bench: Workbench) -> Bool { python(bench) == nil }

  private func python(_ bench: Workbench) -> String? {
    self == .sched ? Command.path("python3") : bench.python
  }

  /// How late it is at each of the moments, in µs since the epoch; in µs. Begins at once; fails where it has not stored
  /// them half a second before the first.
  func start(_ moments: [Int64], _ bench: Workbench) -> Worker<[Double]> {
    let python = python(bench) ?? "python3"
    let file = "\(bench.disk)/\(rawValue)"
    let script = "\(bench.repository)/Tests/Benchmarks/peers/timers.py"
    return Worker { [self] in
      let database = "\(file)-\(moments.first ?? 0).db"
      let words = [python, script, self == .sched ? rawValue : database] + moments.map { String($0) }
      let text = try Command.output(words, through: file)
      let late = text.split(separator: "\n").compactMap { Double($0) }
      guard late.count == moments.count else { throw BenchFailure("it rang \(late.count) times") }
      return late
    }
  }
}
