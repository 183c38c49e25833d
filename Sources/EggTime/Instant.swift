/// A moment: microseconds since 1970-01-01 00:00:00 UTC, leap seconds not counted.
public struct Instant: Hashable, Sendable {
  public var microseconds: Int64

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// 9999-12-30 23:59:59 UTC, the last moment an expression may name.
  public static let latest = Instant(microseconds: 253_402_214_399_000_000)
}

extension Instant {
  /// As an expression: `2026-12-24T17:00:00Z`.
  package var canonical: String { "\(Zone.utc.civil(at: self))".replacing(" ", with: "T") + "Z" }
}

extension Instant: Comparable {
  public static func < (a: Instant, b: Instant) -> Bool { a.microseconds < b.microseconds }
}

extension Instant {
  /// The elapsed time from `b` to `a`, clamped to 64 bits.
  public static func - (a: Instant, b: Instant) -> TimeSpan {
    let (difference, overflow) = a.microseconds.subtractingReportingOverflow(b.microseconds)
    return TimeSpan(microseconds: !overflow ? difference : a.microseconds < 0 ? .min : .max)
  }

  /// Clamped to 64 bits.
  public static func + (start: Instant, span: TimeSpan) -> Instant {
    let (sum, overflow) = start.microseconds.addingReportingOverflow(span.microseconds)
    return Instant(microseconds: !overflow ? sum : span.microseconds < 0 ? .min : .max)
  }

  /// Clamped to 64 bits.
  public static func - (start: Instant, span: TimeSpan) -> Instant {
    Instant(microseconds: (start - Instant(microseconds: span.microseconds)).microseconds)
  }
}
