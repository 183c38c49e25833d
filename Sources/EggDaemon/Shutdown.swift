import Dispatch
import Glibc

/// Ends a daemon within a second: replies go out, then nothing rings any more, then the database is closed.
struct Shutdown: Sendable {
  /// What is not done by then is left as a kill would leave it, which loses nothing that was acknowledged.
  private static let patience = DispatchTimeInterval.milliseconds(900)
  /// For replies to changes that wait for the disk.
  private static let grace = Duration.milliseconds(500)

  private let daemon: Daemon

  init(_ daemon: Daemon) { self.daemon = daemon }

  func begin() {
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { end() }
    daemon.journal.log(.stopping)
    // Its commit has the whole time.
    daemon.schedulerQueue.async { daemon.loop.record() }
    daemon.server.stop(grace: Self.grace) {
      daemon.schedulerQueue.async {
        daemon.loop.stop()
        daemon.notifier.stop()
        // That entries were written is recorded, too: else the next eggd would write them again.
        daemon.journal.whenWritten { daemon.schedulerQueue.async { close() } }
      }
    }
  }

  private func close() {
    daemon.store.close {
      daemon.journal.flush()
      end()
    }
  }

  private func end() -> Never {
    daemon.ownSocket?.remove()
    // At once: nothing is left to be flushed, and a thread may still wait for the disk.
    _exit(0)
  }
}
