import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Testing
import Varlink

@testable import EggDaemon
@testable import EggStore
@testable import Ringing

/// Alarms to which anything was done are exported, and imported into an empty list: there they are as they were, and the
/// next change does the same to both.
@Suite("What is imported is what was exported")
struct ExportWalkTests {
  private static let alarms: Int64 = 5
  private let clock = FakeClock()

  @Test("After any changes, and after the next one", arguments: 1...4)
  func walk(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let bench = try StoreBench(clock: clock)
    for _ in 1...Self.alarms { try bench.submit(ScheduleChange(alarm(on: bench, &random))) }
    for step in 1...40 {
      let change = change(&random, bench)
      let copy = try copied(bench)
      try expectEqual(bench, copy, "step \(step)", everything)
      for one in [bench, copy] { _ = one.submitted(change) }
      try expectEqual(bench, copy, "step \(step), then \(change)", next)
      if Bool.random(using: &random) { try elapse(bench) }
    }
  }

  private func alarm(on bench: StoreBench, _ random: inout SeededGenerator) throws -> Alarm {
    let span = TimeSpan.seconds(Int64.random(in: 60...90_000, using: &random))
    var alarm = bench.new(after: span)
    let texts = ["0s", "1min", "10min", "1h"].shuffled(using: &random).prefix(
      Int.random(in: 0...3, using: &random))
    let leads = texts.compactMap { Lead($0) }.sorted()
    alarm.rules.leads = leads == [.zero] ? [] : leads
    switch Int.random(in: 0...2, using: &random) {
    case 0:
      // What a paused one has left does not say which of its leads that is.
      alarm.rules.leads = []
      alarm.timing = .countdown(span)
      alarm.due = DuePoint(
        clock: bench.store.currentBoot, microseconds: clock.read().boot + span.microseconds)
    case 1:
      let event = try #require(CalendarEvent("*-*-* *:00/20:00"))
      alarm.timing = .every(.event(event), zone: "UTC", floats: false)
      alarm.rules.leads = leads.filter { $0.span < .seconds(1_200) && $0 != .zero }
      alarm.due = event.next(after: clock.read().wall, in: .utc).map { .wall($0) }
    default: break
    }
    return alarm
  }

  private func change(_ random: inout SeededGenerator, _ bench: StoreBench) -> any Change {
    let one = Selection(numbers: [Int64.random(in: 1...Self.alarms, using: &random)])
    switch Int.random(in: 0...9, using: &random) {
    case 0...1: return PauseChange(one)
    case 2...3: return ResumeChange(one)
    case 4: return DismissChange(one)
    case 5:
      let end = clock.read().boot + Int64.random(in: 100...4_000, using: &random) * 1_000_000
      return SnoozeChange(one, until: DuePoint(clock: bench.store.currentBoot, microseconds: end))
    case 6: return SkipChange(one)
    case 7: return ExtendChange(one, by: .seconds(Int64.random(in: 60...5_000, using: &random)))
    case 8: return MarkDoneChange(one, true)
    default: return MarkDoneChange(one, false)
    }
  }

  /// The next ring of all, and those of the same moment.
  private func elapse(_ bench: StoreBench) throws {
    var isFirst = true
    while let next = try next(bench), isFirst || next.wall <= clock.read().wall {
      isFirst = false
      clock.advance(max(next.wall - clock.read().wall, .zero))
      let fired = clock.read().wall
      var ring = RingRecord(
        occurrence: next.snoozed ?? fired.microseconds + next.alarm.number,
        key: EntryKey(number: next.alarm.number, occurrence: next.snoozed ?? 0), due: next.due, dueAt: fired,
        ahead: next.snoozed == nil ? next.alarm.ahead : .zero, firedAt: fired, lateness: .zero, reason: nil)
      if next.snoozed == nil, let recurrence = recurrence(of: next.alarm, due: next.due) {
        let due = Instant(microseconds: next.due.microseconds)
        let course = recurrence.course(from: due, to: due)
        (ring.elapsed, ring.used) = (course.elapsed, course.used)
        ring.next = course.next.map { DuePoint(clock: next.due.clock, microseconds: $0.ring.microseconds) }
        ring.nextAhead = course.next?.ahead ?? .zero
      }
      bench.store.record([ring])
      bench.store.mark([
        .journaled(ring.ring, at: fired),
        .ran(ring.ring, HookRun(hook: "/a\nb", result: .exited(fired.microseconds % 7))),
      ])
      for _ in 1...2 { bench.queue.sync {} }
    }
  }

  private func next(
    _ bench: StoreBench
  ) throws -> (wall: Instant, alarm: Alarm, due: DuePoint, snoozed: Int64?)? {
    let wall = WallClock(now: clock.read())
    return try (1...Self.alarms).flatMap { number in
      let history = try history(of: number, bench)
      let snoozes = history.occurrences.compactMap { one in one.due.map { ($0, Int64?(one.id)) } }
      let own = history.alarm.due.map { [($0, Int64?.none)] } ?? []
      return (snoozes + own).map { (wall($0.0), history.alarm, $0.0, $0.1) }
    }.min { $0.0 < $1.0 }
  }

  private func history(of number: Int64, _ bench: StoreBench) throws -> AlarmHistory {
    try bench.wait { bench.store.alarm(.number(number), completion: $0) }.get()
  }

  private func recurrence(of alarm: Alarm, due: DuePoint) -> Recurrence? {
    if case .every(let time, _, _) = alarm.timing {
      return Recurrence(
        .every(time), zone: .utc, from: alarm.from, until: alarm.until, count: alarm.count,
        leads: alarm.rules.leads)
    }
    guard !alarm.rules.leads.isEmpty else { return nil }
    let moment = Instant(microseconds: due.microseconds) + alarm.ahead
    return Recurrence(.once(moment), zone: .utc, leads: alarm.rules.leads)
  }

  private func exported(_ bench: StoreBench) throws -> [ImportedAlarm] {
    try (1...Self.alarms).map { number in
      let history = try history(of: number, bench)
      return ImportedAlarm(
        alarm: WireAlarm(history.alarm, wallOf: WallClock(now: clock.read()).callAsFunction),
        occurrences: history.occurrences.map { WireOccurrence($0) })
    }
  }

  private func copied(_ bench: StoreBench) throws -> StoreBench {
    let copy = try StoreBench(clock: clock)
    let timing = TimingReader(
      boot: copy.store.currentBoot, machineZone: .utc, readAt: clock.read(), dayAt: .usual)
    let reader = ExportReader(timing: timing)
    let alarms = try exported(bench).map { try reader.read($0) }
    let id = copy.store.beginImport()
    try copy.submit(ImportAlarmsChange(id, alarms: alarms))
    try copy.submit(CommitImportChange(id))
    return copy
  }

  /// What is to come.
  private func next(_ item: ImportedAlarm) -> String {
    let alarm = item.alarm
    let moments = [alarm.due, alarm.moment, alarm.latest?.snoozedUntil].map {
      $0.map { "\($0.microseconds)" } ?? "-"
    }
    return
      "\(alarm.number) \(alarm.state) \(alarm.paused == true) \(alarm.done) \(moments.joined(separator: " "))"
  }

  private func everything(_ item: ImportedAlarm) throws -> String {
    String(decoding: try JSON.bytes(item, sorted: true), as: UTF8.self)
  }

  private func expectEqual(
    _ bench: StoreBench, _ copy: StoreBench, _ when: String, _ shown: (ImportedAlarm) throws -> String
  ) throws {
    for (old, new) in zip(try exported(bench), try exported(copy)) {
      let (old, new) = (try shown(old), try shown(new))
      try #require(old == new, "\(when)")
    }
  }
}
