import EggProtocol
import EggStore
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
  case clockStepped(by: TimeSpan)
  case resumed(after: TimeSpan)
  case store(StoreEvent)
  /// A command that ran because an alarm rang.
  case hookEnded(HookEnd)
  case noServer(reason: String)
  case serverAppeared(name: String, owner: String)
  case noBus(reason: String)
  case busAppeared(address: String)
  /// A ring was not heard. Each reason is journaled once.
  case notHeard(reason: String)
  /// A sound cannot be played; another is heard instead.
  case soundUnplayable(number: Int64, sound: String)
  case changeRefused(method: String, reason: String)
  /// A connection was closed: another user's, or one of ours that made room for others.
  case clientCutOff(pid: Int32, uid: UInt32, isOurs: Bool)
}

/// How severe an entry is, syslog(3).
package enum JournalPriority: Int, Sendable {
  /// Could not be served.
  case error = 3
  /// Degraded and going on.
  case warning = 4
  /// The person's history.
  case notice = 5
  case info = 6
  case debug = 7
}
