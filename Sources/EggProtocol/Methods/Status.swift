import EggTime

/// Asks for the daemon's health.
public struct StatusCall: ScheduleMethod {
  public static let method = "Status"
  public typealias Reply = StatusReply

  public init() {}
}

public enum DesktopState: String, WireEnum {
  /// A notification server.
  case shown
  /// Nobody; what rings is kept until a server appears.
  case noServer
  /// There is no session bus.
  case noBus
  /// Of a later version.
  case other

  public static var unknown: Self? { .other }
}

/// Who makes a ring heard.
public enum SoundState: String, WireEnum {
  /// The notification server.
  case server
  /// eggd itself.
  case player
  case nobody
  /// Of a later version.
  case other

  public static var unknown: Self? { .other }
}

public enum DiskState: String, WireEnum {
  case writable
  /// The last try to write failed, as on a full disk: alarms ring.
  case failing
  /// Alarms ring, changes are refused.
  case readOnly
  /// Taken away: what is in memory rings.
  case unavailable
  /// Of a later version.
  case other

  public static var unknown: Self? { .other }
}

/// The daemon's health.
public struct StatusReply: Codable, Equatable, Sendable {
  public var version: String
  public var pid: Int64
  /// When it was started.
  public var startedAt: Instant
  /// The moment of the reply.
  public var now: Instant
  /// The number of the last change.
  public var sequence: Int64
  public var totals: Totals
  @Open public var desktop: DesktopState
  /// The notification server's name and version.
  public var server: String?
  /// Whether journald takes entries.
  public var journal: Bool
  @Open public var disk: DiskState
  public var database: String
  /// The machine's zone, an IANA name.
  public var zone: String
  /// Open connections, this one included.
  public var connections: Int64
  /// Whether the user lingers (loginctl(1)); nil where that cannot be told.
  public var linger: Bool?
  /// Who makes a ring heard; nil from an eggd that does not tell.
  @OpenOptional public var sound: SoundState?
  /// Why nobody does, in words.
  public var silence: String?

  public init(
    version: String, pid: Int64, startedAt: Instant, now: Instant, sequence: Int64, totals: Totals,
    desktop: DesktopState, server: String?, journal: Bool, disk: DiskState, database: String, zone: String,
    connections: Int64, linger: Bool?, sound: SoundState? = nil, silence: String? = nil
  ) {
    self.version = version
    self.pid = pid
    self.startedAt = startedAt
    self.now = now
    self.sequence = sequence
    self.totals = totals
    self.desktop = desktop
    self.server = server
    self.journal = journal
    self.disk = disk
    self.database = database
    self.zone = zone
    self.connections = connections
    self.linger = linger
    _sound = OpenOptional(wrappedValue: sound)
    self.silence = silence
  }
}
