import Glibc

/// A minute in which nothing is due: with a million stored and no client eggd does nothing at all.
enum Idle {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    guard Command.path("strace") != nil else { throw BenchFailure("strace is not installed") }
    let daemon = try bench.daemon(stored: 1_000_000)
    defer { daemon.end() }
    Clock.sleep(15)
    let log = "\(bench.disk)/strace"
    let complaints = try Complaints()
    let tracer = try Command.start(
      ["strace", "-f", "-qq", "-o", log, "-p", String(daemon.pid)], complaints: complaints)
    defer { kill(tracer, SIGKILL) }
    // What waits in a call is interrupted by the tracer, and goes back to waiting.
    Clock.sleep(1.5)
    var status: Int32 = 0
    guard waitpid(tracer, &status, WNOHANG) == 0 else {
      throw BenchFailure("strace cannot trace eggd, \(Command.end(status))\(complaints.take())")
    }
    let before = (calls: try lines(log), switches: try switches(daemon.pid))
    Clock.sleep(60)
    let calls = Double(try lines(log) - before.calls)
    let switched = Double(try switches(daemon.pid) - before.switches)
    // that the tracer would have seen something
    _ = try Wire(path: daemon.socket).time(Wire.call("Status"))
    Clock.sleep(0.5)
    guard Double(try lines(log) - before.calls) > calls else { throw BenchFailure("strace saw nothing") }
    kill(tracer, SIGTERM)
    waitpid(tracer, nil, 0)
    report.rows += [
      Row("system calls in 60 s", Sample([calls]), "", atMost: 0),
      Row("times that a thread of it ran in 60 s", Sample([switched]), "", atMost: 0),
    ]
  }

  private static func lines(_ file: String) throws -> Int {
    try Command.text(of: file).utf8.count { $0 == UInt8(ascii: "\n") }
  }

  /// How often threads of the process were switched to; its main thread and those that are there now.
  private static func switches(_ process: pid_t) throws -> Int {
    var sum = 0
    for thread in try threads(of: process) {
      for line in try Command.text(of: "/proc/\(process)/task/\(thread)/status").split(separator: "\n")
      where line.contains("ctxt_switches") {
        sum += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return sum
  }

  private static func threads(of process: pid_t) throws -> [String] {
    guard let directory = opendir("/proc/\(process)/task") else { throw BenchFailure("eggd has ended") }
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
