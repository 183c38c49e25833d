/// Chooses the next of the connections waiting to be handled.
///
/// Two kinds alternate, as in RFC 8290: connections that had nothing open (`fresh`), and connections with
/// more work than fitted into their last turn. So a user's command never waits for the end of a flood, and
/// many short calls cannot starve a long pipeline. Within each kind, start-time fair queueing shares the time
/// (Goyal, Vin and Cheng, 1996). A turn starts at a virtual time: the end of its connection's last turn, but
/// not before the virtual time at which it was requested. The earliest start is next.
struct TurnOrder<Key: Hashable> {
  struct Turn {
    var key: Key
    var isFresh: Bool
    /// The virtual start time.
    fileprivate var since: UInt64
  }

  /// In order of arrival.
  private var waiting: [Turn] = []
  private var isWaiting: Set<Key> = []
  /// End of each connection's last turn, in virtual nanoseconds.
  private var ends: [Key: UInt64] = [:]
  /// The latest start of a turn so far.
  private var virtualTime: UInt64 = 0
  private var wasFresh = false

  var isEmpty: Bool { waiting.isEmpty }

  /// Requests a turn; ignored while one is pending.
  mutating func add(_ key: Key, isFresh: Bool) {
    guard isWaiting.insert(key).inserted else { return }
    waiting.append(Turn(key: key, isFresh: isFresh, since: virtualTime))
  }

  mutating func remove(_ key: Key) {
    ends[key] = nil
    if isWaiting.remove(key) != nil { waiting.removeAll { $0.key == key } }
  }

  /// The next turn. Among equals, the first to ask.
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

  /// Charges the time used by the last turn of `key`.
  mutating func charge(_ key: Key, nanoseconds: UInt64) {
    ends[key, default: virtualTime] += nanoseconds
  }

  private func first(fresh: Bool) -> Int? {
    waiting.indices.lazy.filter { waiting[$0].isFresh == fresh }
      .min { beginning(of: waiting[$0]) < beginning(of: waiting[$1]) }
  }

  private func beginning(of turn: Turn) -> UInt64 { max(ends[turn.key] ?? 0, turn.since) }
}
