import Glibc

/// `eggctl schedule` from the start of its process to its exit, durable, beside what else can be typed for it, by turns.
enum Scheduling {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let bus = ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
    let words = ["schedule", "6h30m", "two soft ones"]
    var commands: [(name: String, words: [String], environment: [String: String])] = [
      ("eggctl schedule", [bench.eggctl] + words, daemon.environment),
      ("a static skeleton + fdatasync", [bench.skeleton, "\(bench.disk)/skeleton"] + words, [:]),
      ("true", ["true"], [:]),
    ]
    if let program = try inC(bench, &report) {
      commands.append(("eggctl in C, the same call", [program, daemon.socket] + words, [:]))
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
    let disk = try DurableWrite(path: "\(bench.disk)/floor")
    var floor: [Int64] = []
    for round in -3..<50 {
      for turn in commands.indices {
        // another first each time: who comes after one that left much unsynced waits for that too
        let index = (turn + round + 3) % commands.count
        let command = commands[index]
        let span = try Command.time(command.words, environment: command.environment)
        guard round >= 0 else { continue }
        spans[index].append(span)
        if command.name == "true" { floor.append(span + disk.time()) }
      }
    }
    AtQueue.removeAll()
    commands.append(("true, and one fdatasync", [], [:]))
    spans.append(floor)
    let limits = ["a static skeleton + fdatasync": 1.25, "at": 1.0]
    let others = commands.indices.dropFirst().map { index in
      Row.Beside(
        name: commands[index].name, sample: .milliseconds(spans[index]), atMost: limits[commands[index].name])
    }
    report.rows.append(
      Row("eggctl schedule, start to exit", .milliseconds(spans[0]), "ms", atMost: 3, beside: others))
  }

  /// The same call by a program of nothing else; nil where it cannot be made.
  private static func inC(_ bench: Workbench, _ report: inout Report) throws -> String? {
    guard Command.path("cc") != nil else {
      report.missing.append("eggctl in C: cc is not installed (gcc)")
      return nil
    }
    let program = "\(bench.disk)/call"
    let words = ["cc", "-O2", "-o", program, "\(bench.repository)/Tests/Benchmarks/peers/call.c"]
    try Command.time(words)
    do {
      try Command.time(words + ["-static"])
    } catch {
      report.missing.append("eggctl in C: no libc to link statically is installed (\(error))")
      return nil
    }
    return program
  }
}
