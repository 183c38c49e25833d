import EggTime
import LinuxIO
import Synchronization

/// A clock that stands still until a test moves it.
public final class FakeClock: Clock, DelayedCalls {
  private let now: Mutex<ClockReading>

  /// Starts at 2026-11-20 21:34:30 UTC, one hour after boot, never suspended.
  public init(wall: Instant = Instant(microseconds: 1_795_210_470_000_000), boot: Int64 = 3_600_000_000) {
    now = Mutex(ClockReading(wall: wall, boot: boot, monotonic: boot))
  }

  package func read() -> ClockReading { now.withLock { $0 } }

  /// Time passes, awake.
  public func advance(_ span: TimeSpan) {
    now.withLock {
      $0.wall = $0.wall + span
      $0.boot += span.microseconds
      $0.monotonic += span.microseconds
    }
  }

  /// The machine is suspended for that long.
  public func suspend(_ span: TimeSpan) {
    now.withLock {
      $0.wall = $0.wall + span
      $0.boot += span.microseconds
    }
  }

  /// The wall clock is set, forwards or backwards.
  public func step(_ span: TimeSpan) {
    now.withLock { $0.wall = $0.wall + span }
  }

  /// The machine was switched off and on: it runs for a minute, and its wall clock shows that.
  public func reboot(wall: Instant) {
    now.withLock { $0 = ClockReading(wall: wall, boot: 60_000_000, monotonic: 60_000_000) }
  }
}
