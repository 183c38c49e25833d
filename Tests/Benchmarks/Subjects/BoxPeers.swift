import Glibc

/// Beside `systemd-run --user` in a real user manager: a login in the test bed's box, with its own journald, and the disk
/// that is measured.
enum BoxPeers {
  /// The box's login user.
  private static let user: uid_t = 4242
  /// It would drop what is above 10 000 entries in 30 s.
  private static let noRateLimit = """
    mkdir -p /run/systemd/journald.conf.d
    printf '[Journal]\\nRateLimitIntervalSec=0\\n' >/run/systemd/journald.conf.d/bench.conf
    systemctl restart systemd-journald
    """

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    guard getuid() == 0 else {
      report.missing.append("systemd-run --user: booting a user manager takes root")
      return
    }
    // what a machine without systemd lacks; the packages are Debian's
    let needed = [
      ("/lib/systemd/systemd", "systemd-sysv"), ("systemd-run", "systemd"), ("dbus-daemon", "dbus-daemon"),
    ]
    for (program, package) in needed where Command.path(program) == nil {
      report.missing.append("systemd-run --user: \(program) is not installed (\(package))")
      return
    }
    let directory = "\(bench.disk)/box"
    mkdir(directory, 0o700)
    chown(directory, user, user)
    let words = [
      "\(bench.repository)/Tests/testbed/with-user-systemd", "--uid", String(user), "--bind", directory,
      "--setenv", "TMPDIR=/tmp", "--setup", noRateLimit, "\(bench.binaries)/eggd-bench", "--in-box",
      bench.binaries, directory,
    ]
    let text = try Command.output(words, through: "\(bench.disk)/box-says")
    var spans: [Substring: [Int64]] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      spans[words[0]] = words.dropFirst().compactMap { Int64($0) }
    }
    func sample(_ figure: InBox.Figure) throws -> Sample {
      guard let figures = spans[figure.rawValue[...]], !figures.isEmpty else {
        throw BenchFailure("no figure '\(figure)' came out of the box: \(text.suffix(200))")
      }
      return .milliseconds(figures)
    }
    func row(
      _ subject: String, _ figure: InBox.Figure, part: Row.Part = .median, beside name: String,
      _ other: InBox.Figure, atMost: Double
    ) throws -> Row {
      Row(
        subject, try sample(figure), "ms", part: part,
        beside: [Row.Beside(name: name, sample: try sample(other), atMost: atMost)])
    }
    report.rows += [
      try row(
        "eggctl schedule, start to exit", .schedule, beside: "systemd-run --user", .systemdRun,
        atMost: 1 / 3.0),
      try row(
        "eggctl list of 1 000, start to exit", .list, beside: "systemctl list-timers", .listTimers,
        atMost: 1 / 10.0),
      Row("late when journald received it, least", try sample(.received), "ms", part: .least, atLeast: 0),
      try row(
        "late when journald received it, p50", .received, beside: "systemd-run, AccuracySec=1us",
        .systemdLateness, atMost: 1 / 20.0),
      Row("late by journald's own clock, p50", try sample(.journaled), "ms"),
      try row(
        "1 000 at once: the last journal call", .last, beside: "systemd-run, the same second",
        .systemdLast, atMost: 1 / 100.0),
      try row(
        "10 000 at once: the last journal call", .lastOfMany, beside: "sendmsg, the same entries", .sent,
        atMost: 1.1),
    ]
  }
}
