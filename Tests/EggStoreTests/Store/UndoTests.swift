import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Undo in the store")
struct UndoTests {
  private let one = Selection(numbers: [1])

  /// What a list shows, without the time of the last change.
  private func listed(_ bench: StoreBench) throws -> [Alarm] { try bench.list().alarms }

  @Test("Undo of each kind of change restores the list")
  func everySort() throws {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", color: .yellow)))
    try bench.schedule("one")
    try bench.count(down: .seconds(600), label: "two")
    try bench.every("*:0/10")
    let ringing = try bench.schedule("four", after: .seconds(30))
    bench.clock.advance(.seconds(30))
    try bench.fire(ringing)
    var label = AlarmEdit()
    label.label = .some("other words")
    label.group = .some("Sunday")
    var timing = AlarmEdit()
    let due = bench.now + .seconds(7_200)
    timing.timing = AlarmEdit.NewTiming(
      timing: .instant(due), expression: "2h", forcedKind: nil, readingZone: "UTC", due: .wall(due))
    var renamed = GroupEdit()
    renamed.name = "brunch"
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 60_000_000)
    let changes: [(any Change, ChangeKind)] = [
      (ScheduleChange(bench.new("five")), .schedule), (EditChange(Selection(all: true), label), .edit),
      (EditChange(one, timing), .edit), (EditChange(Selection(numbers: [4]), timing), .edit),
      (DeleteChange(Selection(all: true)), .delete),
      (SnoozeChange(Selection(numbers: [4]), until: until), .snooze),
      (DismissChange(Selection(numbers: [4])), .dismiss), (SkipChange(one), .skip),
      (SkipChange(Selection(numbers: [3])), .skip),
      (PauseChange(Selection(numbers: [2, 3])), .pause), (ExtendChange(one, by: .seconds(60)), .extend),
      (MarkDoneChange(Selection(all: true), true), .done), (MoveChange(Selection(numbers: [4]), .top), .move),
      (CreateGroupChange(Group(name: "more")), .createGroup),
      (EditGroupChange(name: "Sunday", renamed), .editGroup),
      (DeleteGroupChange(name: "Sunday", withAlarms: true), .deleteGroup),
    ]
    var inGroup = AlarmEdit()
    inGroup.group = .some("Sunday")
    try bench.submit(EditChange(Selection(numbers: [1, 2]), inGroup))
    for (change, kind) in changes {
      let before = try listed(bench)
      let groups = try bench.groups()
      let pasts = try (1...4).map { try bench.occurrences(Int64($0)) }
      try bench.submit(change)
      let (after, groupsAfter) = (try listed(bench), try bench.groups())
      #expect(after != before || groupsAfter != groups, "\(kind) changes nothing")
      let undone = try #require(try bench.submit(UndoChange(expected: nil)).undone)
      #expect(undone.kind == kind)
      #expect(undone.missed == [])
      #expect(try listed(bench) == before, "\(kind)")
      #expect(try bench.groups() == groups, "\(kind)")
      #expect(try (1...4).map { try bench.occurrences(Int64($0)) } == pasts, "\(kind)")
      let redone = try #require(try bench.submit(UndoChange(expected: nil, redoes: true)).undone)
      #expect(redone.kind == kind)
      #expect(redone.missed == [])
      #expect(try listed(bench) == after, "\(kind)")
      #expect(try bench.groups() == groupsAfter, "\(kind)")
      try bench.submit(UndoChange(expected: nil))
      #expect(try listed(bench) == before, "\(kind)")
      #expect(try (1...4).map { try bench.occurrences(Int64($0)) } == pasts, "\(kind)")
    }
  }

  @Test("Undo of a deletion holds the alarm, and the scheduler learns its moment again")
  func holds() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.submit(DeleteChange(one))
    bench.observer.heard.clear()
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(bench.observer.moments.map(\.waiting.first?.due) == [alarm.due])
    #expect(bench.changes.all.last?.alarms?.map { $0.new?.number } == [1])
  }

  @Test("A moment that passed while the alarm was deleted is missed, and a recurring alarm advances")
  func missed() throws {
    let bench = try StoreBench()
    try bench.schedule(after: .seconds(60))
    let recurring = try bench.every("*:0/10", count: 5)
    try bench.count(down: .seconds(90))
    try bench.submit(DeleteChange(Selection(all: true)))
    bench.clock.advance(.seconds(1_500))
    bench.observer.heard.clear()
    let undone = try #require(try bench.submit(UndoChange(expected: nil)).undone)
    #expect(undone.missed == [1, 2, 3])
    #expect(bench.alarm(1)?.phase == .missed)
    #expect(bench.alarm(3)?.phase == .missed)
    let next = try #require(bench.alarm(2))
    #expect(next.phase == .scheduled)
    #expect(try #require(next.due).microseconds > bench.now.microseconds)
    let past = try #require(try bench.occurrences(2).first)
    #expect(past.outcome == .missed)
    #expect(past.dueAt.microseconds == recurring.due?.microseconds)
    #expect((past.missedCount ?? 1) + (next.count ?? 0) == 5)
    #expect(
      bench.observer.moments.flatMap(\.waiting).allSatisfy { $0.due.microseconds > bench.now.microseconds })
  }

  @Test("A recurring alarm returns with its old moment, although the clock was set back")
  func recurringComesBack() throws {
    let bench = try StoreBench()
    let due = try bench.every("23:50").due
    // It was made by the clock as it is set then.
    bench.clock.advance(.seconds(7_300))
    bench.clock.step(.seconds(-3_600))
    try bench.submit(DeleteChange(one))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == due)
    var eggs = AlarmEdit()
    eggs.eggs = 3
    try bench.submit(EditChange(one, eggs))
    bench.clock.step(.seconds(-3_600))
    try bench.submit(PauseChange(one))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == due)
  }

  @Test("Values that changed since stay as they are")
  func changedSince() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule(after: .seconds(60))
    try bench.submit(ExtendChange(one, by: .seconds(60)))
    bench.clock.advance(.seconds(120))
    try bench.fire(try #require(bench.alarm(1)))
    #expect(bench.alarm(1)?.phase == .ringing)
    // It rang at its new moment; the old one has passed, so nothing is undone.
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.phase == .ringing)
    #expect(try bench.occurrences(1).map(\.outcome) == [.rung])
    #expect(alarm.due != nil)
  }

  @Test("An alarm that rang at a mistaken new time returns to the old one if that is in the future")
  func wrongTime() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule(after: .seconds(3_600))
    var edit = AlarmEdit()
    let due = bench.now + .seconds(5)
    edit.timing = AlarmEdit.NewTiming(
      timing: .instant(due), expression: "5s", forcedKind: nil, readingZone: "UTC", due: .wall(due))
    try bench.submit(EditChange(one, edit))
    bench.clock.advance(.seconds(5))
    try bench.fire(try #require(bench.alarm(1)))
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == alarm.due)
    #expect(bench.alarm(1)?.expression == alarm.expression)
    #expect(try bench.occurrences(1).map(\.outcome) == [.rung])
  }

  @Test("Twenty changes can be undone, across a restart, and their images are deleted after them")
  func depth() throws {
    let bench = try StoreBench()
    for number in 1...25 { try bench.schedule("\(number)") }
    try bench.reopen()
    for number in stride(from: 25, through: 6, by: -1) {
      #expect(try bench.submit(UndoChange(expected: nil)).undone?.numbers == [Int64(number)])
    }
    #expect(bench.submitted(UndoChange(expected: nil)).error == .nothingToUndo)
    #expect(try listed(bench).map(\.number) == [1, 2, 3, 4, 5])
    for _ in 1...4 { try bench.submit(MoveChange(one, .bottom)) }
    for _ in 1...25 { try bench.submit(MoveChange(one, .top)) }
    let held = try bench.stranger().read {
      try Int64.fetchAll($0, sql: "SELECT DISTINCT holder FROM alarm_image UNION SELECT holder FROM undo")
    }
    #expect(held.count == 20)
  }

  @Test("Undo of a named change refuses another one")
  func expected() throws {
    let bench = try StoreBench()
    let sequence = try bench.submit(ScheduleChange(bench.new())).sequence
    try bench.schedule()
    let last = bench.store.sequence
    #expect(bench.submitted(UndoChange(expected: sequence)).error == .changedSince(last))
    #expect(try bench.submit(UndoChange(expected: last)).undone?.sequence == last)
  }

  @Test("A change that was refused or changed nothing leaves nothing to undo")
  func nothing() throws {
    let bench = try StoreBench()
    try bench.schedule()
    _ = try bench.submit(UndoChange(expected: nil))
    #expect(bench.submitted(DeleteChange(Selection(numbers: [9]))).error != nil)
    try bench.submit(DeleteChange(Selection(all: true)))
    #expect(bench.submitted(UndoChange(expected: nil)).error == .nothingToUndo)
  }

  @Test("Repeating a mark succeeds and leaves nothing to undo")
  func marked() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.schedule()
    let both = Selection(numbers: [1, 2])
    let marked = try bench.submit(MarkDoneChange(Selection(numbers: [1]), true)).sequence
    let again = try bench.submit(MarkDoneChange(Selection(numbers: [1]), true))
    #expect(again.alarms.map(\.number) == [1])
    #expect(again.sequence == marked)
    #expect(try bench.submit(MarkDoneChange(both, true)).alarms.map(\.number) == [1, 2])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.numbers == [2])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.numbers == [1])
  }

  @Test("A key that another alarm holds by now stays there")
  func key() throws {
    let bench = try StoreBench()
    try bench.schedule(key: "breakfast", request: "a")
    try bench.submit(DeleteChange(one))
    let log = try bench.stranger()
    try bench.schedule(key: "breakfast", request: "b")
    // Twenty later changes would push the schedule out of the log like this.
    try log.write { try $0.execute(sql: "DELETE FROM undo WHERE change = 'schedule'") }
    try bench.submit(UndoChange(expected: nil))
    #expect(try listed(bench).map(\.key) == [nil, "breakfast"])
  }

  @Test("A deleted countdown that returns after a reboot continues")
  func reboot() throws {
    let bench = try StoreBench()
    try bench.count(down: .seconds(3_600))
    let ends = bench.now + .seconds(3_600)
    try bench.submit(DeleteChange(one))
    bench.clock.reboot(wall: bench.now + .seconds(60))
    try bench.reopen(bootID: "boot-2")
    bench.store.moveEarlierBoots()
    bench.queue.sync {}
    bench.queue.sync {}
    try bench.submit(UndoChange(expected: nil))
    #expect(bench.alarm(1)?.due == .wall(ends))
  }

  @Test("Images have all columns of their tables")
  func columns() throws {
    let bench = try StoreBench()
    try bench.stranger().read { database in
      let tables = [
        ("alarm", AlarmColumn.allCases.map(\.name), 3),
        ("occurrence", OccurrenceColumn.allCases.map(\.name), 3),
        ("alarm_group", GroupColumn.allCases.map(\.name), 2),
      ]
      for (table, columns, keys) in tables {
        let present = try database.columns(in: table).map(\.name)
        let images = try database.columns(in: table + "_image").map(\.name).dropFirst(keys)
        #expect(Set(present) == Set(columns))
        #expect(Set(images) == Set(columns))
      }
    }
  }
}
