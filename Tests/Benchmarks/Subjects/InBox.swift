import EggProtocol
import Foundation

/// What is measured in the box, as its user; each figure is a line of spans in ns.
enum InBox {
  enum Figure: String, CaseIterable {
    case schedule, systemdRun, list, listTimers
    /// By the moment that the kernel stamped the entry with, and by that of journald's clock when it wrote it.
    case received, journaled
    case systemdLateness
    /// Of a thousand in one instant.
    case last, systemdLast
    /// Of ten thousand in one instant, and of a loop of sendmsg(2) with the same entries.
    case lastOfMany, sent
  }

  private static let count = 1_000

  static func measure(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchFailure("--in-box BINARIES DIRECTORY") }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/run/user/\(getuid())"
    let daemon = try Daemon(program: "\(words[0])/eggd", runtime: runtime, state: "\(words[1])/state")
    defer { daemon.end() }
    let box = Box(
      daemon: daemon, eggctl: "\(words[0])/eggctl", directory: words[1],
      bus: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus"])
    for (figure, spans) in try box.commands() + box.lateness() + box.bursts() + box.many() {
      print(figure.rawValue, spans.map { String($0) }.joined(separator: " "))
    }
  }

  private struct Box {
    let daemon: Daemon
    let eggctl: String
    let directory: String
    let bus: [String: String]

    /// By turns.
    func commands() throws -> [(Figure, [Int64])] {
      var ours: [Int64] = []
      var theirs: [Int64] = []
      for round in -2..<48 {
        let own = try Command.time(
          [eggctl, "schedule", "6h30m", "two soft ones"], environment: daemon.environment)
        let peer = try Command.time(
          ["systemd-run", "--user", "--quiet", "--on-active=6h30m", "true"], environment: bus)
        guard round >= 0 else { continue }
        ours.append(own)
        theirs.append(peer)
      }
      return [(.schedule, ours), (.systemdRun, theirs)]
    }

    /// eggd rings at half, systemd-run at full seconds.
    func lateness() throws -> [(Figure, [Int64])] {
      let first = Clock.wall() / 1_000_000_000 + 3
      let seconds = (0..<20).map { first + $0 }
      let file = "\(directory)/rang"
      for second in seconds { try systemdRun(at: second, file) }
      let moments = seconds.map { $0 * 1_000_000 + 500_000 }
      try SingleAlarms.schedule(moments, daemon)
      Clock.sleep(until: (first + 21) * 1_000_000_000)
      let entries = try entries(dueAt: Set(moments), moments.count)
      let stamps = try stamps(file, seconds.count)
      return [
        (.received, entries.map(\.received)), (.journaled, entries.map(\.journaled)),
        (.systemdLateness, zip(stamps, seconds).map { $0 - $1 * 1_000_000_000 }),
      ]
    }

    /// Twice, by turns. Both have a thousand stored when they are listed.
    func bursts() throws -> [(Figure, [Int64])] {
      var list: [Int64] = []
      var timers: [Int64] = []
      var last: [Int64] = []
      var systemdLast: [Int64] = []
      // how long a thousand of systemd-run are given to be made, in s
      var lead: Int64 = 20
      while last.count < 2 {
        _ = try Wire(path: daemon.socket).time(Wire.call("Delete", #"{"all":true}"#))
        try Command.time(["bash", "-c", "systemctl --user stop 'run-*.timer'"], environment: bus)
        let second = Clock.wall() / 1_000_000_000 + lead
        let moment = (second + 3) * 1_000_000
        let file = "\(directory)/rang-at-once-\(second)"
        try systemdRun(count, at: second, file)
        try Bursts.store(count, at: moment, try Wire(path: daemon.socket))
        for _ in 0..<5 {
          list.append(try Command.time([eggctl, "list"], environment: daemon.environment))
          timers.append(
            try Command.time(["systemctl", "--user", "--no-pager", "list-timers"], environment: bus))
        }
        guard Clock.wall() < (second - 1) * 1_000_000_000 else {
          guard lead < 80 else { throw BenchFailure("systemd-run took \(lead) s for \(count) timers") }
          (list, timers) = ([], [])
          lead *= 2
          continue
        }
        Clock.sleep(until: (second + 5) * 1_000_000_000)
        last.append(try entries(dueAt: [moment], count).map(\.received).max() ?? 0)
        systemdLast.append((try stamps(file, count).last ?? 0) - second * 1_000_000_000)
      }
      return [(.list, list), (.listTimers, timers), (.last, last), (.systemdLast, systemdLast)]
    }

    /// What the loop sends is what journald has got from eggd.
    func many() throws -> [(Figure, [Int64])] {
      let count = 10_000
      var last: [Int64] = []
      var sent: [Int64] = []
      for _ in 0..<3 {
        _ = try Wire(path: daemon.socket).time(Wire.call("Delete", #"{"all":true}"#))
        let moment = Clock.wall() / 1000 + 5_000_000
        try Bursts.store(count, at: moment, try Wire(path: daemon.socket))
        guard Clock.wall() < (moment - 1_000_000) * 1000 else { throw BenchFailure("stored too late") }
        Clock.sleep(until: (moment + 500_000) * 1000)
        let entries = try entries(dueAt: [moment], count)
        last.append(entries.map(\.received).max() ?? 0)
        let loop = try Bursts.send(entries.map(\.text), to: "/run/systemd/journal/socket")
        sent.append(loop.end - loop.begin)
        _ = try self.entries(dueAt: [moment], 2 * count)
      }
      return [(.lastOfMany, last), (.sent, sent)]
    }

    /// Has it say when it was started.
    private func systemdRun(at second: Int64, _ file: String) throws {
      try Command.time(words(at: second, file), environment: bus)
    }

    /// The same so many times, four at once.
    private func systemdRun(_ count: Int, at second: Int64, _ file: String) throws {
      let line = words(at: second, file).joined(separator: " ")
      try Command.time(
        ["bash", "-c", "seq \(count) | xargs -P 4 -I {} \(line)"], environment: bus)
    }

    private func words(at second: Int64, _ file: String) -> [String] {
      [
        "systemd-run", "--user", "--quiet", "--collect", "--on-calendar=@\(second)",
        "--timer-property=AccuracySec=1us", "--property=StandardOutput=append:\(file)", "date", "+%s%N",
      ]
    }

    private func stamps(_ file: String, _ count: Int) throws -> [Int64] {
      for _ in 0..<60 {
        let stamps = try Command.text(of: file).split(separator: "\n").compactMap { Int64($0) }
        if stamps.count == count { return stamps.sorted() }
        Clock.sleep(0.5)
      }
      throw BenchFailure("not all timers of systemd-run rang")
    }

    /// From journald itself.
    private func entries(dueAt moments: Set<Int64>, _ count: Int) throws -> [Entry] {
      for _ in 0..<20 {
        let text = try Command.output(
          [
            "journalctl", "--user", "-t", "eggd", "-p", "notice", "-o", "json",
            "--output-fields=\(Entry.fields)",
          ]
            + moments.map { "EGG_DUE_AT=\($0)" }, through: "\(directory)/journal")
        let found = text.split(separator: "\n").compactMap { Entry(line: $0) }
        if found.count == count { return found }
        Clock.sleep(0.5)
      }
      throw BenchFailure("journald has not all of the entries")
    }
  }

  /// An entry of a ring in the journal; its spans in ns.
  private struct Entry {
    /// What eggd says of an alarm without a label, and when it came.
    static let fields = """
      MESSAGE,MESSAGE_ID,PRIORITY,SYSLOG_IDENTIFIER,EGG_ALARM_ID,EGG_ALARM_NUMBER,EGG_SUMMARY,EGG_BODY,EGG_DUE_AT,\
      EGG_LATENESS_US,_SOURCE_REALTIME_TIMESTAMP
      """

    private let fields: [String: Lenient]
    /// How late journald received it, and how late it was by its own clock then.
    let received: Int64
    let journaled: Int64

    init?(line: Substring) {
      guard let fields = try? JSONDecoder().decode([String: Lenient].self, from: Data(line.utf8)),
        let due = fields["EGG_DUE_AT"]?.number,
        let received = fields["_SOURCE_REALTIME_TIMESTAMP"]?.number,
        let journaled = fields["__REALTIME_TIMESTAMP"]?.number
      else { return nil }
      self.fields = fields
      self.received = (received - due) * 1000
      self.journaled = (journaled - due) * 1000
    }

    /// As it was sent.
    var text: [UInt8] {
      Array(
        fields.filter { !$0.key.hasPrefix("_") }.map { "\($0)=\($1.text)\n" }.joined().utf8)
    }
  }

  /// A field; empty where it is no string.
  private struct Lenient: Decodable {
    let text: String
    var number: Int64? { Int64(text) }
    init(from decoder: any Decoder) throws {
      text = (try? decoder.singleValueContainer().decode(String.self)) ?? ""
    }
  }
}
