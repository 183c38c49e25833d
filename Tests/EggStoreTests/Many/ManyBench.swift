import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

/// Schedules in which three alarms are many.
enum ManyBench {
  /// Each kind of change, with the alarms that it can change among those of ``make()``.
  enum Kind: String, CaseIterable {
    case done, undone, skip, pause, resume, extend, snooze, dismiss, edit, move

    func change(_ bench: StoreBench, _ selection: Selection = Selection(all: true)) -> any Change {
      switch self {
      case .done: MarkDoneChange(selection, true)
      case .undone: MarkDoneChange(selection, false)
      case .skip: SkipChange(selection)
      case .pause: PauseChange(selection)
      case .resume: ResumeChange(selection)
      case .extend: ExtendChange(selection, by: .seconds(30))
      case .snooze:
        SnoozeChange(
          selection,
          until: DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
        )
      case .dismiss: DismissChange(selection)
      case .edit:
        EditChange(
          selection,
          {
            var edit = AlarmEdit()
            edit.label = "another"
            edit.eggs = 7
            return edit
          }())
      case .move: EditChange(selection, Self.later(bench))
      }
    }

    /// Another timing.
    private static func later(_ bench: StoreBench) -> AlarmEdit {
      var edit = AlarmEdit()
      let due = bench.clock.read().wall + .seconds(7_200)
      edit.timing = AlarmEdit.NewTiming(
        timing: .instant(due), expression: "later", forcedKind: nil, readingZone: "Europe/Berlin",
        due: .wall(due))
      return edit
    }
  }

  /// Of each kind of alarm two.
  static func make() throws -> StoreBench {
    let bench = try StoreBench()
    for _ in 1...2 {
      try bench.schedule("waits", after: .seconds(600))
      try bench.count(down: .seconds(700), label: "counts")
      try every(bench)
      try bench.fire(try bench.schedule("rings"), occurrence: bench.tick())
      let snoozed = try bench.schedule("snoozed")
      try bench.fire(snoozed, occurrence: bench.tick())
      let until = DuePoint(
        clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 200_000_000)
      try bench.submit(SnoozeChange(Selection(numbers: [snoozed.number]), until: until))
      let paused = try bench.count(down: .seconds(800), label: "paused")
      try bench.submit(PauseChange(Selection(numbers: [paused.number])))
      let done = try bench.schedule("done", after: .seconds(900))
      try bench.submit(MarkDoneChange(Selection(numbers: [done.number]), true))
    }
    bench.tick()
    bench.store.fewAlarms = 2
    return bench
  }

  @discardableResult
  private static func every(_ bench: StoreBench) throws -> Alarm {
    var alarm = bench.new("every")
    let time = try #require(CalendarEvent("*-*-* 07:30:00"))
    alarm.timing = .every(.event(time), zone: "Europe/Berlin", floats: false)
    alarm.due = .wall(bench.clock.read().wall + .seconds(3_600))
    return try #require(try bench.submit(ScheduleChange(alarm)).alarms.first)
  }
}

extension StoreBench {
  /// Everything that a client can see.
  struct View: Equatable {
    var alarms: [Alarm]
    var byDue: [Int64]
    var totals: ListTotals?
    var phases: [Alarm.Phase: ListTotals]
    var occurrences: [[Occurrence]]
    var rings: [Int64]
    var head: [HeadEntry]
  }

  func view() throws -> View {
    let page = try list()
    var phases: [Alarm.Phase: ListTotals] = [:]
    for phase in [Alarm.Phase.scheduled, .paused, .ringing, .snoozed, .rung, .missed, .skipped] {
      phases[phase] = try list(ListQuery(filter: ListFilter(phases: [phase]))).totals
    }
    let rings = try wait { store.unfinished(.ringing, after: nil, limit: 100, completion: $0) }.get()
    return View(
      alarms: page.alarms, byDue: try list(ListQuery(order: .due)).alarms.map(\.number),
      totals: page.totals,
      phases: phases,
      occurrences: try page.alarms.map { alarm in
        try wait { store.alarm(.number(alarm.number), completion: $0) }.get().occurrences
      }, rings: rings.notices.map(\.occurrence), head: try head())
  }

  /// What the scheduler would be told.
  func head() throws -> [HeadEntry] {
    let now = clock.read()
    let (clocks, zones) = (store.clocks, store.zones)
    let pool = try #require(store.opened).pool
    return try pool.writeWithoutTransaction { database in
      try Refill(database, clocks: clocks, zones: zones, now: now).entries.sorted {
        ($0.key.number, $0.key.occurrence) < ($1.key.number, $1.key.occurrence)
      }
    }
  }

  /// Lets a second pass.
  ///
  /// - Returns: The key of an occurrence now.
  @discardableResult
  func tick() -> Int64 {
    clock.advance(.seconds(1))
    return clock.read().wall.microseconds
  }
}
