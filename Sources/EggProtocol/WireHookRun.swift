import Alarms

/// A command that ran because an alarm rang, on the wire; see ``HookRun``.
public struct WireHookRun: Codable, Equatable, Sendable {
  public var hook: String
  @Open public var result: Result
  /// The exit status, or the number of the signal.
  public var status: Int64?
  public var reason: String?

  public enum Result: String, WireEnum {
    case exited, killed, timedOut, notStarted
    /// From a later version.
    case other

    public static var unknown: Result? { .other }
  }

  public init(_ run: HookRun) {
    hook = run.hook
    switch run.result {
    case .exited(let status): (result, self.status) = (.exited, status)
    case .killed(let signal): (result, status) = (.killed, signal)
    case .timedOut: result = .timedOut
    case .notStarted(let reason): (result, self.reason) = (.notStarted, reason)
    case .other: result = .other
    }
  }
}

extension HookRun {
  /// nil for a result without what it needs.
  public init?(_ wire: WireHookRun) {
    let result: HookRun.Result
    switch wire.result {
    case .exited:
      guard let status = wire.status else { return nil }
      result = .exited(status)
    case .killed: result = .killed(wire.status)
    case .timedOut: result = .timedOut
    case .notStarted:
      guard let reason = wire.reason else { return nil }
      result = .notStarted(reason)
    case .other: result = .other
    }
    self.init(hook: wire.hook, result: result)
  }
}
