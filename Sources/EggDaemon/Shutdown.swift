import Dispatch
import Glibc

/// Ends eggd: sends replies, stops ringing, records what rang, closes the database. That takes less than a second unless
/// the record must wait for the disk, for another program's lock or for a change of many.
struct Shutdown: Sendable {
  /// After that eggd ends, unless rings are unrecorded. Everything else is left as a kill would leave it, which loses
  /// nothing acknowledged.
  private static let patience = DispatchTimeInterval.milliseconds(900)
  /// How long it waits for the record of what rang: it would ring again. The unit's TimeoutStopSec= is a little longer.
  private static let recordPatience = DispatchTimeInterval.seconds(55)
  /// For replies to changes that wait for the disk. After it no change is made any more.
  private static let grace = DispatchTimeInterval.milliseconds(500)

  /// For a notification server's answers, which give the ids of its bubbles.
  private static let bubblePatience = DispatchTimeInterval.milliseconds(200)

  private static let journalPatience = DispatchTimeInterval.milliseconds(100)

  private let daemon: Daemon

  init(_ daemon: Daemon) { self.daemon = daemon }

  func begin() {
    let last = DispatchQueue(label: "end")
    last.asyncAfter(deadline: .now() + Self.recordPatience) { end() }
    last.asyncAfter(deadline: .now() + Self.patience) {
      daemon.schedulerQueue.async {
        guard daemon.loop.awaitsRecord else { end() }
        // Does not wait for a journald that stalls.
        daemon.loop.stop()
        close()
      }
    }
    daemon.journal.log(.stopping)
    daemon.server.stop(grace: Self.grace) {
      daemon.store.stopChanges()
      daemon.schedulerQueue.async {
        daemon.notifier.whenAnswered(within: Self.bubblePatience) {
          daemon.loop.stop()
          daemon.notifier.stop()
          // That entries were written is recorded, too: else the next eggd would write them again.
          daemon.journal.whenWritten { daemon.schedulerQueue.async { close() } }
        }
      }
    }
  }

  /// Twice where the journal has its entries only later: the second time nothing is left to be closed.
  private func close() {
    // While the state's lock is held: the next eggd may bind the socket as soon as it has the lock.
    daemon.ownSocket?.remove()
    daemon.store.close {
      daemon.changeEntries.tellRest()
      daemon.journal.flush(within: Self.journalPatience)
      end()
    }
  }

  /// Ends at once, as a kill would.
  func end() -> Never {
    daemon.ownSocket?.remove()
    // At once: nothing is left to be flushed, and a thread may still wait for the disk.
    _exit(0)
  }
}
