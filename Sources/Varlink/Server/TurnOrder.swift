/// Which of the connections that wait to be handled is next: the one that has had the least of our time
/// lately. So a client that floods, or sends what is costly, waits for those that ask little, not they for
/// it.
struct TurnOrder<Key: Hashable> {
  private struct Spent {
    var nanoseconds: UInt64
    var at: UInt64
  }

  /// What is spent counts half after this many nanoseconds.
  private static var halfLife: UInt64 { 1 << 27 }

  /// In order of arrival.
  private var waiting: [Key] = []
  private var isWaiting: Set<Key> = []
  private var spent: [Key: Spent] = [:]

  var isEmpty: Bool { waiting.isEmpty }

  /// Asks for a turn; once is enough.
  mutating func add(_ key: Key) {
    if isWaiting.insert(key).inserted { waiting.append(key) }
  }

  /// Forgets a connection.
  mutating func remove(_ key: Key) {
    spent[key] = nil
    if isWaiting.remove(key) != nil { waiting.removeAll { $0 == key } }
  }

  /// Hands out the next turn. Of equals, who asked first. Times are of any steady clock, in nanoseconds.
  mutating func next(now: UInt64) -> Key? {
    let order = waiting.indices.min { cost(of: waiting[$0], now) < cost(of: waiting[$1], now) }
    guard let order else { return nil }
    let key = waiting.remove(at: order)
    isWaiting.remove(key)
    return key
  }

  /// Notes what a turn took.
  mutating func charge(_ key: Key, nanoseconds: UInt64, now: UInt64) {
    spent[key] = Spent(nanoseconds: cost(of: key, now) &+ nanoseconds, at: now)
  }

  private func cost(of key: Key, _ now: UInt64) -> UInt64 {
    guard let past = spent[key], now >= past.at else { return spent[key]?.nanoseconds ?? 0 }
    let halvings = (now - past.at) / Self.halfLife
    return halvings > 63 ? 0 : past.nanoseconds >> halvings
  }
}
