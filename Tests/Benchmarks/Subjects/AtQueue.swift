import Glibc

/// The queue of at(1), which the script `run` has made one of the benchmark's own.
enum AtQueue {
  static let directory = "/var/spool/cron/atjobs"

  /// Why it cannot be measured.
  static var isMissing: String? {
    if Command.path("at") == nil { return "not installed" }
    if getuid() != 0 { return "its queue is written by its own user, which takes root" }
    return getenv("EGG_BENCH_OWN_AT") == nil ? "the queue is the machine's own" : nil
  }

  static func removeAll() {
    guard isMissing == nil else { return }
    for name in names { unlink("\(directory)/\(name)") }
  }

  /// So many copies of one that at itself has made.
  static func make(_ count: Int) throws {
    removeAll()
    try Command.time(["at", "-M", "-f", "/dev/null", "now + 1 day"])
    guard let first = names.first else { throw BenchFailure("at made nothing") }
    // a, the number in five digits, the minute
    for number in 1..<count {
      let digits = String(0x10000 + number, radix: 16)
      guard link("\(directory)/\(first)", "\(directory)/a\(digits)\(first.dropFirst(6))") == 0 else {
        throw BenchFailure("cannot write \(directory): errno \(errno)")
      }
    }
  }

  /// How late at is at each full minute of the seconds to come: from then until the command it starts looks at the
  /// clock, in ns.
  static func lateness(of minutes: [Int64], _ bench: Workbench) -> Worker<[Int64]> {
    let rang = "\(bench.disk)/at-rang"
    let file = "\(bench.disk)/at-command"
    return Worker {
      try Command.time(["bash", "-c", "echo 'date +%s%N >> \(rang)' > \(file)"])
      for minute in minutes {
        var moment = Int(minute / 1_000_000)
        var civil = tm()
        localtime_r(&moment, &civil)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y%m%d%H%M", &civil)
        let time = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try Command.time(["at", "-M", "-f", file, "-t", time])
      }
      let complaints = try Complaints()
      let daemon = try Command.start(["/usr/sbin/atd", "-f"], complaints: complaints)
      defer {
        kill(daemon, SIGTERM)
        waitpid(daemon, nil, 0)
      }
      Clock.sleep(until: ((minutes.last ?? 0) + 2_000_000) * 1000)
      let text = (try? Command.text(of: rang)) ?? ""
      let stamps = text.split(separator: "\n").compactMap { Int64($0) }
      guard stamps.count == minutes.count else {
        throw BenchFailure("at rang \(stamps.count) times of \(minutes.count)\(complaints.take())")
      }
      return zip(stamps, minutes).map { $0 - $1 * 1000 }
    }
  }

  private static var names: [String] {
    guard let directory = opendir(directory) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}
