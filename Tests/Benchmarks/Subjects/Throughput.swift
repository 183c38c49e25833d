import Glibc

/// Alarms stored in a second, each acknowledged once it is on the disk.
enum Throughput {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let daemon = try bench.daemon()
    defer { daemon.end() }
    let manners: [(clients: Int, depth: Int)] = [(1, 1), (1, 32), (8, 1), (8, 32)]
    var rates = [[Double]](repeating: [], count: manners.count)
    var peer: [Double] = []
    for round in 0..<3 {
      for (index, manner) in manners.enumerated() {
        rates[index].append(try rate(daemon, clients: manner.clients, depth: manner.depth))
      }
      guard let python = bench.python else { continue }
      let script = "\(bench.repository)/Tests/Benchmarks/peers/throughput.py"
      let text = try Command.output(
        [python, script, "\(bench.disk)/apscheduler-\(round).db", "1.5"], through: "\(bench.disk)/python")
      if let rate = text.split(separator: "\n").first.flatMap({ Double($0) }) { peer.append(rate) }
    }
    if bench.python == nil { report.missing.append("APScheduler: not installed") }
    if !peer.isEmpty { report.rows.append(Row("APScheduler, SQLite, one at a time", Sample(peer), "/s")) }
    for (index, manner) in manners.enumerated() {
      let isMarked = manner == (8, 32)
      let clients = manner.clients == 1 ? "1 client" : "\(manner.clients) clients"
      let way = manner.depth == 1 ? "one call at a time" : "pipelining"
      report.rows.append(
        Row(
          "\(clients), \(way)", Sample(rates[index]), "/s", atLeast: isMarked ? 20_000 : nil,
          beside: peer.isEmpty
            ? []
            : [
              Row.Beside(
                name: "APScheduler, SQLite", sample: Sample(peer), isAbove: true)
            ]))
    }
  }

  /// Of all clients together.
  private static func rate(_ daemon: Daemon, clients: Int, depth: Int) throws -> Double {
    let path = daemon.socket
    let call = Wire.call("Schedule", #"{"expression":"6h30m","label":"two soft ones"}"#)
    let workers = (0..<clients).map { _ in
      Worker { try Wire(path: path).rate(call, depth: depth, seconds: 1.5) }
    }
    return try workers.reduce(0) { try $0 + $1.value() }
  }
}
