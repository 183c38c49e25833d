import EggProtocol
import Glibc

/// Alarms that are due in the same instant, beside a bare loop that sends the same entries to the same receiver.
enum Bursts {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    for (count, name, atMost, ratio) in [(1_000, "1 000", 20.0, nil), (10_000, "10 000", nil, 1.1)]
      as [(Int, String, Double?, Double?)]
    {
      var first: [Int64] = []
      var last: [Int64] = []
      var bubble: [Int64] = []
      var bare: [Int64] = []
      for _ in 0..<3 {
        bench.forgetRings()
        let entries = try ring(count, daemon, bench)
        let spans = entries.map(\.lateness)
        guard let least = spans.min(), let most = spans.max(), least >= 0 else {
          throw BenchFailure("an alarm rang early")
        }
        first.append(least)
        last.append(most)
        bubble.append(try bench.notifications.take(1)[0] - (entries[0].dueAt ?? 0))
        bare.append(try send(entries, to: bench.journal))
      }
      let loop = Row.Beside(name: "sendmsg, the same entries", sample: .milliseconds(bare), atMost: ratio)
      report.rows += [
        Row("\(name): first journal call", .milliseconds(first), "ms"),
        Row(
          "\(name): last journal call", .milliseconds(last), "ms", atMost: atMost,
          beside: [loop] + (count == 1_000 ? try peers(count, bench, &report) : [])),
        Row("\(name): at the bus, the first bubble", .milliseconds(bubble), "ms"),
      ]
    }
  }

  /// The last one of as many at once.
  private static func peers(
    _ count: Int, _ bench: Workbench, _ report: inout Report
  ) throws -> [Row.Beside] {
    var besides: [Row.Beside] = []
    for peer in PythonTimers.allCases {
      // APScheduler takes milliseconds to store each
      let moment = Clock.wall() / 1000 + (peer == .sched ? 5_000_000 : 15_000_000)
      guard let late = peer.start([Int64](repeating: moment, count: count), bench, &report) else { continue }
      besides.append(Row.Beside(name: peer.name, sample: Sample([(try late.value().max() ?? 0) / 1000])))
    }
    return besides
  }

  @Sendable static func slowDisk(_ bench: Workbench, _ report: inout Report) throws {
    guard Command.path("cc") != nil else { throw BenchFailure("cc is not installed (gcc)") }
    let library = "\(bench.disk)/slow-disk.so"
    let slow = "\(bench.disk)/slow"
    try Command.time([
      "cc", "-shared", "-fPIC", "-O1", "-o", library,
      "\(bench.repository)/Tests/Benchmarks/peers/slow-disk.c",
    ])
    let daemon = try bench.daemon(
      state: bench.newState(), preload: ["LD_PRELOAD": library, "EGG_SLOW_DISK": slow])
    defer { daemon.end() }
    defer { unlink(slow) }
    var last: [Int64] = []
    var bare: [Int64] = []
    var add: [Int64] = []
    for _ in 0..<3 {
      let entries = try ring(1_000, daemon, bench) { close(creat(slow, 0o600)) }
      add.append(try Wire(path: daemon.socket).time(Wire.call("Schedule", #"{"expression":"6h30m"}"#)))
      unlink(slow)
      last.append(entries.map(\.lateness).max() ?? 0)
      bare.append(try send(entries, to: bench.journal))
    }
    guard add.allSatisfy({ $0 >= 1_000_000_000 }) else { throw BenchFailure("the disk was not slow") }
    report.rows += [
      Row(
        "1 000: last journal call", .milliseconds(last), "ms", atMost: 20,
        beside: [Row.Beside(name: "sendmsg, the same entries", sample: .milliseconds(bare))]),
      Row("one add on that disk, call to reply", .milliseconds(add), "ms"),
    ]
  }

  /// Has so many alarms due in one instant; returns their entries in order. They are deleted afterwards.
  /// `beforehand` is done half a second before that instant.
  private static func ring(
    _ count: Int, _ daemon: Daemon, _ bench: Workbench, beforehand: () -> Void = {}
  ) throws -> [JournalReceiver.Entry] {
    let wire = try Wire(path: daemon.socket)
    var lead = 2 + Double(count) / 2_000
    while true {
      _ = bench.journal.takeAll()
      let moment = Clock.wall() / 1000 + Int64(lead * 1e6)
      try store(count, at: moment, wire)
      if Clock.wall() < (moment - 1_000_000) * 1000 {
        Clock.sleep(until: (moment - 500_000) * 1000)
        beforehand()
        Clock.sleep(until: (moment + 200_000) * 1000)
        let entries = try bench.journal.take(count, patience: 60)
        guard entries.count == count else { throw BenchFailure("\(entries.count) entries of \(count)") }
        _ = try wire.time(Wire.call("Delete", #"{"all":true}"#))
        return entries
      }
      // stored too late to be seen ringing at one instant
      _ = try wire.time(Wire.call("Delete", #"{"all":true}"#))
      lead *= 2
    }
  }

  /// So many alarms that are due at a moment, in µs since the epoch.
  static func store(_ count: Int, at moment: Int64, _ wire: Wire) throws {
    let alarm = """
      {"alarm":{"number":0,"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"at",\
      "expression":"\(SingleAlarms.epoch(moment))","instant":\(moment)},"occurrences":[]}
      """
    let chunk = Wire.call(
      "ImportAlarms", #"{"alarms":[\#(repeatElement(alarm, count: 100).joined(separator: ","))]}"#)
    for _ in 0..<count / 100 { _ = try wire.time(chunk) }
    _ = try wire.time(Wire.call("CommitImport"))
    guard wire.errors == 0 else { throw BenchFailure("the alarms were refused") }
  }

  /// Sends them as fast as it can: from the first call to the receipt of the last, in ns.
  private static func send(_ entries: [JournalReceiver.Entry], to journal: JournalReceiver) throws -> Int64 {
    _ = journal.takeAll()
    let path = journal.path
    let sender = Worker { try send(entries.map(\.text), to: path).begin }
    let begin = try sender.value()
    let received = try journal.take(entries.count) { _ in true }
    return (received.last?.at ?? begin) - begin
  }

  /// The bare loop: when its first call began and its last returned, in ns since the epoch.
  static func send(_ texts: [[UInt8]], to path: String) throws -> (begin: Int64, end: Int64) {
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    let begin = Clock.wall()
    for var text in texts {
      let sent = UnixAddress.with(path) { address, length in
        text.withUnsafeMutableBytes { text in
          var piece = iovec(iov_base: text.baseAddress, iov_len: text.count)
          var message = msghdr()
          message.msg_name = UnsafeMutableRawPointer(mutating: address)
          message.msg_namelen = length
          return withUnsafeMutablePointer(to: &piece) { piece in
            message.msg_iov = piece
            message.msg_iovlen = 1
            return Int32(sendmsg(descriptor, &message, 0))
          }
        }
      }
      guard sent > 0 else { throw BenchFailure("an entry was not taken: errno \(errno)") }
    }
    return (begin, Clock.wall())
  }
}
