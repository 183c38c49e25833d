/// Elapsed time in microseconds; negative where a later moment was subtracted from an earlier one.
public struct TimeSpan: Hashable, Sendable {
  /// Microseconds.
  public var microseconds: Int64

  /// That many microseconds.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// That many whole seconds; at most nine trillion either way.
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000_000) }

  /// That many milliseconds.
  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000) }

  /// No time at all.
  public static let zero = TimeSpan(microseconds: 0)
}

extension TimeSpan: Comparable {
  /// Shorter spans first.
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }
}

extension TimeSpan {
  /// The difference, cut to what 64 bits hold.
  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    Instant(microseconds: a.microseconds) - Instant(microseconds: b.microseconds)
  }
}
