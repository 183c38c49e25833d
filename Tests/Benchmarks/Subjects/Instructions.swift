/// The instructions of short commands, from start to exit. callgrind counts the same each time, whatever else runs.
enum Instructions {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    guard Command.path("valgrind") != nil else { return report.missing.append("valgrind: not installed") }
    let daemon = try bench.daemon(stored: 0)
    defer { daemon.end() }
    let log = "\(bench.disk)/callgrind.log"
    for (words, atMost) in [(["--version"], 9.0), (["list"], 12), (["schedule", "10h", "-q"], 16)] {
      try Command.time(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)", bench.eggctl]
          + words, environment: daemon.environment)
      let line = try Command.text(of: log).split(separator: "\n").first { $0.contains("refs:") }
      guard let count = line?.split(separator: " ").last.flatMap({ Double($0.filter { $0 != "," }) }) else {
        throw BenchFailure("valgrind counted no instructions")
      }
      let name = words.joined(separator: " ")
      report.rows.append(
        Row("eggctl \(name), instructions", Sample([count / 1e6]), "million", atMost: atMost))
    }
  }
}
