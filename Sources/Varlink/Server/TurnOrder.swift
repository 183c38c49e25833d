/// Chooses the next of the connections waiting to be handled.
///
/// Two kinds alternate, as in RFC 8290: connections that had nothing open (`fresh`), and connections with more work than
/// fitted into their last turn. So a user's command never waits for the end of a flood, and many short calls cannot
/// starve a long pipeline. Within each kind the first to ask is the next, by deficit round robin (Shreedhar and Varghese,
/// 1996): who took longer than ``quantum`` is passed over until the others have had their turns as often as that takes.
struct TurnOrder<Key: Hashable> {
  struct Turn {
    var key: Key
    var isFresh: Bool
  }

  /// What a turn may take without a debt, in nanoseconds.
  static var quantum: UInt64 { 500_000 }
  /// The longest debt: what took much longer was the machine.
  private static var mostDebt: UInt64 { 8 * quantum }

  /// In order of arrival.
  private var waiting: [Turn] = []
  private var isWaiting: Set<Key> = []
  /// How much longer than ``quantum`` each took, in nanoseconds. Above 0.
  private var debts: [Key: UInt64] = [:]
  private var wasFresh = false

  var isEmpty: Bool { waiting.isEmpty }

  /// Requests a turn; ignored while one is pending.
  mutating func add(_ key: Key, isFresh: Bool) {
    guard isWaiting.insert(key).inserted else { return }
    waiting.append(Turn(key: key, isFresh: isFresh))
  }

  mutating func remove(_ key: Key) {
    debts[key] = nil
    if isWaiting.remove(key) != nil { waiting.removeAll { $0.key == key } }
  }

  mutating func next() -> Turn? {
    while let place = waiting.firstIndex(where: { $0.isFresh != wasFresh }) ?? waiting.indices.first {
      let turn = waiting.remove(at: place)
      if let debt = debts[turn.key] {
        debts[turn.key] = debt > Self.quantum ? debt - Self.quantum : nil
        waiting.append(turn)
      } else {
        isWaiting.remove(turn.key)
        wasFresh = turn.isFresh
        return turn
      }
    }
    return nil
  }

  /// Charges the time used by the last turn of `key`.
  mutating func charge(_ key: Key, nanoseconds: UInt64) {
    guard nanoseconds > Self.quantum else { return }
    debts[key] = min(nanoseconds - Self.quantum, Self.mostDebt)
  }
}
