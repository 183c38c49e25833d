/// One entry, ready to be sent. Fields may hold newlines.
package struct JournalRecord: Sendable {
  package var id: MessageID
  package var priority: JournalPriority
  package var message: String
  package var fields: [(name: String, value: String)]

  package init(
    _ id: MessageID, _ priority: JournalPriority, _ message: String,
    _ fields: [(name: String, value: String)] = []
  ) {
    self.id = id
    self.priority = priority
    self.message = message
    self.fields = fields
  }
}

extension JournalEvent {
  /// The entry: a constant text, then what varies, which is also in fields of its own.
  package var record: JournalRecord {
    switch self {
    case .started(let version, let socket):
      JournalRecord(
        .started, .info, "Ready, serving \(socket)", [("EGG_VERSION", version), ("EGG_SOCKET", socket)])
    case .stopping: JournalRecord(.stopping, .info, "Stopping")
    case .startRefused(let status, let reason, let hint):
      JournalRecord(
        .startRefused, .error, "Cannot start: \(reason)\(hint.map { "; hint: \($0)" } ?? "")",
        [("EGG_REASON", reason), ("EXIT_STATUS", String(status))] + (hint.map { [("EGG_HINT", $0)] } ?? []))
    case .reloaded(let file):
      JournalRecord(.reloaded, .info, "Reloaded the configuration", [("EGG_FILE", file)])
    case .configurationInvalid(let mistake):
      JournalRecord(
        .configurationInvalid, .warning, "The configuration file is not used: \(mistake)",
        [("EGG_FILE", mistake.file), ("EGG_REASON", mistake.reason)]
          + (mistake.key.map { [("EGG_KEY", $0)] } ?? [])
          + (mistake.line.map { [("EGG_LINE", String($0))] } ?? [])
          + (mistake.column.map { [("EGG_COLUMN", String($0))] } ?? []))
    case .partsMissing(let parts):
      JournalRecord(
        .partsMissing, .warning, "Going on without: \(parts.joined(separator: ", "))",
        [("EGG_MISSING", parts.joined(separator: "\n"))])
    case .clockStepped(let span):
      JournalRecord(
        .clockStepped, .info, "The wall clock was set by \(span.microseconds) us",
        [("EGG_STEP_US", String(span.microseconds))])
    case .resumed(let span):
      JournalRecord(
        .resumed, .info, "The machine was suspended for \(span.microseconds) us",
        [("EGG_SUSPENDED_US", String(span.microseconds))])
    case .store(let event): event.record
    case .hookEnded(let end): end.record
    case .noServer(let reason):
      JournalRecord(
        .noServer, .warning, "No notification server: keeping what rings until there is one",
        [("EGG_REASON", reason)])
    case .serverAppeared(let name, let owner):
      JournalRecord(
        .serverAppeared, .info, "The notification server is \(name)",
        [("EGG_SERVER", name), ("EGG_BUS_NAME", owner)])
    case .noBus(let reason):
      JournalRecord(
        .noBus, .warning, "No session bus: keeping what rings until there is one", [("EGG_REASON", reason)])
    case .busAppeared(let address):
      JournalRecord(.busAppeared, .info, "Connected to the session bus", [("EGG_ADDRESS", address)])
    case .notHeard(let reason):
      JournalRecord(
        .notHeard, .info, "Rings are not heard: \(reason)", [("EGG_REASON", reason)])
    case .soundUnplayable(let number, let sound):
      JournalRecord(
        .soundUnplayable, .warning,
        "The sound of #\(number) cannot be played, another is heard: \(sound)",
        [("EGG_ALARM_NUMBER", String(number)), ("EGG_SOUND", sound)])
    case .changeRefused(let method, let reason):
      JournalRecord(
        .changeRefused, .debug, "Refused a change: \(reason)",
        [("EGG_METHOD", method), ("EGG_REASON", reason)])
    case .clientCutOff(let pid, let uid, let isOurs):
      JournalRecord(
        .clientCutOff, .warning,
        isOurs ? "Closed a client's connection to make room" : "Refused a client of another user",
        [("EGG_PEER_PID", String(pid)), ("EGG_PEER_UID", String(uid))])
    }
  }
}
