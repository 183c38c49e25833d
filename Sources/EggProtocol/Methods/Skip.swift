import EggTime
import Varlink

/// Skips the next occurrence of waiting alarms, or the days of a range.
public struct SkipCall: SelectingCall {
  public static let method = "Skip"

  @Inlined public var selection: WireSelection
  /// Only with `until`: the first day to skip; today if absent.
  public var from: CivilDate?
  /// The day of return.
  public var until: CivilDate?
  /// All ranges to skip go.
  public var clear: Bool?

  public init(_ selection: WireSelection) { self.selection = selection }
}
