/// `eggctl list` from the start of its process to its exit, beside `atq`.
enum Listing {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    for (count, atMost) in [(1_000, 9.0), (10_000, 60.0)] {
      let daemon = try bench.daemon(stored: count)
      defer { daemon.end() }
      let isBesideAt = AtQueue.isMissing == nil
      if isBesideAt { try AtQueue.make(count) }
      var ours: [Int64] = []
      var theirs: [Int64] = []
      for round in -1..<10 {
        let own = try Command.time([bench.eggctl, "list"], environment: daemon.environment)
        let peer = isBesideAt ? try Command.time(["atq"]) : 0
        guard round >= 0 else { continue }
        ours.append(own)
        theirs.append(peer)
      }
      AtQueue.removeAll()
      let atq = Row.Beside(name: "atq", sample: .milliseconds(theirs), atMost: 1)
      report.rows.append(
        Row(
          "eggctl list of \(Double(count).grouped)", .milliseconds(ours), "ms", atMost: atMost,
          beside: isBesideAt ? [atq] : []))
    }
    if let reason = AtQueue.isMissing { report.missing.append("atq: \(reason)") }
  }
}
