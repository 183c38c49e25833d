import Glibc

/// `eggctl schedule` from the start of its process to its exit, durable, beside what else can be typed for it, by turns.
enum Scheduling {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let bus = ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
    var commands: [(name: String, words: [String], environment: [String: String])] = [
      ("eggctl schedule", [bench.eggctl, "schedule", "6h30m", "two soft ones"], daemon.environment),
      (
        "a static skeleton + fdatasync", [bench.skeleton, "\(bench.disk)/skeleton", "schedule", "6h30m"], [:]
      ),
      ("true", ["true"], [:]),
    ]
    if Command.path("cc") != nil {
      let floor = "\(bench.disk)/call"
      try Command.time([
        "cc", "-static", "-O2", "-o", floor, "\(bench.repository)/Tests/Benchmarks/peers/call.c",
      ])
      commands.append(("a static C program, the same call", [floor, daemon.socket], [:]))
    } else {
      report.missing.append("a static C program: cc is not installed (gcc)")
    }
    if let reason = AtQueue.isMissing {
      report.missing.append("at: \(reason)")
    } else {
      commands.append(("at", ["at", "-M", "-f", "/dev/null", "now + 1 day"], [:]))
    }
    if Command.path("notify-send") != nil {
      commands.append(("notify-send alone", ["notify-send", "Wait!", "Your eggs are almost done!"], bus))
    } else {
      report.missing.append("notify-send: not installed (libnotify-bin)")
    }
    var spans = [[Int64]](repeating: [], count: commands.count)
    for round in -3..<50 {
      for turn in commands.indices {
        // another first each time: who comes after one that left much unsynced waits for that too
        let index = (turn + round + 3) % commands.count
        let command = commands[index]
        let span = try Command.time(command.words, environment: command.environment)
        if round >= 0 { spans[index].append(span) }
      }
    }
    AtQueue.removeAll()
    let limits = ["a static skeleton + fdatasync": 1.25, "at": 1.0]
    let others = commands.indices.dropFirst().map { index in
      Row.Beside(
        name: commands[index].name, sample: .milliseconds(spans[index]), atMost: limits[commands[index].name])
    }
    report.rows.append(
      Row("eggctl schedule, start to exit", .milliseconds(spans[0]), "ms", atMost: 3, beside: others))
  }
}
