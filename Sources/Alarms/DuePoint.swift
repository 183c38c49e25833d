import EggTime

/// A moment on one of the clocks that alarms run on.
///
/// After a clock step the same point of a boot's clock falls on another wall-clock time. Countdowns therefore
/// keep a due point, not an ``Instant``.
public struct DuePoint: Hashable, Sendable {
  public var clock: ClockID
  /// In µs: since the epoch on the wall clock, since boot (CLOCK_BOOTTIME) on a boot's clock.
  public var microseconds: Int64

  public init(clock: ClockID, microseconds: Int64) {
    self.clock = clock
    self.microseconds = microseconds
  }

  public static func wall(_ instant: Instant) -> DuePoint {
    DuePoint(clock: .wall, microseconds: instant.microseconds)
  }
}

/// The wall clock (0), or CLOCK_BOOTTIME of the boot in that row of the table `boot`.
public struct ClockID: Hashable, Sendable {
  /// 0, or the row's key.
  public var rawValue: Int64

  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// CLOCK_REALTIME.
  public static let wall = ClockID(rawValue: 0)
}
