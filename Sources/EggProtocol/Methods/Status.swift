import EggTime

/// Asks for the daemon's health.
public struct StatusCall: ScheduleMethod {
  public static let method = "Status"
  public typealias Reply = StatusReply

  public init() {}
}

public enum DesktopState: String, OpenEnum {
  /// A notification server shows rings.
  case shown
  /// No notification server. Rings are kept until one appears.
  case noServer
  case noBus
  /// A state added by a later version.
  case other
}

/// Who makes a ring heard.
public enum SoundState: String, OpenEnum {
  /// The notification server plays the sound.
  case server
  /// eggd plays the sound itself.
  case player
  case nobody
  /// A state added by a later version.
  case other
}

/// Whether the machine wakes from suspend for the alarms that ask for it.
public enum WakeState: String, OpenEnum {
  case ready
  /// No socket of eggd-wake is there.
  case nobody
  /// eggd-wake does not answer, though its socket is there.
  case noAnswer
  /// eggd-wake lacks CAP_WAKE_ALARM.
  case notPermitted
  /// No clock of the machine wakes it.
  case noClock
  /// A state added by a later version.
  case other
}

public enum DiskState: String, OpenEnum {
  case writable
  /// The last write failed, as on a full disk. Alarms ring.
  case failing
  /// Alarms ring; changes are refused.
  case readOnly
  /// The database was taken away. Alarms in memory ring.
  case unavailable
  /// A state added by a later version.
  case other
}

public struct StatusReply: Codable, Equatable, Sendable {
  public var version: String
  public var pid: Int64
  public var startedAt: Instant
  /// When eggd made this reply.
  public var now = Instant(microseconds: 0)
  /// The number of the last change.
  public var sequence: Int64 = 0
  public var totals = Totals(alarms: 0, eggs: 0, next: nil)
  public var desktop: DesktopState
  /// The notification server's name and version.
  public var server: String?
  /// Whether journald takes entries.
  public var journal: Bool
  public var disk = DiskState.unavailable
  public var database = ""
  /// The machine's zone, an IANA name.
  public var zone = ""
  /// Open connections, this one included.
  public var connections: Int64
  /// Whether the user lingers (loginctl(1)); nil if unknown.
  public var linger: Bool?
  /// Who makes a ring heard; nil from an older eggd.
  public var sound: SoundState?
  /// Why nobody makes a ring heard, in words.
  public var silence: String?
  /// nil while no alarm asks for it, and from an older eggd.
  public var wake: WakeState?
  /// The next moment for which the machine is to wake.
  public var wakeAt: Instant?
  /// Why config.toml is not used.
  public var mistake: ConfigurationMistake?

  /// What the daemon knows without its store.
  public init(
    version: String, pid: Int64, startedAt: Instant, desktop: DesktopState, server: String?, journal: Bool,
    connections: Int64, linger: Bool?, sound: SoundState? = nil, silence: String? = nil
  ) {
    self.version = version
    self.pid = pid
    self.startedAt = startedAt
    self.desktop = desktop
    self.server = server
    self.journal = journal
    self.connections = connections
    self.linger = linger
    self.sound = sound
    self.silence = silence
  }
}
