import CSystemd
import EggTime
import Glibc

/// The service manager's side of the daemon's life, sd_notify(3); all of it does nothing without systemd.
package struct Readiness: Sendable {
  /// Reads WATCHDOG_USEC and WATCHDOG_PID, sd_watchdog_enabled(3).
  package init() {
    var period: UInt64 = 0
    watchdogPeriod = sd_watchdog_enabled(0, &period) > 0 ? Int64(clamping: period) : nil
  }

  /// In µs; nil where no WatchdogSec= is set. ``keepAlive()`` is to come twice in it.
  package let watchdogPeriod: Int64?

  /// Started; `status` is what `systemctl status` shows.
  package func ready(status: String) { sd_notify(0, "READY=1\nSTATUS=\(Self.line(status))") }

  /// The configuration is read anew, until ``ready(status:)``.
  package func reloading(_ now: ClockReading) {
    sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(now.monotonic)")
  }

  package func stopping() { sd_notify(0, "STOPPING=1") }

  package func keepAlive() { sd_notify(0, "WATCHDOG=1") }

  private static func line(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}

/// A socket that the service manager passed on, sd_listen_fds(3).
package struct InheritedSocket: Hashable, Sendable {
  package var descriptor: Int32
  /// False: one connected client (Accept=yes).
  package var listens: Bool

  /// The Unix stream sockets that were passed; what else was is closed. To be called once, before there are
  /// threads: it unsets LISTEN_FDS, so that no child takes them for its own.
  package static func take() -> [InheritedSocket] {
    let first = SD_LISTEN_FDS_START
    return (first..<first + max(sd_listen_fds(1), 0)).compactMap { descriptor in
      let stream = Int32(SOCK_STREAM.rawValue)
      for listens in [true, false]
      where sd_is_socket_unix(descriptor, stream, listens ? 1 : 0, nil, 0) > 0 {
        return InheritedSocket(descriptor: descriptor, listens: listens)
      }
      close(descriptor)
      return nil
    }
  }
}
