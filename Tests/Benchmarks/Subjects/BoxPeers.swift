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
    let peer = Row.Beside(name: "systemd-run --user", sample: try sample(.systemdRun), atMost: 0.75)
    report.rows += try InBox.verbs.map { figure in
      Row("eggctl \(figure.rawValue), start to exit", try sample(figure), "ms", beside: [peer])
    }
    report.rows.append(
      Row(
        "10 000 at once: the last journal call", try sample(.lastOfMany), "ms",
        beside: [Row.Beside(name: "sendmsg, the same entries", sample: try sample(.sent), atMost: 2)]))
  }
}
