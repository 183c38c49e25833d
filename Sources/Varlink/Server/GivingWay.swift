struct Holding {
  let id: ConnectionID
  /// The client's process id, from the kernel.
  let process: Int32
  let occupation: Occupation
  /// Raised whenever the client sends or takes something.
  let lastActive: UInt64
  let bytes: Int
}

/// What a connection is doing. Lower values give way first.
enum Occupation: Comparable {
  /// No open call.
  case idle
  /// Its calls wait for events that may never come.
  case waiting
  /// A call is in progress, or replies are not being taken.
  case busy
}

/// Chooses the connections to close. It is always one of the process that holds most: a runaway program loses
/// its own connections, never those of other programs.
extension [Holding] {
  /// Gives way to a new connection: an idle one, else a waiting one, else any. Among these, the one silent
  /// the longest; among waiting ones the newest, so that long-running clients stay.
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

  /// Gives way when memory is short: the connection that holds most.
  var toFreeMemory: ConnectionID? {
    let most = process(by: \.bytes)
    return filter { $0.process == most }.max { $0.bytes < $1.bytes }?.id
  }

  /// The process with the largest sum.
  private func process(by amount: (Holding) -> Int) -> Int32? {
    var sums: [Int32: Int] = [:]
    for holding in self { sums[holding.process, default: 0] += amount(holding) }
    return sums.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }
}
