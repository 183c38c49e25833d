import EggProtocol

/// Clients that call eggd as fast as they are answered, each on a connection of its own: two change labels, with 16 calls
/// under way; two schedule an alarm and delete it, which holds it while that is stored; one asks, with 32 under way.
struct Flood {
  private let changing: [Worker<Int>]
  private let asking: Worker<Int>

  /// Begins at once; ends when `stop` is set.
  init(_ daemon: Daemon, until stop: Stop) throws {
    let path = daemon.socket
    let client = try daemon.client()
    defer { client.connection.close() }
    let editors = try ["soft", "hard"].map { label in
      let number = try client.call(ScheduleCall(expression: "30d", label: label)).alarm.number
      let edits = ["two \(label) ones", "three \(label) ones"].map { label in
        Wire.call("Edit", #"{"numbers":[\#(number)],"label":"\#(label)"}"#)
      }
      return Worker { try Wire(path: path).repeated(edits, depth: 16, until: stop) }
    }
    let deleters = (0..<2).map { _ in
      Worker {
        let client = try ScheduleClient(path: path)
        defer { client.connection.close() }
        var answered = 0
        while !stop.isSet {
          let number = try client.call(ScheduleCall(expression: "30d")).alarm.number
          _ = try client.call(DeleteCall(WireSelection(numbers: [number])))
          answered += 2
        }
        return answered
      }
    }
    changing = editors + deleters
    let questions = [Wire.call("Status"), Wire.call("List", #"{"limit":100}"#)]
    asking = Worker { try Wire(path: path).repeated(questions, depth: 32, until: stop) }
  }

  /// Waits for their end.
  func answered() throws -> (changes: Int, questions: Int) {
    (try changing.reduce(0) { try $0 + $1.value() }, try asking.value())
  }
}

extension Wire {
  /// Makes these calls by turns, `depth` of them under way at a time; how many were answered.
  fileprivate func repeated(_ calls: [[UInt8]], depth: Int, until stop: Stop) throws -> Int {
    var next = 0
    func make(_ count: Int) throws {
      let bytes = (0..<count).flatMap { calls[(next + $0) % calls.count] }
      next += count
      try send(bytes)
    }
    try make(depth)
    var answered = 0
    while answered < next {
      let count = try replies()
      answered += count
      if !stop.isSet { try make(count) }
    }
    guard errors == 0 else { throw BenchFailure("\(errors) calls of the flood were refused") }
    return answered
  }
}
