import EggProtocol
import Glibc

/// Alarms that are due in the same instant, beside a bare loop that sends the same entries to the same receiver.
enum Bursts {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    for (count, name, atMost, ratio) in [(1_000, "1 000", 20.0, nil), (10_000, "10 000", nil, 1.5)]
      as [(Int, String, Double?, Double?)]
    {
      var earliest: [Int64] = []
      var first: [Int64] = []
      var last: [Int64] = []
      var bubble: [Int64] = []
      var bare: [Int64] = []
      var peers = count == 1_000 ? Peers(bench, &report) : nil
      for round in 0..<3 {
        bench.forgetRings()
        let entries = try ring(count, daemon, bench)
        let spans = entries.map(\.lateness)
        earliest.append(spans.min() ?? 0)
        first.append(spans.first ?? 0)
        last.append(spans.max() ?? 0)
        bubble.append(try bench.notifications.take(1)[0] - (entries[0].dueAt ?? 0))
        bare.append(try send(entries, to: bench.journal))
        // twice: APScheduler takes seconds to store them
        if round > 0 { peers?.ring(count, bench, &report) }
      }
      let loop = Row.Beside(name: "sendmsg, the same entries", sample: .milliseconds(bare), atMost: ratio)
      report.rows += [
        Row("\(name): earliest at the journal", .milliseconds(earliest), "ms", part: .least, atLeast: 0),
        Row("\(name): first journal call", .milliseconds(first), "ms"),
        Row(
          "\(name): last journal call", .milliseconds(last), "ms", atMost: atMost,
          beside: [loop] + (peers?.besides ?? [])),
        Row("\(name): at the bus, the first bubble", .milliseconds(bubble), "ms"),
      ]
    }
  }

  /// The timers of Python: the last one of as many at once.
  private struct Peers {
    private var late: [PythonTimers: [Double]] = [:]

    init(_ bench: Workbench, _ report: inout Report) {
      for peer in PythonTimers.allCases {
        if peer.isMissing(bench) {
          report.missing.append("\(peer.name): not installed")
        } else {
          late[peer] = []
        }
      }
    }

    /// One that stored them too late for that has another try with more time.
    mutating func ring(_ count: Int, _ bench: Workbench, _ report: inout Report) {
      for peer in PythonTimers.allCases where late[peer] != nil {
        var failure: (any Error)?
        // APScheduler takes milliseconds to store each
        for lead in peer == .sched ? [2, 10] : [8, 40] {
          let moment = Clock.wall() / 1000 + Int64(lead) * 1_000_000
          do {
            let late = try peer.start([Int64](repeating: moment, count: count), bench).value()
            self.late[peer]?.append((late.max() ?? 0) / 1000)
            failure = nil
            break
          } catch {
            failure = error
          }
        }
        if let failure {
          report.failed.append("\(peer.name): \(failure)")
          late[peer] = nil
        }
      }
    }

    var besides: [Row.Beside] {
      PythonTimers.allCases.compactMap { peer in
        late[peer].flatMap { $0.isEmpty ? nil : Row.Beside(name: peer.name, sample: Sample($0)) }
      }
    }
  }

  /// Has so many alarms due in one instant; returns their entries in order. They are deleted afterwards.
  private static func ring(
    _ count: Int, _ daemon: Daemon, _ bench: Workbench
  ) throws -> [JournalReceiver.Entry] {
    let wire = try Wire(path: daemon.socket)
    var lead = 2 + Double(count) / 2_000
    while true {
      _ = bench.journal.takeAll()
      let moment = Clock.wall() / 1000 + Int64(lead * 1e6)
      try store(count, at: moment, wire)
      if Clock.wall() < (moment - 1_000_000) * 1000 {
        Clock.sleep(until: (moment - 500_000) * 1000)
        // bubbles of the round before, which its deletion changed
        _ = try bench.notifications.take(0)
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
