import EggTime

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
    case .woke(let waking, let moment, let alarms):
      JournalRecord(
        .woke, .debug,
        "Timer set for \(waking.armedAt.microseconds), woke at \(waking.wokeAt.microseconds)",
        [
          ("EGG_ARMED_AT", String(waking.armedAt.microseconds)),
          ("EGG_WOKE_AT", String(waking.wokeAt.microseconds)),
          ("EGG_RANG_AT", String(moment.microseconds)), ("EGG_COUNT", String(alarms)),
        ])
    case .clockStepped(let span):
      JournalRecord(
        .clockStepped, .info, "The wall clock was set by \(span.microseconds) us",
        [("EGG_STEP_US", String(span.microseconds))])
    case .resumed(let span):
      JournalRecord(
        .resumed, .info, "The machine was suspended for \(span.microseconds) us",
        [("EGG_SUSPENDED_US", String(span.microseconds))])
    case .storeUnavailable(let reason):
      JournalRecord(
        .storeUnavailable, .error, "The database is not available: \(reason)", [("EGG_REASON", reason)])
    case .storeAgain: JournalRecord(.storeAgain, .info, "The database is available again")
    case .storeReadOnly(let reason):
      JournalRecord(
        .storeReadOnly, .warning, "Changes are refused, alarms ring: \(reason)",
        [("EGG_REASON", reason)])
    case .diskFull:
      JournalRecord(
        .diskFull, .error, "The disk is full: alarms ring from memory and are recorded when there is room")
    case .commitFailed(let reason):
      JournalRecord(
        .commitFailed, .error, "The database could not be written: \(reason)", [("EGG_REASON", reason)])
    case .takenAway:
      JournalRecord(
        .takenAway, .error, "The database file was taken away: alarms ring from memory, changes are refused")
    case .logLost:
      JournalRecord(
        .logLost, .warning, "The database's log was deleted by another program; what it held is saved")
    case .salvaged(let file, let alarms, let occurrences, let lost, let reason):
      JournalRecord(
        .salvaged, .error, "The database was damaged and set aside as \(file); salvaged \(alarms) alarms",
        [
          ("EGG_FILE", file), ("EGG_COUNT", String(alarms)), ("EGG_OCCURRENCES", String(occurrences)),
          ("EGG_LOST", String(lost)), ("EGG_REASON", reason),
        ])
    case .migrated(let old, let new, let copy):
      JournalRecord(
        .migrated, .info, "Migrated the database from \(old) to \(new)",
        [("EGG_OLD_SCHEMA", String(old)), ("EGG_SCHEMA", String(new)), ("EGG_FILE", copy)])
    case .storeUnwatched:
      JournalRecord(
        .storeUnwatched, .warning, "The database cannot be watched: another program's writes are noticed late"
      )
    case .foreignWrite:
      JournalRecord(.foreignWrite, .info, "Another program wrote to the database: read it anew")
    case .bootsMoved(let alarms):
      JournalRecord(
        .bootsMoved, .info, "Countdowns of earlier boots run on the wall clock now",
        [("EGG_COUNT", String(alarms))])
    case .zoneChanged(let old, let new, let moved):
      JournalRecord(
        .zoneChanged, .notice, "The time zone changed from \(old) to \(new): moved \(moved) alarms",
        [("EGG_OLD_ZONE", old), ("EGG_ZONE", new), ("EGG_COUNT", String(moved))])
    case .zoneDataChanged(let zones, let moved):
      JournalRecord(
        .zoneDataChanged, .notice,
        "The rules of \(zones.joined(separator: ", ")) changed: moved \(moved) alarms",
        [("EGG_ZONE", zones.joined(separator: "\n")), ("EGG_COUNT", String(moved))])
    case .zoneUnusable(let zone, let reason):
      JournalRecord(
        .zoneUnusable, .warning,
        "The zone \(zone) cannot be read (\(reason)): going on with what was known of it",
        [("EGG_ZONE", zone), ("EGG_REASON", reason)])
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
        .notHeard, .info, "Rings are shown but not heard: \(reason)", [("EGG_REASON", reason)])
    case .changeRefused(let method, let reason):
      JournalRecord(
        .changeRefused, .debug, "Refused a change: \(reason)",
        [("EGG_METHOD", method), ("EGG_REASON", reason)])
    case .peerRefused(let uid, let untold):
      JournalRecord(
        .peerRefused, .warning, "Refused a connection of another user", untold: untold,
        [("EGG_PEER_UID", String(uid))])
    case .connectionsFull(let pid, let untold):
      JournalRecord(
        .connectionsFull, .warning, "Too many connections: closed one of a client to make room",
        untold: untold, [("EGG_PEER_PID", String(pid))])
    case .memoryFull(let pid, let untold):
      JournalRecord(
        .memoryFull, .warning, "Connections hold too much memory: closed the one of a client that holds most",
        untold: untold, [("EGG_PEER_PID", String(pid))])
    }
  }
}

extension JournalRecord {
  /// Of what is not told each time.
  fileprivate init(
    _ id: MessageID, _ priority: JournalPriority, _ message: String, untold: Int,
    _ fields: [(name: String, value: String)]
  ) {
    self.init(
      id, priority, untold > 0 ? "\(message); \(untold) more since the last entry" : message,
      fields + [("EGG_UNTOLD", String(untold))])
  }
}
