import EggTime

/// Everything that eggd journals except rings (``Notice``).
package enum JournalEvent: Hashable, Sendable {
  /// Ready to serve; `socket` is its path.
  case started(version: String, socket: String)
  case stopping
  /// Ends with `status`, for that reason.
  case startRefused(status: Int32, reason: String, hint: String?)
  /// config.toml was read anew, and holds.
  case reloaded(file: String)
  /// config.toml is not used; what held before goes on, at the start the defaults.
  case configurationInvalid(ConfigurationMistake)
  /// What the machine lacks, in words (`no session bus`); said once.
  case partsMissing([String])
  /// The timer woke and alarms rang: how exactly.
  case woke(WakeTimer.Waking, rangAt: Instant, alarms: Int)
  case clockStepped(by: TimeSpan)
  case resumed(after: TimeSpan)
  case storeUnavailable(reason: String)
  case storeAgain
  case storeReadOnly(reason: String)
  case diskFull
  /// A commit failed, but not because the disk is full.
  case commitFailed(reason: String)
  /// The file was deleted, moved or replaced.
  case takenAway
  /// The database's log was deleted; what it held is saved.
  case logLost
  /// A damaged file was set aside as `file`, and what could be read of it is in a new one.
  case salvaged(file: String, alarms: Int, occurrences: Int, lost: Int, reason: String)
  /// The schema; `copy` is the file as it was.
  case migrated(from: Int, to: Int, copy: String)
  /// Another program's writes are noticed late.
  case storeUnwatched
  case foreignWrite
  /// So many countdowns of earlier boots now run on the wall clock.
  case bootsMoved(alarms: Int)
  /// The machine's zone; so many alarms ring at another moment than before.
  case zoneChanged(from: String, to: String, moved: Int)
  /// The data of these zones, a tzdata update; so many alarms ring at another moment than before.
  case zoneDataChanged([String], moved: Int)
  /// The zone cannot be read; its last known data stays in use.
  case zoneUnusable(String, reason: String)
  /// A command that ran because an alarm rang.
  case hookEnded(HookEnd)
  case noServer(reason: String)
  case serverAppeared(name: String, owner: String)
  case noBus(reason: String)
  case busAppeared(address: String)
  /// A ring was not heard. Each reason is journaled once.
  case notHeard(reason: String)
  case changeRefused(method: String, reason: String)
  /// So many earlier ones were not journaled.
  case peerRefused(uid: UInt32, untold: Int)
  /// A connection of that process made room for another; so many earlier ones were not journaled.
  case connectionsFull(pid: Int32, untold: Int)
  /// A connection of that process held most of the shared memory; so many earlier ones were not journaled.
  case memoryFull(pid: Int32, untold: Int)
}

/// How severe an entry is, syslog(3).
package enum JournalPriority: Int, Sendable {
  /// Could not be served.
  case error = 3
  /// Degraded and going on.
  case warning = 4
  /// The person's history.
  case notice = 5
  /// Lifecycle.
  case info = 6
  case debug = 7
}
