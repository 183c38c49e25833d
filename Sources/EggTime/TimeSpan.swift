/// Elapsed time. Negative when a later moment was subtracted from an earlier one.
public struct TimeSpan: Hashable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// At most nine trillion either way.
  public static func seconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000_000) }

  public static func milliseconds(_ count: Int64) -> TimeSpan { TimeSpan(microseconds: count * 1_000) }

  public static let zero = TimeSpan(microseconds: 0)
}

extension TimeSpan: Comparable {
  public static func < (a: TimeSpan, b: TimeSpan) -> Bool { a.microseconds < b.microseconds }
}

extension TimeSpan {
  /// Clamped to 64 bits.
  public static func - (a: TimeSpan, b: TimeSpan) -> TimeSpan {
    Instant(microseconds: a.microseconds) - Instant(microseconds: b.microseconds)
  }
}
