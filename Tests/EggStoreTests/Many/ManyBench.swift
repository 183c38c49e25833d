import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

/// Schedules in which two alarms are many.
enum ManyBench {
  /// Each kind of change, with the alarms that it can change among those of ``make(few:)``.
  enum Kind: String, CaseIterable {
    case done, undone, skip, pause, resume, extend, snooze, dismiss, edit, retime
    case toTop, toBottom, before, after, delete, deleteRange, ungroup, deleteGroup, imported

    func change(_ bench: StoreBench, _ selection: Selection = Selection(all: true)) throws -> any Change {
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
      case .retime: EditChange(selection, Self.later(bench))
      case .toTop: MoveChange(Selection(ranges: [3...9]), .top)
      case .toBottom: MoveChange(Selection(ranges: [3...9]), .bottom)
      case .before: MoveChange(Selection(ranges: [4...14]), .before(2))
      case .after: MoveChange(Selection(ranges: [1...8]), .after(12))
      case .delete: DeleteChange(selection)
      case .deleteRange: DeleteChange(Selection(numbers: [2], ranges: [4...11]))
      case .ungroup: DeleteGroupChange(name: "kitchen", withAlarms: false)
      case .deleteGroup: DeleteGroupChange(name: "kitchen", withAlarms: true)
      case .imported: CommitImportChange(try Self.stage(bench))
      }
    }

    /// What undo calls it.
    var kind: ChangeKind {
      switch self {
      case .retime: .edit
      case .toTop, .toBottom, .before, .after: .move
      case .deleteRange: .delete
      case .ungroup, .deleteGroup: .deleteGroup
      case .imported: .import
      default: ChangeKind(rawValue: rawValue) ?? .other
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

    /// Four alarms in a group of theirs; one is past, two share a key.
    private static func stage(_ bench: StoreBench) throws -> ImportID {
      let now = bench.clock.read().wall
      let alarms = (0...3).map { index in
        let due = now + .seconds(index == 2 ? -60 : 1_000 + Int64(index))
        return Alarm(
          number: 40 + Int64(index), id: AlarmID(), label: "imported \(index)", group: "pantry",
          position: Int64(index) << 20, timing: .instant(due), expression: "then", readingZone: "UTC",
          key: index < 2 ? "shared" : nil, createdAt: now - .seconds(90), due: .wall(due))
      }
      let id = bench.store.beginImport()
      try bench.submit(
        ImportAlarmsChange(
          id, groups: [Group(name: "pantry", icon: "egg")], alarms: alarms.map { ($0, []) }))
      return id
    }
  }

  /// Of each kind of alarm two, one of them with a key and in a group.
  static func make(few: Int = 1) throws -> StoreBench {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "kitchen", color: .red)))
    for round in 1...2 {
      try bench.schedule("waits", after: .seconds(600), key: round == 1 ? "tea" : nil)
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
    var edit = AlarmEdit()
    edit.group = "kitchen"
    try bench.submit(EditChange(Selection(ranges: [1...7]), edit))
    bench.tick()
    bench.store.fewAlarms = few
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
    var groups: [GroupSums]
    var totals: ListTotals?
    var phases: [Alarm.Phase: ListTotals]
    var occurrences: [[Occurrence]]
    var rings: [Int64]
    var head: [HeadEntry]

    /// But for identities.
    var plain: View {
      var plain = self
      for index in plain.alarms.indices { plain.alarms[index].id = .zero }
      for index in plain.head.indices {
        plain.head[index].card = plain.head[index].card.changed { $0.id = .zero }
      }
      return plain
    }
  }

  func view() throws -> View {
    let page = try list()
    var phases: [Alarm.Phase: ListTotals] = [:]
    for phase in [Alarm.Phase.scheduled, .paused, .ringing, .snoozed, .rung, .missed, .skipped] {
      phases[phase] = try list(ListQuery(filter: ListFilter(phases: [phase]))).totals
    }
    let rings = try wait { store.ask({ try $0.ringing(last: 1_000) }, completion: $0) }.get()
    return View(
      alarms: page.alarms, byDue: try list(ListQuery(order: .due)).alarms.map(\.number),
      groups: try groups(), totals: page.totals,
      phases: phases,
      occurrences: try page.alarms.map { alarm in
        try wait { store.alarm(.number(alarm.number), completion: $0) }.get().occurrences
      }, rings: rings.map(\.occurrence), head: try head())
  }

  /// What the scheduler would be told.
  func head() throws -> [HeadEntry] {
    let now = clock.read()
    let (clocks, zones) = (store.state.clocks, store.zones)
    let pool = try #require(store.file.opened).pool
    return try pool.writeWithoutTransaction { database in
      try Refill(database, clocks: clocks, zones: zones, now: now, .usual).entries.sorted {
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

  func ask(
    _ change: any Change, _ completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    store.submit(ChangeRequest(change, readAt: clock.read()), completion: completion)
  }
}
