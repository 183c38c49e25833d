import EggTime
import LinuxIO
import Varlink

/// Journal entries about clients that eggd turned away or cut off. Clients can cause these at will, so at most ten of each
/// kind are written in an hour; the next one says how many were left out.
///
/// Confined to the wire's queue.
final class ClientWarnings: @unchecked Sendable {
  private struct Allowance {
    /// When its hour began, µs on CLOCK_MONOTONIC.
    var since: Int64
    var told = 0
    var untold = 0
  }

  private enum Kind {
    case refused
    case connections
    case memory
  }

  private let clock: any Clock
  private let log: (JournalEvent) -> Void
  private var allowances: [Kind: Allowance] = [:]

  private static let perHour = 10
  private static let hour: Int64 = 3_600_000_000

  init(clock: any Clock, log: @escaping (JournalEvent) -> Void) {
    self.clock = clock
    self.log = log
  }

  /// A connection of another user was turned away.
  func refused(_ peer: PeerCredentials) {
    tell(.refused) { .peerRefused(uid: peer.uid, untold: $0) }
  }

  /// A connection was closed to make room for others.
  func yielded(_ why: Yielding, _ peer: PeerCredentials) {
    switch why {
    case .connections: tell(.connections) { .connectionsFull(pid: peer.pid, untold: $0) }
    case .memory: tell(.memory) { .memoryFull(pid: peer.pid, untold: $0) }
    }
  }

  private func tell(_ kind: Kind, _ event: (_ untold: Int) -> JournalEvent) {
    let now = clock.read().monotonic
    var allowance = allowances[kind] ?? Allowance(since: now)
    if now - allowance.since >= Self.hour {
      allowance.since = now
      allowance.told = 0
    }
    if allowance.told < Self.perHour {
      log(event(allowance.untold))
      allowance.told += 1
      allowance.untold = 0
    } else {
      allowance.untold += 1
    }
    allowances[kind] = allowance
  }
}
