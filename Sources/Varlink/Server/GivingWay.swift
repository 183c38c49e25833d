/// Why a connection was closed for the good of the others.
public enum Yielding: Sendable, Hashable {
  /// Another took its place: there were `ServerLimits.connections`.
  case connections
  /// All together held more than `ServerLimits.heldBytes`, and its process most of it.
  case memory
}

/// One connection as it stands when some have to give way.
struct Holding {
  let id: ConnectionID
  /// The client's process, as the kernel names it.
  let process: Int32
  let occupation: Occupation
  /// Counts up with whatever is heard from a client, or taken by it.
  let lastActive: UInt64
  /// Of memory, held for it.
  let bytes: Int
}

/// What a connection is there for at the moment; those that give way first come first.
enum Occupation: Int, Comparable {
  /// It has no call open.
  case idle
  /// Its calls are answered by what may never happen.
  case waiting
  /// It has a call that is being worked on, or whose replies it does not take.
  case busy

  static func < (one: Occupation, other: Occupation) -> Bool { one.rawValue < other.rawValue }
}

/// Who gives way where all connections together have more than the server grants. Always a connection of the process that
/// has most: a program that runs wild loses its own, and not those of other programs.
extension [Holding] {
  /// Whose place a new connection takes: an idle one's, else one's that waits, else any. Of these, the one that was
  /// silent for longest; but of those that wait the newest, so that what has run for weeks goes on.
  var toMakeRoom: ConnectionID? {
    guard let least = map(\.occupation).min() else { return nil }
    let candidates = filter { $0.occupation == least }
    let most = candidates.process(by: { _ in 1 })
    let own = candidates.filter { $0.process == most }
    let chosen =
      least == .waiting
      ? own.max { $0.id.number < $1.id.number } : own.min { $0.lastActive < $1.lastActive }
    return chosen?.id
  }

  /// Whose memory is let go of: the one that holds most.
  var toFreeMemory: ConnectionID? {
    let most = process(by: \.bytes)
    return filter { $0.process == most }.max { $0.bytes < $1.bytes }?.id
  }

  /// The process that has most in sum.
  private func process(by amount: (Holding) -> Int) -> Int32? {
    var sums: [Int32: Int] = [:]
    for holding in self { sums[holding.process, default: 0] += amount(holding) }
    return sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
