/// Which of the connections that wait to be handled is next.
///
/// Those that wait with a call after they had nothing open (`fresh`) and those that have more to do than their
/// last turn had time for take turns with each other, as in RFC 8290: a person's command does not wait until a
/// flood is through, nor can many short calls starve a long pipeline. Among either kind time is shared by
/// start-time fair queueing (Goyal, Vin and Cheng, 1996): each turn begins at a virtual time, where its
/// connection's last turn ended, but not before the order had come to when it asked; the earliest is next.
struct TurnOrder<Key: Hashable> {
  struct Turn {
    var key: Key
    var isFresh: Bool
    /// The virtual time at which it was asked for.
    fileprivate var since: UInt64
  }

  /// In order of arrival.
  private var waiting: [Turn] = []
  private var isWaiting: Set<Key> = []
  /// Where a connection's last turn ended, in virtual nanoseconds.
  private var ends: [Key: UInt64] = [:]
  /// The latest beginning of a turn so far.
  private var virtualTime: UInt64 = 0
  private var wasFresh = false

  var isEmpty: Bool { waiting.isEmpty }

  /// Asks for a turn; once is enough.
  mutating func add(_ key: Key, isFresh: Bool) {
    guard isWaiting.insert(key).inserted else { return }
    waiting.append(Turn(key: key, isFresh: isFresh, since: virtualTime))
  }

  /// Forgets a connection.
  mutating func remove(_ key: Key) {
    ends[key] = nil
    if isWaiting.remove(key) != nil { waiting.removeAll { $0.key == key } }
  }

  /// Hands out the next turn. Of equals, who asked first.
  mutating func next() -> Turn? {
    guard let first = first(fresh: !wasFresh) ?? first(fresh: wasFresh) else { return nil }
    let turn = waiting.remove(at: first)
    isWaiting.remove(turn.key)
    wasFresh = turn.isFresh
    let beginning = beginning(of: turn)
    virtualTime = max(virtualTime, beginning)
    ends[turn.key] = beginning
    return turn
  }

  /// Notes what the turn took that was given to `key` last.
  mutating func charge(_ key: Key, nanoseconds: UInt64) {
    ends[key, default: virtualTime] += nanoseconds
  }

  private func first(fresh: Bool) -> Int? {
    waiting.indices.lazy.filter { waiting[$0].isFresh == fresh }
      .min { beginning(of: waiting[$0]) < beginning(of: waiting[$1]) }
  }

  private func beginning(of turn: Turn) -> UInt64 { max(ends[turn.key] ?? 0, turn.since) }
}
