struct Holding {
  let id: ConnectionID
  /// The client's process id, from the kernel.
  let process: Int32
  /// No open call, and nothing to send.
  let isIdle: Bool
  /// Raised whenever the client sends or takes something.
  let lastActive: UInt64
  let bytes: Int
}

/// Chooses the connections to close.
extension [Holding] {
  /// Gives way to a new connection: an idle one if there is one. Among these it is one of the process that has
  /// most, so that a runaway program loses its own connections: the one silent the longest.
  var toMakeRoom: ConnectionID? {
    let idle = filter(\.isIdle)
    let processes = Dictionary(grouping: idle.isEmpty ? self : idle, by: \.process)
    let most = processes.max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }
    return most?.value.min { $0.lastActive < $1.lastActive }?.id
  }

  /// Gives way when memory is short: the connection that holds most.
  var toFreeMemory: ConnectionID? { self.max { $0.bytes < $1.bytes }?.id }
}
