import EggTime

/// A moment on one of the clocks that alarms run on.
///
/// The same point of a boot's clock is another wall-clock time after a clock step; that is why countdowns
/// keep this and not an ``Instant``.
public struct DuePoint: Hashable, Sendable {
  /// The clock.
  public var clock: ClockID
  /// Microseconds: since the epoch on the wall clock, since boot (CLOCK_BOOTTIME) on a boot's clock.
  public var microseconds: Int64

  /// That point of that clock.
  public init(clock: ClockID, microseconds: Int64) {
    self.clock = clock
    self.microseconds = microseconds
  }

  /// A point of the wall clock.
  public static func wall(_ instant: Instant) -> DuePoint {
    DuePoint(clock: .wall, microseconds: instant.microseconds)
  }
}

/// Which clock: the wall clock (0), or CLOCK_BOOTTIME of the boot with that row in the table `boot`.
public struct ClockID: Hashable, Sendable {
  /// 0, or the row's key.
  public var rawValue: Int64

  /// The clock of that row.
  public init(rawValue: Int64) { self.rawValue = rawValue }

  /// CLOCK_REALTIME.
  public static let wall = ClockID(rawValue: 0)
}
