import EggProtocol
import Glibc

/// Alarms that are due in the same instant, beside a bare loop that sends the same entries to the same receiver.
enum Bursts {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    for (count, atMost, ratio) in [(1_000, 20.0, nil), (10_000, nil, 1.1)] as [(Int, Double?, Double?)] {
      var first: [Int64] = []
      var last: [Int64] = []
      var bare: [Int64] = []
      for _ in 0..<3 {
        let entries = try ring(count, daemon, bench)
        let spans = entries.map { $0.at - ($0.dueAt ?? 0) }
        guard let least = spans.min(), let most = spans.max(), least >= 0 else {
          throw BenchFailure("an alarm rang early")
        }
        first.append(least)
        last.append(most)
        bare.append(try send(entries, to: bench.journal))
      }
      report.rows += [
        Row("\(count) at once: first journal call", .milliseconds(first), "ms"),
        Row(
          "\(count) at once: last journal call", .milliseconds(last), "ms", atMost: atMost,
          beside: Row.Beside(
            name: "bare sendmsg, same entries", sample: .milliseconds(bare), atMost: ratio)),
      ]
      try peers(count, last, bench, &report)
    }
  }

  private static func peers(
    _ count: Int, _ last: [Int64], _ bench: Workbench, _ report: inout Report
  ) throws {
    guard count == 1_000 else { return }
    for peer in PythonTimers.Peer.allCases {
      let moment = Clock.wall() / 1000 + 5_000_000
      let late = try PythonTimers.lateness(
        bench, peer, [Int64](repeating: moment, count: count), &report)
      guard let most = late.max() else { continue }
      report.rows.append(
        Row(
          "\(count) at once: last journal call", .milliseconds(last), "ms",
          beside: Row.Beside(name: peer.name, sample: Sample([most / 1000]))))
    }
  }

  @Sendable static func slowDisk(_ bench: Workbench, _ report: inout Report) throws {
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
    for _ in 0..<3 {
      let entries = try ring(1_000, daemon, bench) { close(creat(slow, 0o600)) }
      unlink(slow)
      last.append(entries.map { $0.at - ($0.dueAt ?? 0) }.max() ?? 0)
      bare.append(try send(entries, to: bench.journal))
    }
    report.rows.append(
      Row(
        "1000 at once, fsync takes 1 s: last journal call", .milliseconds(last), "ms", atMost: 20,
        beside: Row.Beside(name: "bare sendmsg, same entries", sample: .milliseconds(bare))))
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

  private static func store(_ count: Int, at moment: Int64, _ wire: Wire) throws {
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
    let sender = Worker {
      let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
      defer { close(descriptor) }
      let begin = Clock.wall()
      for entry in entries {
        var text = entry.text
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
      return begin
    }
    let begin = try sender.value()
    let received = try journal.take(entries.count) { _ in true }
    return (received.last?.at ?? begin) - begin
  }
}
