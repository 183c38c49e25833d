import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import GRDB
import Ringing
import Synchronization
import Testing

@testable import EggStore

@Suite("Changes of many alarms in slices")
struct SlicesTests {
  /// Each kind of change, with the alarms that it can change among those of ``bench()``.
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
  private func bench() throws -> StoreBench {
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
    bench.store.prepareChanges(of: 2, atOnce: 1)
    return bench
  }

  @discardableResult
  private func every(_ bench: StoreBench) throws -> Alarm {
    var alarm = bench.new("every")
    let time = try #require(CalendarEvent("*-*-* 07:30:00"))
    alarm.timing = .every(.event(time), zone: "Europe/Berlin", floats: false)
    alarm.due = .wall(bench.clock.read().wall + .seconds(3_600))
    return try #require(try bench.submit(ScheduleChange(alarm)).alarms.first)
  }

  /// Everything that a client can see.
  private struct View: Equatable {
    var alarms: [Alarm]
    var byDue: [Int64]
    var totals: ListTotals?
    var phases: [Alarm.Phase: ListTotals]
    var occurrences: [[Occurrence]]
    var rings: [Int64]
    var head: [HeadEntry]
  }

  private func view(_ bench: StoreBench) throws -> View {
    let list = try bench.list()
    var phases: [Alarm.Phase: ListTotals] = [:]
    for phase in [Alarm.Phase.scheduled, .paused, .ringing, .snoozed, .rung, .missed, .skipped] {
      phases[phase] = try bench.list(ListQuery(filter: ListFilter(phases: [phase]))).totals
    }
    let rings = try bench.wait { bench.store.unfinished(.ringing, after: nil, limit: 100, completion: $0) }
      .get()
    return View(
      alarms: list.alarms, byDue: try bench.list(ListQuery(order: .due)).alarms.map(\.number),
      totals: list.totals,
      phases: phases,
      occurrences: try list.alarms.map { alarm in
        try bench.wait { bench.store.alarm(.number(alarm.number), completion: $0) }.get().occurrences
      }, rings: rings.notices.map(\.occurrence), head: try head(bench))
  }

  /// What the scheduler would be told.
  private func head(_ bench: StoreBench) throws -> [HeadEntry] {
    let (store, now) = (bench.store, bench.clock.read())
    let (clocks, zones) = (store.clocks, store.zones)
    let pool = try #require(store.opened).pool
    return try pool.writeWithoutTransaction { database in
      try Refill(database, clocks: clocks, zones: zones, now: now).entries.sorted {
        ($0.key.number, $0.key.occurrence) < ($1.key.number, $1.key.occurrence)
      }
    }
  }

  private func mark(_ bench: StoreBench) throws -> Int64? {
    try bench.stranger().read { try Int64.fetchOne($0, sql: "SELECT changing FROM schedule") }
  }

  @Test(
    "Nobody sees a part of it; then it is what it would be as one, and undo and redo are too",
    arguments: Kind.allCases)
  func allAtOnce(kind: Kind) throws {
    let whole = try bench()
    whole.store.prepareChanges(of: 1_000, atOnce: 1_000)
    let expected = try whole.submit(kind.change(whole))
    let bench = try bench()
    let before = try view(bench)
    let sequence = bench.store.sequence
    bench.changes.clear()
    var steps = 0
    var looks = 0
    /// Some of the steps: a look takes longer than they do.
    func expect(_ view: View) throws {
      looks += 1
      if looks % 5 == 2 { #expect(try self.view(bench) == view) }
    }
    let outcome = try bench.make(kind.change(bench)) { () throws in
      try expect(before)
      steps += try mark(bench) == nil ? 0 : 1
    }
    #expect(steps >= 2)
    #expect(outcome.changed == expected.changed)
    #expect(outcome.alarms.map(\.number) == expected.alarms.map(\.number))
    #expect(bench.store.sequence == sequence + 1)
    #expect(bench.changes.all.map(\.sequence) == [sequence + 1])
    try expectSame(bench, whole)
    let after = try view(bench)
    try whole.submit(UndoChange(expected: nil))
    let undone = try bench.make(UndoChange(expected: nil)) { () throws in try expect(after) }
    #expect(undone.undone?.kind == (kind == .move ? .edit : Alarms.ChangeKind(rawValue: kind.rawValue)))
    try expectSame(bench, whole)
    try whole.submit(UndoChange(expected: nil, redoes: true))
    let again = try view(bench)
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in try expect(again) }
    try expectSame(bench, whole)
    #expect(looks > 15)
    #expect(try mark(bench) == nil)
  }

  /// But for identities and creation.
  private func expectSame(_ bench: StoreBench, _ whole: StoreBench, _ comment: Comment? = nil) throws {
    func plain(_ view: View) -> View {
      var plain = view
      for index in plain.alarms.indices { plain.alarms[index].id = .zero }
      for index in plain.head.indices { plain.head[index].card.id = .zero }
      return plain
    }
    #expect(plain(try view(bench)) == plain(try view(whole)), comment)
  }

  @Test("What others change meanwhile is there at once, and the change respects it", arguments: Kind.allCases)
  func others(kind: Kind) throws {
    let bench = try bench()
    let before = try bench.list().alarms
    let answered = Kept<Int64>()
    var asked = 0
    try bench.make(kind.change(bench)) { () throws in
      guard try mark(bench) != nil else { return }
      asked += 1
      switch asked {
      case 2:
        bench.ask(DeleteChange(Selection(numbers: [1]))) {
          answered.append((try? $0.get().deleted.first) ?? -1)
        }
      case 4:
        var edit = AlarmEdit()
        edit.note = "changed"
        bench.ask(EditChange(Selection(numbers: [2]), edit)) {
          answered.append((try? $0.get().changed) ?? -1)
        }
      case 5: #expect(bench.alarm(1) == nil)
      case 6:
        #expect(bench.alarm(2)?.note == "changed")
        bench.ask(ScheduleChange(bench.new("added"))) {
          answered.append((try? $0.get().alarms.count).map(Int64.init) ?? -1)
        }
      case 9: #expect(try bench.list().alarms.map(\.number) == before.map(\.number).filter { $0 != 1 } + [15])
      default: break
      }
    }
    #expect(asked >= 3)
    #expect(eventually { answered.all.count == [2, 4, 6].count { $0 <= asked } ? true : nil } == true)
    #expect(!answered.all.contains(-1))
    #expect(bench.alarm(1) == nil)
    let same = try view(bench)
    try bench.reopen()
    #expect(try view(bench) == same)
    #expect(try mark(bench) == nil)
  }

  @Test("A ring meanwhile is recorded, and the change is judged by it")
  func rings() throws {
    let bench = try bench()
    let first = try #require(bench.alarm(1))
    var asked = 0
    let outcome = try bench.make(ExtendChange(Selection(all: true), by: .seconds(30))) { () throws in
      guard try mark(bench) != nil else { return }
      asked += 1
      if asked == 3 { bench.store.record([try bench.ring(first, occurrence: bench.tick())]) }
      if asked == 6 { #expect(bench.alarm(1)?.phase == .ringing) }
    }
    #expect(asked > 6)
    let alarm = try #require(bench.alarm(1))
    #expect(alarm.phase == .ringing)
    #expect(alarm.due == nil)
    #expect(!outcome.alarms.map(\.number).contains(1))
    #expect(outcome.changed == Int64(outcome.alarms.count))
  }

  @Test("A ring that nobody has recorded yet is, when the change counts")
  func unrecorded() throws {
    let bench = try bench()
    let ring = try bench.ring(try #require(bench.alarm(8)), occurrence: bench.tick())
    let steps = Mutex(0)
    try bench.make(DismissChange(Selection(all: true))) { () throws in
      guard try mark(bench) != nil else { return }
      steps.withLock { $0 += 1 }
      if steps.withLock({ $0 }) == 2 { bench.observer.answer { $0.contains(8) ? [ring] : [] } }
    }
    #expect(steps.withLock { $0 } >= 2)
    #expect(bench.alarm(8)?.phase == .rung)
    #expect(bench.alarm(8)?.latest?.dismissedAt != nil)
  }

  @Test(
    "Many are moved all at once, as one would move them; and back",
    arguments: [Place.top, .bottom, .before(7), .after(7), .before(1), .after(12)])
  func moved(place: Place) throws {
    func bench() throws -> StoreBench {
      let bench = try StoreBench()
      for index in 1...12 { try bench.schedule("egg \(index)", after: .seconds(600)) }
      try bench.submit(MoveChange(Selection(numbers: [4]), .top))
      try bench.submit(MoveChange(Selection(numbers: [10]), .after(2)))
      return bench
    }
    func order(_ bench: StoreBench) throws -> [Int64] { try bench.list().alarms.map(\.number) }
    let change = MoveChange(Selection(ranges: [2...5, 9...11, 14...100_000]), place)
    let (whole, bench) = (try bench(), try bench())
    let expected = try whole.submit(change)
    bench.store.prepareChanges(of: 2, atOnce: 1)
    let before = try order(bench)
    var steps = 0
    let outcome = try bench.make(change) { () throws in
      guard try mark(bench) != nil else { return }
      steps += 1
      #expect(try order(bench).filter { $0 <= 12 } == before)
      #expect(
        try bench.list(ListQuery(filter: ListFilter(phases: [.scheduled]), limit: 3)).alarms.map(\.number)
          == Array(before.prefix(3)))
      switch steps {
      case 3:
        var edit = AlarmEdit()
        edit.label = "changed"
        bench.ask(EditChange(Selection(numbers: [11, 2]), edit)) { _ in }
        bench.ask(ScheduleChange(bench.new("added"))) { _ in }
      case 5: #expect(bench.alarm(11)?.label == "changed")
      default: break
      }
    }
    #expect(steps > 5)
    #expect(outcome.changed == 7)
    #expect(outcome.alarms.map(\.number) == expected.alarms.map(\.number))
    #expect(try order(bench).filter { $0 <= 12 } == order(whole))
    #expect(bench.alarm(2)?.label == "changed")
    let after = try order(bench)
    try bench.make(UndoChange(expected: nil)) { () throws in #expect(try order(bench) == after) }
    #expect(try order(bench).filter { $0 <= 12 } == before)
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in }
    #expect(try order(bench) == after)
  }

  @Test("A group that is deleted leaves its alarms all at once, and those that join it meanwhile")
  func group() throws {
    let bench = try bench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    var join = AlarmEdit()
    join.group = .some("Sunday")
    try bench.submit(EditChange(Selection(ranges: [1...8, 10...14, 16...1_000]), join))
    let members = try bench.list().alarms.count { $0.group == "Sunday" }
    let before = try view(bench)
    var asked = 0
    let outcome = try bench.make(DeleteGroupChange(name: "Sunday", withAlarms: false)) { () throws in
      guard try mark(bench) != nil else { return }
      asked += 1
      switch asked {
      case 3: #expect(try view(bench) == before)
      // One leaves, and another comes.
      case 4:
        var leave = AlarmEdit()
        leave.group = .some(nil)
        bench.ask(EditChange(Selection(numbers: [2]), leave)) { _ in }
        bench.ask(EditChange(Selection(numbers: [9]), join)) { _ in }
      case 7: #expect(try bench.list().alarms.count { $0.group == "Sunday" } == members)
      default: break
      }
    }
    #expect(asked > 7)
    #expect(outcome.changed == Int64(members))
    #expect(try bench.groups().isEmpty)
    #expect(try bench.list().alarms.allSatisfy { $0.group == nil })
    try bench.make(UndoChange(expected: nil)) { () throws in #expect(try bench.groups().isEmpty) }
    #expect(try bench.groups().map(\.alarms) == [Int64(members)])
    #expect(bench.alarm(2)?.group == nil)
    #expect(bench.alarm(9)?.group == "Sunday")
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in }
    #expect(try bench.groups().isEmpty)
    #expect(try bench.list().alarms.allSatisfy { $0.group == nil })
  }

  @Test("What another client adds while an undo of many is looked at is not what it undoes")
  func addedBeforeUndo() throws {
    let bench = try bench()
    let before = try bench.list().alarms.map(\.doneAt)
    try bench.submit(MarkDoneChange(Selection(all: true), true))
    let added = Kept<Bool>()
    var asked = false
    let outcome = try bench.make(UndoChange(expected: nil)) { () throws in
      guard !asked, bench.store.turns.slices?.isSurveying == true else { return }
      asked = true
      bench.ask(ScheduleChange(bench.new("added"))) { added.append((try? $0.get()) != nil) }
    }
    #expect(asked)
    #expect(outcome.undone?.kind == .done)
    #expect(eventually { added.all.first } == true)
    #expect(try bench.list().alarms.map(\.doneAt) == before + [nil])
  }

  @Test("If it is refused amid the slices, nothing has changed")
  func refused() throws {
    let bench = try bench()
    let before = try view(bench)
    var asked = 0
    // 4 rings, and nothing can be skipped of it.
    #expect(throws: ChangeError.wrongState(number: 4, .ringing)) {
      try bench.make(SkipChange(Selection(numbers: Array(1...4), ranges: [5...10_000]))) { () throws in
        #expect(try view(bench) == before)
        if try mark(bench) != nil { asked += 1 }
      }
    }
    #expect(asked > 1)
    #expect(try view(bench) == before)
    #expect(try eventually { try mark(bench) == nil ? true : nil } == true)
    #expect(try view(bench) == before)
    // The next one takes its turn after that.
    #expect(try bench.submit(MarkDoneChange(Selection(all: true), true)).changed == 12)
  }

  @Test("An end amid the slices changes nothing, and the next eggd takes them back", arguments: Kind.allCases)
  func ended(kind: Kind) throws {
    let bench = try bench()
    let before = try view(bench)
    var steps = 0
    _ = try? bench.make(kind.change(bench)) { () throws in
      guard try mark(bench) != nil else { return }
      steps += 1
      if steps == 2 { bench.store.stopChanges() }
    }
    #expect(try mark(bench) != nil)
    try bench.reopen()
    #expect(try view(bench) == before)
    // A change meanwhile.
    try bench.submit(ExtendChange(Selection(numbers: [1]), by: .seconds(5)))
    try bench.submit(UndoChange(expected: nil))
    bench.store.moveEarlierBoots()
    #expect(try eventually { try mark(bench) == nil ? true : nil } == true)
    var now = try view(bench)
    now.alarms[0].modifiedAt = before.alarms[0].modifiedAt
    #expect(now == before)
    let images = try bench.stranger().read {
      try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm_image WHERE holder >= \(Images.slices)")
    }
    #expect(images == 0)
  }

  @Test("A salvage of the file amid the slices keeps what is to be taken back")
  func salvaged() throws {
    let bench = try bench()
    let before = try view(bench)
    var steps = 0
    _ = try? bench.make(Kind.skip.change(bench)) { () throws in
      guard try mark(bench) != nil else { return }
      steps += 1
      if steps == 4 { bench.store.stopChanges() }
    }
    #expect(try mark(bench) != nil)
    bench.close()
    try bench.stranger().writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
    let page = try bench.stranger().read {
      try Int64.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'alarm_due'")
    }
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: bench.path))
    try file.seek(toOffset: UInt64(try #require(page) - 1) * 4_096)
    try file.write(contentsOf: Data(repeating: 0xa5, count: 4_096))
    try file.close()
    bench.events.clear()
    try bench.reopen()
    // This may meet the damage first.
    _ = bench.wait { bench.store.list(ListQuery(order: .due), completion: $0) }
    #expect(
      eventually {
        bench.events.all.contains { if case .salvaged = $0 { true } else { false } } ? true : nil
      } == true)
    #expect(try view(bench).alarms == before.alarms)
    #expect(try eventually { try mark(bench) == nil ? true : nil } == true)
    #expect(try view(bench) == before)
  }

  @Test("Another eggd's boots and zones wait until the slices are taken back, and nothing is lost")
  func otherBoot() throws {
    let bench = try bench()
    var steps = 0
    _ = try? bench.make(MarkDoneChange(Selection(all: true), true)) { () throws in
      guard try mark(bench) != nil else { return }
      steps += 1
      if steps == 5 { bench.store.stopChanges() }
    }
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    #expect(try eventually { try mark(bench) == nil ? true : nil } == true)
    #expect(
      try eventually {
        let clocks = try bench.list().alarms.compactMap { $0.due?.clock ?? $0.latest?.due?.clock }
        return clocks.allSatisfy { $0 == .wall } ? true : nil
      } == true)
    #expect(try bench.list(ListQuery(filter: ListFilter(phases: [.scheduled]))).totals?.alarms == 6)
  }

  @Test("Where few of many can change, it is made as one")
  func few() throws {
    let bench = try bench()
    bench.store.prepareChanges(of: 4, atOnce: 1)
    var marks = 0
    let outcome = try bench.make(DismissChange(Selection(ranges: [1...10]))) { () throws in
      marks += try mark(bench) == nil ? 0 : 1
    }
    #expect(marks == 0)
    #expect(outcome.alarms.map(\.number) == [4, 5])
    #expect(bench.changes.all.last?.alarms?.count == 2)
    #expect(throws: ChangeError.self) { try bench.submit(SkipChange(Selection(ranges: [1_000...2_000]))) }
  }

  @Test("Another program's deletion of an alarm that a slice has changed counts")
  func foreign() throws {
    let bench = try bench()
    var steps = 0
    try bench.make(MarkDoneChange(Selection(all: true), true)) { () throws in
      guard try mark(bench) != nil else { return }
      steps += 1
      if steps == 5 {
        try bench.stranger().write { try $0.execute(sql: "DELETE FROM alarm WHERE number IN (1, 13)") }
      }
      if steps > 5 {
        #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
        #expect(try !head(bench).contains { $0.key.number == 1 || $0.key.number == 13 })
      }
    }
    #expect(steps > 6)
    #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
    #expect(try bench.list().alarms.allSatisfy { $0.doneAt != nil })
    try bench.submit(UndoChange(expected: nil))
    #expect(try bench.list().alarms.map(\.number) == [Int64](2...14).filter { $0 != 13 })
  }

  @Test("The images of what can no longer be undone go")
  func images() throws {
    let bench = try bench()
    try bench.submit(MarkDoneChange(Selection(all: true), true))
    for _ in 1...21 { try bench.schedule("added") }
    #expect(
      try eventually {
        let left = try bench.stranger().read {
          try Int.fetchOne($0, sql: "SELECT count(*) FROM alarm_image WHERE holder >= \(Images.slices)")
        }
        return left == 0 ? true : nil
      } == true)
  }
}

extension StoreBench {
  /// Lets a second pass.
  ///
  /// - Returns: The key of an occurrence now.
  @discardableResult
  fileprivate func tick() -> Int64 {
    clock.advance(.seconds(1))
    return clock.read().wall.microseconds
  }
}
