import Glibc

/// How long after a call of one client the last of 50 subscribers has been told of the change.
enum FanOut {
  private static let subscribers = 50

  /// Two eggds by turns, of which one has subscribers.
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let other = try bench.daemonAside(state: bench.newState(), onBus: true)
    defer { other.end() }
    let client = try Wire(path: daemon.socket)
    let alone = try Wire(path: other.socket)
    let wires = try (0..<subscribers).map { _ in try Wire(path: daemon.socket) }
    for wire in wires {
      try wire.send(Wire.call("Subscribe", #"{"pages":false}"#, more: true))
      // ready
      _ = try wire.replies()
    }
    let call = Wire.call("Schedule", #"{"expression":"6h30m","label":"two soft ones"}"#)
    var told: [Int64] = []
    var unheard: [Int64] = []
    for round in -10..<100 {
      let span = try alone.time(call)
      let begin = Clock.steady()
      try client.send(call)
      try waitForEach(of: [client] + wires)
      guard round >= 0 else { continue }
      told.append(Clock.steady() - begin)
      unheard.append(span)
    }
    let errors = ([client, alone] + wires).reduce(0) { $0 + $1.errors }
    guard errors == 0 else { throw BenchFailure("\(errors) messages were errors") }
    report.rows.append(
      Row(
        "one add, call to the last subscriber", .microseconds(told), "µs",
        beside: [Row.Beside(name: "call to reply, none subscribed", sample: .microseconds(unheard))]))
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
