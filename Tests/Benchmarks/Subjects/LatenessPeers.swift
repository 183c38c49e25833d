import Glibc

/// Peers that ring at full seconds, by turns, while eggd rings between these: at(1) at those that begin a minute, sched and
/// APScheduler of Python and `sleep; notify-send` at every fourth.
struct LatenessPeers {
  private static let napTime = 2
  private var atQueue: Worker<[Int64]>?
  private var python: [(PythonTimers, Worker<[Double]>)] = []
  private var sleepers: Worker<[Int64]>?

  /// Begins at once; `seconds` are in µs since the epoch, ascending.
  init(at seconds: [Int64], _ bench: Workbench, _ report: inout Report) {
    let isMinute = { (moment: Int64) in moment % 60_000_000 == 0 }
    if let reason = AtQueue.isMissing {
      report.missing.append("at: \(reason)")
    } else {
      atQueue = AtQueue.lateness(of: seconds.filter(isMinute), bench)
    }
    report.missing.append("cron: it reads the machine's own tables only")
    func fourth(_ turn: Int64) -> [Int64] {
      seconds.filter { $0 / 1_000_000 % 4 == turn && !isMinute($0) }
    }
    for (turn, peer) in PythonTimers.allCases.enumerated() {
      if peer.isMissing(bench) {
        report.missing.append("\(peer.name): not installed")
      } else {
        python.append((peer, peer.start(fourth(Int64(turn) + 1), bench)))
      }
    }
    if Command.path("notify-send") != nil {
      sleepers = Self.sleep(until: fourth(3), bench)
    } else {
      report.missing.append("sleep; notify-send: not installed (libnotify-bin)")
    }
  }

  /// Once all have rung. One that failed is named.
  func besides(
    _ bench: Workbench, _ report: inout Report
  ) -> (journal: [Row.Beside], bus: [Row.Beside]) {
    var journal: [Row.Beside] = []
    if let atQueue {
      add("at, full minutes only", to: &journal) { .microseconds(try atQueue.value()) }
    }
    for (peer, worker) in python {
      add(peer.name, to: &journal) { Sample(try worker.value()) }
    }
    var bus: [Row.Beside] = []
    if let sleepers {
      add("sleep; notify-send", to: &bus) {
        let moments = try sleepers.value()
        let stamps = try bench.notifications.take(moments.count, of: "notify-send")
        return .microseconds(zip(stamps, moments).map { $0 - $1 })
      }
    }
    return (journal, bus)

    func add(_ name: String, to besides: inout [Row.Beside], sample: () throws -> Sample) {
      do {
        besides.append(Row.Beside(name: name, sample: try sample()))
      } catch {
        report.failed.append("\(name): \(error)")
      }
    }
  }

  /// What each slept to, in ns since the epoch.
  private static func sleep(until moments: [Int64], _ bench: Workbench) -> Worker<[Int64]> {
    let bus = ["DBUS_SESSION_BUS_ADDRESS": bench.bus.address]
    return Worker {
      try moments.map { moment in
        Clock.sleep(until: (moment - Int64(napTime) * 1_000_000) * 1000)
        let begin = Clock.wall()
        try Command.time(
          ["bash", "-c", "sleep \(napTime); notify-send Wait! 'Your eggs are almost done!'"], environment: bus
        )
        return begin + Int64(napTime) * 1_000_000_000
      }
    }
  }
}
