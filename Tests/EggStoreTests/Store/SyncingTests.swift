import Alarms
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@testable import EggStore

@Suite("Changes by a synchronised calendar")
struct SyncingTests {
  /// Stages alarms and commits them as one change of a calendar.
  @discardableResult
  private func sync(
    _ bench: StoreBench, _ alarms: [Alarm], deleting: [AlarmID] = [], mark: String = "m",
    sequence: Int64? = nil
  ) throws -> Imported? {
    let id = bench.store.beginImport()
    try bench.submit(ImportAlarmsChange(id, alarms: alarms.map { ($0, []) }))
    let sync = CalendarSync(calendar: "c", mark: mark, sequence: sequence, deleted: deleting)
    return try bench.submit(CommitImportChange(id, sync: sync)).imported
  }

  private func changed(_ alarm: Alarm, _ change: (inout Alarm) -> Void) -> Alarm {
    var alarm = alarm
    change(&alarm)
    return alarm
  }

  private func mark(_ bench: StoreBench) throws -> String? {
    try bench.stranger().read { try String.fetchOne($0, sql: "SELECT mark FROM synced WHERE calendar = 'c'") }
  }

  @Test("Texts are changed; number, place, command and moment stay") func texts() throws {
    let bench = try StoreBench()
    try bench.schedule("first")
    let old = try bench.count(down: .seconds(500), label: "tea")
    let new = changed(old) { alarm in
      (alarm.label, alarm.note, alarm.body) = ("green tea", "two minutes", "Drink")
      (alarm.category, alarm.eggs, alarm.group) = (.soft, 3, "kitchen")
      (alarm.number, alarm.position, alarm.run, alarm.due) = (0, 99, "false", .wall(bench.now))
    }
    let imported = try #require(try sync(bench, [new]))
    #expect(imported.replaced == 1 && imported.count == 0 && imported.numbers == [old.number])
    let present = try #require(bench.alarm(old.number))
    #expect(
      present
        == changed(old) { alarm in
          (alarm.label, alarm.note, alarm.body) = ("green tea", "two minutes", "Drink")
          (alarm.category, alarm.eggs, alarm.group) = (.soft, 3, "kitchen")
          alarm.modifiedAt = present.modifiedAt
        })
    #expect(present.modifiedAt != nil)
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.count == 1)
    #expect(bench.alarm(old.number) == old)
    #expect(try bench.groups().isEmpty)
  }

  @Test("What a calendar deletes is told with number and label, apart from what it changes")
  func toldDeletions() throws {
    let bench = try StoreBench()
    let tea = try bench.count(down: .seconds(500), label: "tea")
    let eggs = try bench.count(down: .seconds(600), label: "eggs")
    let id = bench.store.beginImport()
    let new = changed(eggs) { $0.label = "soft eggs" }
    try bench.submit(ImportAlarmsChange(id, alarms: [(new, [])]))
    let change = CommitImportChange(
      id, sync: CalendarSync(calendar: "c", mark: "m", sequence: nil, deleted: [tea.id]))
    let request = ChangeRequest(
      change, readAt: bench.clock.read(), client: ChangeClient(name: "eggctl", session: nil), processID: 7)
    let told = MadeChange.all(request, try bench.submit(change))
    #expect(told.map(\.kind) == [.delete, .sync])
    #expect(told.map(\.alarms) == [[tea], nil])
    #expect(told.map(\.numbers) == [[tea.number], [eggs.number]])
    #expect(told.map(\.client.name) == ["eggctl sync", "eggctl"])
  }

  @Test("Up to 256 deleted alarms are told one by one, more of them by their number; also of a group")
  func manyToldDeletions() throws {
    let bench = try StoreBench()
    for (count, isWhole) in [(256, true), (257, false)] {
      try bench.submit(CreateGroupChange(Group(name: "kitchen")))
      for way in ["delete", "group"] {
        let numbers = try (1...count).map { index in
          var new = bench.new("egg \(index)")
          new.group = "kitchen"
          return try #require(bench.submit(ScheduleChange(new)).alarms.first).number
        }
        let change: any Change =
          way == "delete"
          ? DeleteChange(Selection(numbers: numbers)) : DeleteGroupChange(name: "kitchen", withAlarms: true)
        let request = ChangeRequest(
          change, readAt: bench.clock.read(), client: ChangeClient(name: "eggctl", session: nil))
        let told = try #require(MadeChange.all(request, try bench.submit(change)).first)
        #expect(told.alarms?.map(\.number) == (isWhole ? numbers : nil))
        #expect(told.count == Int64(count) && told.numbers == Array(numbers.prefix(256)))
      }
    }
  }

  @Test("A ring goes on unless the time changes") func ringing() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea", after: .seconds(1))
    bench.clock.advance(.seconds(1))
    try bench.fire(alarm)
    let rung = try #require(bench.alarm(alarm.number))
    try sync(bench, [changed(rung) { $0.label = "green tea" }])
    #expect(bench.alarm(alarm.number)?.phase == .ringing)
    #expect(bench.alarm(alarm.number)?.label == "green tea")
    let later = bench.now + .seconds(60)
    try sync(
      bench, [changed(rung) { ($0.timing, $0.due, $0.state) = (.instant(later), .wall(later), .scheduled) }])
    let moved = try #require(bench.alarm(alarm.number))
    #expect(moved.phase == .scheduled && moved.due == .wall(later))
  }

  @Test("A new time that is past is missed, and does not ring") func past() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea", after: .seconds(60))
    let earlier = bench.now - .seconds(60)
    let imported = try sync(
      bench, [changed(alarm) { ($0.timing, $0.due) = (.instant(earlier), .wall(earlier)) }])
    #expect(imported?.missed == 1)
    #expect(bench.alarm(alarm.number)?.phase == .missed)
    #expect(bench.alarm(alarm.number)?.due == nil)
  }

  @Test("A done mark comes and goes") func done() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea", after: .seconds(60))
    try sync(bench, [changed(alarm) { $0.doneAt = bench.now }])
    let done = try #require(bench.alarm(alarm.number))
    #expect(done.doneAt != nil && done.due == nil && done.doneDue == alarm.due)
    try sync(bench, [changed(done) { $0.doneAt = nil }])
    #expect(bench.alarm(alarm.number)?.due == alarm.due)
  }

  @Test("Additions, changes and deletions are one change: one undo, one redo") func mixed() throws {
    let bench = try StoreBench()
    let kept = try bench.schedule("kept")
    let gone = try bench.schedule("gone")
    let rung = try bench.schedule("rung", after: .seconds(1))
    bench.clock.advance(.seconds(1))
    try bench.fire(rung)
    let before = try bench.list().alarms
    let new = changed(kept) { ($0.id, $0.number, $0.label) = (AlarmID(), 0, "new") }
    let imported = try #require(
      try sync(
        bench, [changed(kept) { $0.label = "changed" }, new], deleting: [gone.id, rung.id, AlarmID()]))
    #expect(imported.count == 1 && imported.replaced == 1 && imported.deleted == 2)
    let after = try bench.list().alarms
    #expect(after.map(\.label) == ["changed", "new"])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .sync)
    #expect(try bench.list().alarms == before)
    try bench.submit(UndoChange(expected: nil, redoes: true))
    #expect(try bench.list().alarms.map(\.label) == ["changed", "new"])
  }

  @Test("It is refused if the list was changed meanwhile, and then nothing changes") func meanwhile() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea")
    let sequence = try bench.stranger().read {
      try Int64.fetchOne($0, sql: "SELECT sequence FROM schedule") ?? 0
    }
    let new = changed(alarm) { $0.label = "other" }
    try bench.submit(EditChange(Selection(numbers: [alarm.number]), changedNote()))
    #expect(throws: ChangeError.changedSince(sequence + 1)) {
      try sync(bench, [new], deleting: [alarm.id], sequence: sequence)
    }
    #expect(bench.alarm(alarm.number)?.label == "tea")
    #expect(try mark(bench) == nil)
    #expect(try sync(bench, [new], sequence: sequence + 1)?.replaced == 1)
  }

  @Test("A commit that changes no alarm makes one refused that was sent before it") func overtaken() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea")
    let sequence = try bench.stranger().read {
      try Int64.fetchOne($0, sql: "SELECT sequence FROM schedule") ?? 0
    }
    try sync(bench, [], mark: "later", sequence: sequence)
    #expect(throws: ChangeError.changedSince(sequence + 1)) {
      try sync(bench, [], deleting: [alarm.id], mark: "earlier", sequence: sequence)
    }
    #expect(try mark(bench) == "later")
    // It is nothing that could be undone.
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.kind == .schedule)
  }

  private func changedNote() -> AlarmEdit {
    var edit = AlarmEdit()
    edit.note = .some("meanwhile")
    return edit
  }

  @Test("The mark is stored with the change, also if no alarm changes; old calendars give way") func marks()
    throws
  {
    let bench = try StoreBench()
    try sync(bench, [], mark: "one")
    #expect(try mark(bench) == "one")
    try sync(bench, [try bench.schedule("tea")], mark: "two")
    #expect(try mark(bench) == "two")
    for count in 0..<CalendarSync.most {
      let other = CalendarSync(calendar: "other \(count)", mark: "x", sequence: nil, deleted: [])
      try bench.submit(CommitImportChange(bench.store.beginImport(), sync: other))
    }
    #expect(try mark(bench) == nil)
  }

  @Test("Of two staged alarms with one identity the last counts, or the first if it is new") func twice()
    throws
  {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea")
    try sync(bench, [changed(alarm) { $0.label = "one" }, changed(alarm) { $0.label = "two" }])
    #expect(try bench.list().alarms.map(\.label) == ["two"])
    let new = changed(alarm) { ($0.id, $0.label) = (AlarmID(), "new") }
    try sync(bench, [new, changed(new) { $0.label = "again" }])
    #expect(try bench.list().alarms.map(\.label) == ["two", "new"])
  }

  @Test("What it deletes or changes is held while it is made: none of it rings afterwards") func held() throws
  {
    let bench = try StoreBench()
    let alarm = try bench.schedule("tea", after: .seconds(60))
    let other = try bench.schedule("other")
    bench.observer.heard.clear()
    try sync(bench, [changed(alarm) { $0.label = "green tea" }], deleting: [other.id])
    #expect(bench.observer.words == ["hold", "changed", "held"])
    guard case .hold(let numbers, _)? = bench.observer.heard.all.first else {
      Issue.record("nothing was held")
      return
    }
    #expect(numbers == NumberSet([alarm.number, other.number]))
  }
}
