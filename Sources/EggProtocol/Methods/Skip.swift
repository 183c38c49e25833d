import Varlink

/// Skips the next occurrence of waiting alarms.
public struct SkipCall: SelectingCall {
  public static let method = "Skip"
  public typealias Reply = AlarmsReply

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}
