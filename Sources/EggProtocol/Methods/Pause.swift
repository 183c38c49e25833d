import Varlink

/// Freezes countdowns; recurring alarms skip occurrences until resumed.
public struct PauseCall: SelectingCall {
  public static let method = "Pause"

  @Inlined public var selection: WireSelection

  public init(_ selection: WireSelection) { self.selection = selection }
}
