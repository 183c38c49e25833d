/// Timers of Python: sched of its library, and APScheduler with its schedule in SQLite.
enum PythonTimers: String, CaseIterable {
  case sched
  case apscheduler

  var name: String { self == .sched ? "Python's sched, in memory" : "APScheduler, SQLite" }

  /// How late it is at each of the moments, in µs since the epoch; in µs. Nil where it is missing, which the report then
  /// says. Begins at once.
  func start(_ moments: [Int64], _ bench: Workbench, _ report: inout Report) -> Worker<[Double]>? {
    guard let python = self == .sched ? Command.path("python3") : bench.python else {
      report.missing.append("\(name): not installed")
      return nil
    }
    let file = "\(bench.disk)/\(rawValue)"
    let words = [
      python, "\(bench.repository)/Tests/Benchmarks/peers/timers.py",
      self == .sched ? rawValue : "\(file)-\(moments.count).db",
    ]
    return Worker { [name] in
      let text = try Command.output(words + moments.map { String($0) }, through: file)
      let late = text.split(separator: "\n").compactMap { Double($0) }
      guard late.count == moments.count else { throw BenchFailure("\(name) rang \(late.count) times") }
      return late
    }
  }
}
