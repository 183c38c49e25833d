import Glibc

/// `eggctl schedule` from the start of its process to its exit, durable, beside what else can be typed for it; one of
/// each by turns.
enum Scheduling {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let bus = ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
    var commands: [(name: String, words: [String], environment: [String: String])] = [
      ("eggctl schedule", [bench.eggctl, "schedule", "6h30m", "two soft ones"], daemon.environment),
      ("skeleton + fdatasync", [bench.skeleton, "\(bench.disk)/skeleton", "schedule", "6h30m"], [:]),
      ("true", ["true"], [:]),
    ]
    if Command.path("notify-send") != nil {
      commands.append(("notify-send", ["notify-send", "Wait!", "Your eggs are almost done!"], bus))
    } else {
      report.missing.append("notify-send: not installed (libnotify-bin)")
    }
    let at = ("at", ["at", "-M", "-f", "/dev/null", "now + 1 day"], [:] as [String: String])
    if let reason = AtJobs.isMissing {
      report.missing.append("at: \(reason)")
    } else {
      commands.append(at)
    }
    var spans = [[Int64]](repeating: [], count: commands.count)
    for round in -3..<50 {
      for (index, command) in commands.enumerated() {
        let span = try Command.time(command.words, environment: command.environment)
        if round >= 0 { spans[index].append(span) }
      }
    }
    AtJobs.removeAll()
    let limits = ["skeleton + fdatasync": 1.25, "at": 1.0]
    for index in commands.indices.dropFirst() {
      let beside = Row.Beside(
        name: commands[index].name, sample: .milliseconds(spans[index]), atMost: limits[commands[index].name])
      report.rows.append(
        Row(
          "eggctl schedule, start to exit", .milliseconds(spans[0]), "ms", atMost: index == 1 ? 3 : nil,
          beside: beside))
    }
    daemon.end()
    try BoxPeers.run(bench, &report)
  }
}

/// The queue of at(1), which the script `run` has made one of the benchmark's own.
enum AtJobs {
  static let directory = "/var/spool/cron/atjobs"

  /// Why it cannot be measured.
  static var isMissing: String? {
    if Command.path("at") == nil { return "not installed" }
    if getuid() != 0 { return "its queue is written by its own user, which takes root" }
    return getenv("EGG_BENCH_OWN_AT") == nil ? "the queue is the machine's own" : nil
  }

  static func removeAll() {
    guard isMissing == nil, let directory = opendir(directory) else { return }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { unlink("\(Self.directory)/\(name)") }
    }
  }

  /// So many copies of one that at itself has made.
  static func make(_ count: Int) throws {
    removeAll()
    try Command.time(["at", "-M", "-f", "/dev/null", "now + 1 day"])
    try Command.time([
      "bash", "-c",
      """
      cd "$0" && first=$(echo a*) && for ((i = 1; i < $1; i++)); do
        printf -v name 'a%05x%s' $((0x10000 + i)) "${first:6}"; names+=("$name"); done
      for name in "${names[@]}"; do ln "$first" "$name"; done
      """, directory, String(count),
    ])
  }
}
