import Glibc

/// Single alarms a second apart: those of an eggd that rings each second, and of eleven by turns, each of which was idle
/// for ten seconds and more. Between them, in each second, a timerfd loop and one of the peers.
enum SteadyAlarms {
  private static let count = 200
  private static let idlers = 11
  /// Where in a second they are due, in µs: what rings is over before the next one comes. The peers are due at full
  /// seconds.
  private static let place = (warm: Int64(250_000), bare: Int64(500_000), idle: Int64(750_000))

  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let warm = try bench.daemon()
    defer { warm.end() }
    let idle = try (0..<idlers).map { _ in try bench.daemonAside(state: bench.newState(), onBus: true) }
    defer { idle.forEach { $0.end() } }
    bench.forgetRings()
    let first = Clock.wall() / 1_000_000_000 + 14
    let seconds = (0..<count).map { (first + Int64($0)) * 1_000_000 }
    for (index, daemon) in idle.enumerated() {
      let own = stride(from: index, to: count, by: idlers).map { seconds[$0] + place.idle }
      try SingleAlarms.schedule(own, daemon)
    }
    try SingleAlarms.schedule(seconds.map { $0 + place.warm }, warm)
    guard Clock.wall() / 1000 + 10_000_000 < seconds[0] else {
      throw BenchFailure("the alarms took 4 s to store")
    }
    let before = try warm.processorTime()
    let bare = BareTimer.start(moments: seconds.map { $0 + place.bare }, bus: bench.bus.address)
    let peers = LatenessPeers(at: seconds, bench, &report)
    Clock.sleep(until: (seconds[count - 1] + 4_000_000) * 1000)
    let spent = Double(try warm.processorTime() - before) / Double(count)

    let rings = bench.journal.takeAll().filter { $0.dueAt != nil }
    let notices = try bench.notifications.takeNotices(2 * count)
    guard rings.count == 2 * count, notices.count == 2 * count else {
      throw BenchFailure("\(rings.count) entries and \(notices.count) notifications of \(2 * count) alarms")
    }
    let besides = peers.besides(bench, &report)
    let loop = try bare.value()
    let bareStamps = try bench.notifications.take(count, of: BareTimer.sender)
    // each eggd has a connection of its own; those that are idle begin one after the other
    let bubbles = Dictionary(grouping: notices, by: \.origin).values.sorted { $0[0].at < $1[0].at }
    guard let own = bubbles.first(where: { $0.count == count }), bubbles.count == 1 + idlers else {
      throw BenchFailure("the notifications came over \(bubbles.count) connections")
    }
    let others = bubbles.filter { $0.count < count }
    func lateness(_ isWarm: Bool) -> Lateness {
      let start = isWarm ? place.warm : place.idle
      let entries = rings.filter { ($0.dueAt ?? 0) / 1000 % 1_000_000 == start }
      func late(_ notices: [BusReceiver.Notice], _ moments: StrideTo<Int>) -> [Int64] {
        zip(notices, moments).map { $0.at - (seconds[$1] + start) * 1000 }
      }
      let bus =
        isWarm
        ? late(own, stride(from: 0, to: count, by: 1))
        : others.indices.flatMap { late(others[$0], stride(from: $0, to: count, by: idlers)) }
      return Lateness(
        journal: entries.map(\.lateness), said: entries.map(\.saidLateness), bus: bus, bare: loop,
        bareBus: zip(bareStamps, seconds).map { $0 - ($1 + place.bare) * 1000 })
    }
    report.rows += lateness(true).rows(
      isMarked: true, besideJournal: besides.journal, besideBus: besides.bus)
    report.rows += lateness(false).rows("idle before: ", isMarked: true)
    report.rows.append(Row("processor time of an alarm, all in all", Sample([spent / 1000]), "µs"))
  }
}
