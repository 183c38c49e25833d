import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Glibc

struct Log: Verb {
  static let configuration = CommandConfiguration(
    "log", tr("Show what happened to alarms, or to one alarm, deleted ones too."),
    discussion: """
      eggctl log
      eggctl log 12
      eggctl log 12 -f
      eggctl log -n 20
      eggctl log --since yesterday

      One line for each ring and each change, and who made it; from the journal,
      which journalctl --user -t eggd shows as it is.
      """)

  @Argument(help: .onlyAlarm, completion: .values(.alarms)) var alarm: String?
  @Flag(name: [.customShort("f"), .long], help: "Go on showing what happens.")
  var follow = false
  @Option(
    name: [.customShort("n"), .customLong("lines")], parsing: .unconditional,
    help: ArgumentHelp("Only the last entries, as many as that.", valueName: "number"))
  var lines: Int?
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only from that moment on: yesterday, -2h, 2026-12-24.", valueName: "time"))
  var since: String?
  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: "Print the entries as journalctl -o json does.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    let name = try alarm.map { try self.name($0, in: surroundings) }
    let words = try command(name, in: surroundings)
    let hint = tr("eggctl history answers from the database")
    guard !json || keepsLast else {
      var failure = surroundings.become(words)
      failure.hint = hint
      throw failure
    }
    do {
      try show(words, asked: name?.number, in: surroundings)
    } catch var failure as Failure where failure.status == .unavailable {
      failure.hint = failure.hint ?? hint
      throw failure
    } catch let failure as Failure where failure == .unwritable(EPIPE) {
      return
    }
  }

  private func show(_ words: [String], asked: Int64?, in surroundings: Surroundings) throws {
    // A reader that has gone is an end like any other.
    if surroundings.reader != nil { signal(SIGPIPE, SIG_IGN) }
    let output = surroundings.output
    let line = LogLine(moments: try Moments(surroundings), asked: asked)
    var isEmpty = true
    var last: [String] = []
    let status = try surroundings.lines(words) { bytes in
      guard let entry = JournalEntry(reading: bytes) else { return }
      isEmpty = false
      let text = json ? String(decoding: bytes, as: UTF8.self) + "\n" : line.text(entry)
      guard keepsLast, let lines else { return try output.data(text) }
      last.append(text)
      if last.count > lines { last.removeFirst() }
    } _: {
      try output.flush()
    }
    for text in last { try output.data(text) }
    if status != 0, isEmpty {
      throw surroundings.host.map { RemoteHost.failure(status: status, on: $0.name, running: "journalctl") }
        ?? Failure(.unavailable, tr("journalctl ended with status \(status)"))
    }
    if isEmpty {
      let text =
        alarm == nil ? tr("the journal has nothing on eggd") : tr("the journal has nothing on this alarm")
      try output.data(text + "\n")
    }
  }

  private func name(_ word: String, in surroundings: Surroundings) throws -> AlarmName {
    // Of another machine only the journal is read, but for a label.
    if let host = surroundings.host, try !WireSelection.read([word]).rest.isEmpty { try host.open() }
    return try AlarmNaming("log", in: surroundings).name(word)
  }

  /// With both, journalctl(1) of systemd 252 shows the first entries of that time.
  private var keepsLast: Bool { lines != nil && since != nil && !follow }

  private func command(_ name: AlarmName?, in surroundings: Surroundings) throws -> [String] {
    var log = self
    if let since {
      let moment = try surroundings.pastMoment(reading: since)
      log.since = "@\(moment.microseconds / 1_000_000)"
    }
    guard let host = surroundings.host else {
      return try log.words(name, for: Self.journal(of: surroundings.userID))
    }
    // There the user may have another number.
    let user = #"test "$(id -u)" -lt 1000 && journal=_UID=$(id -u)"#
    let words = try log.words(name, for: "$journal").joined(separator: " ")
    return host.shell.words("journal=--user; \(user); exec \(words)")
  }

  /// journald keeps a journal of their own for people only, systemd-journald.service(8): what root's eggd says, or
  /// another system user's, is in the system's.
  static func journal(of user: uid_t) -> String { user < 1_000 ? "_UID=\(user)" : "--user" }

  /// What is run, on that journal. Matches on different fields must all hold, journalctl(1).
  func words(_ name: AlarmName?, for journal: String) throws -> [String] {
    var words = ["journalctl", journal, "SYSLOG_IDENTIFIER=eggd"]
    if let number = name?.number { words.append("EGG_ALARM_NUMBER=\(number)") }
    if let id = name?.id { words.append("EGG_ALARM_ID=\(id)") }
    // --all: long fields too.
    words += ["--priority=info", "--quiet", "--all", "--output=json"]
    if let lines {
      guard lines > 0 else {
        throw Failure(.usage, tr("-n takes a number from 1 on"), hint: "eggctl log -n 20")
      }
      if !keepsLast { words.append("--lines=\(lines)") }
    }
    if let since { words.append("--since=\(since)") }
    if follow { words.append("--follow") }
    return words
  }
}
