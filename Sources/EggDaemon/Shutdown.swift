import Dispatch
import Glibc

/// Ends a daemon: replies go out, then nothing rings any more, then what rang is recorded and the database is closed.
/// That takes less than a second, but where the record has to wait for the disk or for another program's lock.
struct Shutdown: Sendable {
  /// After that eggd ends, unless what rang is not recorded. All else is left as a kill would leave it, which loses
  /// nothing that was acknowledged.
  private static let patience = DispatchTimeInterval.milliseconds(900)
  /// How long it waits for the record of what rang: it would ring again. The unit's TimeoutStopSec= is a little longer.
  private static let recordPatience = DispatchTimeInterval.seconds(55)
  /// For replies to changes that wait for the disk. After it no change is made any more.
  private static let grace = Duration.milliseconds(500)

  private static let journalPatience = DispatchTimeInterval.milliseconds(100)

  private let daemon: Daemon

  init(_ daemon: Daemon) { self.daemon = daemon }

  func begin() {
    let last = DispatchQueue(label: "end")
    last.asyncAfter(deadline: .now() + Self.recordPatience) { end() }
    last.asyncAfter(deadline: .now() + Self.patience) {
      daemon.schedulerQueue.async {
        guard daemon.loop.awaitsRecord else { end() }
        // A journald that stalls is not waited for.
        daemon.loop.stop()
        close()
      }
    }
    daemon.journal.log(.stopping)
    daemon.server.stop(grace: Self.grace) {
      daemon.store.stopChanges()
      daemon.schedulerQueue.async {
        daemon.loop.stop()
        daemon.notifier.stop()
        // That entries were written is recorded, too: else the next eggd would write them again.
        daemon.journal.whenWritten { daemon.schedulerQueue.async { close() } }
      }
    }
  }

  /// Twice where the journal has its entries only later: the second time nothing is left to be closed.
  private func close() {
    // While the state's lock is held: the next eggd may bind the socket as soon as it has the lock.
    daemon.ownSocket?.remove()
    daemon.store.close {
      daemon.journal.flush(within: Self.journalPatience)
      end()
    }
  }

  /// Ends at once, and leaves all as a kill would.
  func end() -> Never {
    daemon.ownSocket?.remove()
    // At once: nothing is left to be flushed, and a thread may still wait for the disk.
    _exit(0)
  }
}
