/// Has eggd refuse commands on this connection until it ends: what sets, repeats or brings back what an alarm runs. For
/// a caller that passes on the calls of others.
public struct ForbidCommandsCall: ScheduleMethod {
  public static let method = "ForbidCommands"
  public typealias Reply = ForbidCommandsReply

  public init() {}
}

public struct ForbidCommandsReply: Codable, Equatable, Sendable {
  public init() {}
}
