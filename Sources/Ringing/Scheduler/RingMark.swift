import Alarms
import EggTime

/// Which ring: an occurrence rings again when it was snoozed.
package struct RingID: Hashable, Sendable {
  /// The occurrence's key.
  package var occurrence: Int64
  package var firedAt: Instant

  package init(occurrence: Int64, firedAt: Instant) {
    self.occurrence = occurrence
    self.firedAt = firedAt
  }
}

/// What became of a ring after it happened: recorded with the next commit, never waited for. A row that has rung again by
/// then is left alone.
package enum RingMark: Hashable, Sendable {
  /// The journal took its entry.
  case journaled(RingID, at: Instant)
  /// A server took its bubble. `shownAt` keeps the first of these; bubble and server the last.
  case shown([RingID], bubble: UInt32, server: String, at: Instant)
  /// A command that it ran has ended.
  case ran(RingID, HookRun)

  /// As many marks as are about so many rings, and the others, in their order. A bubble may be that of very many.
  package static func portion(_ marks: [RingMark], rings most: Int) -> (first: [RingMark], rest: [RingMark]) {
    var (first, rest): ([RingMark], [RingMark]) = ([], [])
    var room = most
    for mark in marks {
      switch mark {
      case .shown(let rings, let bubble, let server, let moment) where rings.count > room:
        if room > 0 {
          first.append(.shown(Array(rings.prefix(room)), bubble: bubble, server: server, at: moment))
        }
        rest.append(.shown(Array(rings.dropFirst(room)), bubble: bubble, server: server, at: moment))
        room = 0
      case .shown(let rings, _, _, _):
        first.append(mark)
        room -= rings.count
      case .journaled, .ran:
        if room > 0 { first.append(mark) } else { rest.append(mark) }
        room = max(room - 1, 0)
      }
    }
    return (first, rest)
  }
}
