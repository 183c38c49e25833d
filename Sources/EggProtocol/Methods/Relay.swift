import Varlink

/// Says that the calls of this connection come from another machine, or from an assistant. For a caller that passes them
/// on. Only the first one counts, and only before any change.
public struct RelayCall: ScheduleMethod {
  public static let method = "Relay"
  public typealias Reply = NoParameters

  /// The machine's address or the assistant's name, 1 to 255 bytes.
  public var from: String

  public init(from: String) { self.from = from }
}

/// Has eggd refuse commands on this connection until it ends: what sets, repeats or brings back what an alarm runs. For
/// a caller that passes on the calls of others.
public struct ForbidCommandsCall: ScheduleMethod {
  public static let method = "ForbidCommands"
  public typealias Reply = NoParameters

  public init() {}
}
