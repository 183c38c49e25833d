import EggProtocol
import Foundation

/// What is measured in the box, as its user; each figure is a line of spans in ns.
enum InBox {
  enum Figure: String, CaseIterable {
    case schedule, list, show, delete, snooze, systemdRun
    /// Of ten thousand in one instant, and of a loop of sendmsg(2) with the same entries.
    case lastOfMany, sent
  }

  /// The verbs of eggctl, in the order in which they are measured.
  static let verbs: [Figure] = [.schedule, .list, .show, .delete, .snooze]

  static func measure(_ words: [String]) throws {
    guard words.count == 2 else { throw BenchFailure("--in-box BINARIES DIRECTORY") }
    let runtime = getenv("XDG_RUNTIME_DIR").map { String(cString: $0) } ?? "/run/user/\(getuid())"
    let daemon = try Daemon(program: "\(words[0])/eggd", runtime: runtime, state: "\(words[1])/state")
    defer { daemon.end() }
    let box = Box(
      daemon: daemon, eggctl: "\(words[0])/eggctl", directory: words[1],
      bus: ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(runtime)/bus"])
    for (figure, spans) in try box.commands() + box.many() {
      print(figure.rawValue, spans.map { String($0) }.joined(separator: " "))
    }
  }

  private struct Box {
    let daemon: Daemon
    let eggctl: String
    let directory: String
    let bus: [String: String]

    /// By turns: delete with an alarm of its own, show and snooze with one that rings. Each round begins with the next
    /// figure, because systemd and journald are still busy with a command when the one behind it starts.
    func commands() throws -> [(Figure, [Int64])] {
      let rounds = 60
      let client = try daemon.client()
      defer { client.connection.close() }
      let ringing = try (0..<rounds).map { _ in try client.call(ScheduleCall(expression: "1s")).alarm.number }
      _ = try entries(of: ringing)
      let figures = InBox.verbs + [.systemdRun]
      var spans: [Figure: [Int64]] = [:]
      for round in 0..<rounds {
        let number = "\(try client.call(ScheduleCall(expression: "6h30m")).alarm.number)"
        for place in figures.indices {
          let figure = figures[(round + place) % figures.count]
          let words =
            switch figure {
            case .systemdRun: ["systemd-run", "--user", "--quiet", "--on-active=6h30m", "true"]
            case .schedule: [eggctl, "schedule", "6h30m", "two soft ones"]
            case .list: [eggctl, "list"]
            case .delete: [eggctl, "delete", number]
            default: [eggctl, figure.rawValue, "\(ringing[round])"]
            }
          spans[figure, default: []].append(
            try Command.time(words, environment: figure == .systemdRun ? bus : daemon.environment))
        }
      }
      // the first two of each find nothing in the caches
      return spans.map { ($0, Array($1.dropFirst(2))) }
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
        let entries = try entries(dueAt: moment, count)
        last.append(entries.map(\.received).max() ?? 0)
        let loop = try Bursts.send(entries.map(\.text), to: "/run/systemd/journal/socket")
        sent.append(loop.end - loop.begin)
        _ = try self.entries(dueAt: moment, 2 * count)
      }
      return [(.lastOfMany, last), (.sent, sent)]
    }

    /// From journald itself.
    private func entries(dueAt moment: Int64, _ count: Int) throws -> [Entry] {
      try entries(where: ["EGG_DUE_AT=\(moment)"], count)
    }

    private func entries(of numbers: [Int64]) throws -> [Entry] {
      try entries(where: numbers.map { "EGG_ALARM_NUMBER=\($0)" }, numbers.count)
    }

    private func entries(where matches: [String], _ count: Int) throws -> [Entry] {
      for _ in 0..<20 {
        let text = try Command.output(
          [
            "journalctl", "--user", "-t", "eggd", "-p", "notice", "-o", "json",
            "--output-fields=\(Entry.fields)",
          ]
            + matches, through: "\(directory)/journal")
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
    /// How late journald received it.
    let received: Int64

    init?(line: Substring) {
      guard let fields = try? JSONDecoder().decode([String: Lenient].self, from: Data(line.utf8)),
        let due = fields["EGG_DUE_AT"]?.number,
        let received = fields["_SOURCE_REALTIME_TIMESTAMP"]?.number
      else { return nil }
      self.fields = fields
      self.received = (received - due) * 1000
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
