import Glibc

/// `systemd-run --user` in a real user manager, with an eggd beside it on the disk that is measured.
enum BoxPeers {
  /// The box's login user.
  private static let user: uid_t = 4242

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let box = "\(bench.repository)/Tests/testbed/with-user-systemd"
    guard getuid() == 0 else {
      report.missing.append("systemd-run --user: booting a user manager takes root")
      return
    }
    let directory = "\(bench.disk)/box"
    mkdir(directory, 0o700)
    chown(directory, user, user)
    let words = [
      box, "--uid", String(user), "--bind", directory, "--setenv", "TMPDIR=/tmp",
      "\(bench.binaries)/eggd-bench", "--in-box",
      bench.binaries, directory,
    ]
    let text: String
    do {
      text = try Command.output(words, through: "\(bench.disk)/box-says")
    } catch {
      report.missing.append("systemd-run --user: \(error)")
      return
    }
    var spans: [Substring: [Int64]] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      spans[words[0]] = words.dropFirst().compactMap { Int64($0) }
    }
    guard let ours = spans["eggctl"], let theirs = spans["systemd-run"], !ours.isEmpty else {
      throw BenchFailure("no figures came out of the box")
    }
    report.rows.append(
      Row(
        "eggctl schedule, start to exit, in a login's box", .milliseconds(ours), "ms",
        beside: Row.Beside(name: "systemd-run --user", sample: .milliseconds(theirs), atMost: 1 / 3.0)))
    if let timers = spans["list-timers"], let list = spans["list"] {
      report.rows.append(
        Row(
          "eggctl list of 50, in a login's box", .milliseconds(list), "ms",
          beside: Row.Beside(
            name: "systemctl --user list-timers", sample: .milliseconds(timers), atMost: 1 / 3.0)))
    }
  }

  /// In the box, as its user: prints a name and spans in ns a line.
  static func measure(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchFailure("--in-box BINARIES DIRECTORY") }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/run/user/\(getuid())"
    let daemon = try Daemon(program: "\(words[0])/eggd", runtime: runtime, state: "\(words[1])/state")
    defer { daemon.end() }
    let bus = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus"]
    var ours: [Int64] = []
    var theirs: [Int64] = []
    for round in -2..<48 {
      let own = try Command.time(
        ["\(words[0])/eggctl", "schedule", "6h30m", "two soft ones"], environment: daemon.environment)
      let peer = try Command.time(
        ["systemd-run", "--user", "--quiet", "--on-active=6h30m", "true"], environment: bus)
      guard round >= 0 else { continue }
      ours.append(own)
      theirs.append(peer)
    }
    var list: [Int64] = []
    var timers: [Int64] = []
    for _ in 0..<10 {
      list.append(try Command.time(["\(words[0])/eggctl", "list"], environment: daemon.environment))
      timers.append(
        try Command.time(["systemctl", "--user", "--no-pager", "list-timers"], environment: bus))
    }
    let lines = [("eggctl", ours), ("systemd-run", theirs), ("list", list), ("list-timers", timers)]
    for (name, spans) in lines { print(name, spans.map { String($0) }.joined(separator: " ")) }
  }
}
