import EggTime
import LinuxIO

/// The entry about a client that eggd turned away or cut off. Clients can cause it at will, so it is written once a minute
/// at most.
///
/// Confined to the wire's queue.
final class ClientWarnings: @unchecked Sendable {
  private let clock: any Clock
  private let log: (JournalEvent) -> Void
  /// Of the last entry, µs on CLOCK_MONOTONIC.
  private var last: Int64?

  private static let minute: Int64 = 60_000_000

  init(clock: any Clock, log: @escaping (JournalEvent) -> Void) {
    self.clock = clock
    self.log = log
  }

  func tell(_ peer: PeerCredentials) {
    let now = clock.read().monotonic
    if let last, now - last < Self.minute { return }
    last = now
    log(.clientCutOff(pid: peer.pid, uid: peer.uid, isOurs: PeerCredentials.isOurUser(peer)))
  }
}
