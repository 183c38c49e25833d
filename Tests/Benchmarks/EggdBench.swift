import EggProtocol
import Glibc

/// Lateness of single alarms beside a bare timerfd loop, in one run, and the memory of the idle daemon.
@main
struct EggdBench {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[3]), count > 0 else {
      print("usage: eggd-bench EGGD DIRECTORY COUNT")
      exit(64)
    }
    let journal = try JournalReceiver(path: "/run/systemd/journal/socket")
    let daemon = try Daemon(program: arguments[1], directory: arguments[2])
    defer { daemon.end() }
    let client = try daemon.connect()
    print("idle, nothing scheduled: \(try daemon.memory())")

    // each alarm alone, an idle fifth of a second apart; the bare timers halfway between
    let spacing: Int64 = 200_000
    var dues: [Int64] = []
    for index in 1...count {
      let call = ScheduleCall(expression: "\(1_000_000 + Int64(index) * spacing)us")
      guard let due = try client.call(call).alarm.due else { throw BenchFailure("no due moment") }
      dues.append(due.microseconds)
    }
    let bare = BareTimer(moments: dues.map { $0 + spacing / 2 })
    let rings = try journal.rings(count)
    let bareLateness = bare.wait()

    let alarms = Lateness(rings.map { $0.sentAt - $0.dueAt })
    let timers = Lateness(bareLateness)
    print("late by                       min      p50      p99      max   of \(count)")
    print("eggd, at the journal call  \(alarms)")
    print("a bare timerfd loop        \(timers)")
    print("idle, \(count) rung: \(try daemon.memory())")
    guard alarms.earliest >= 0 else { throw BenchFailure("an alarm rang early") }
  }
}

/// What kept the benchmark from measuring.
struct BenchFailure: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}

/// Spans in ns, as one line of µs.
struct Lateness: CustomStringConvertible {
  private let sorted: [Int64]

  init(_ spans: [Int64]) { sorted = spans.sorted() }

  var earliest: Int64 { sorted.first ?? 0 }

  var description: String {
    [0, 0.5, 0.99, 1].map { part in
      let span = sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
      let tenths = span / 100
      let text = "\(tenths / 10).\(abs(tenths % 10))"
      return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }.joined() + "  µs"
  }
}
