import Glibc

/// How long after a call of one client the last of 50 subscribers has been told of the change.
enum FanOut {
  private static let subscribers = 50

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let client = try Wire(path: daemon.socket)
    let call = Wire.call("Schedule", #"{"expression":"6h30m","label":"two soft ones"}"#)
    var alone: [Int64] = []
    for round in -10..<100 {
      let span = try client.time(call)
      if round >= 0 { alone.append(span) }
    }
    let wires = try (0..<subscribers).map { _ in try Wire(path: daemon.socket) }
    for wire in wires {
      try wire.send(Wire.call("Subscribe", #"{"pages":false}"#, more: true))
      // ready
      _ = try wire.replies()
    }
    var told: [Int64] = []
    for round in -10..<100 {
      let begin = Clock.steady()
      try client.send(call)
      try waitForEach(of: [client] + wires)
      if round >= 0 { told.append(Clock.steady() - begin) }
    }
    report.rows.append(
      Row(
        "one add, call to the last subscriber", .microseconds(told), "µs",
        beside: [Row.Beside(name: "call to reply, none subscribed", sample: .microseconds(alone))]))
  }

  /// One message each.
  private static func waitForEach(of wires: [Wire]) throws {
    var waiting = wires
    while !waiting.isEmpty {
      var polled = waiting.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
      guard poll(&polled, UInt(polled.count), 10_000) > 0 else {
        throw BenchFailure("\(waiting.count) subscribers were not told")
      }
      var left: [Wire] = []
      for (index, wire) in waiting.enumerated() {
        guard polled[index].revents != 0 else {
          left.append(wire)
          continue
        }
        guard try wire.replies() == 1 else { throw BenchFailure("a subscriber was told twice") }
      }
      waiting = left
    }
  }
}
