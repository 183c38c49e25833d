import EggTime
import Varlink

/// Moves the next ring: the moment of a one-shot, the end of a snooze, or what is left of a paused countdown.
public struct ExtendCall: SelectingCall {
  public static let method = "Extend"

  @Inlined public var selection: WireSelection
  /// Negative for earlier.
  public var span: TimeSpan

  public init(_ selection: WireSelection, span: TimeSpan) {
    self.span = span
    self.selection = selection
  }
}
