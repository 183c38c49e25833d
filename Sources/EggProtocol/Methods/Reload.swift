/// Reads config.toml anew. A mistake in it is refused, and the earlier settings hold.
public struct ReloadCall: ScheduleMethod {
  public static let method = "Reload"
  public typealias Reply = ConfigReply

  public init() {}
}
