import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("Groups and done marks in the store")
struct GroupTests {
  private let one = Selection(numbers: [1])

  private func bench() throws -> StoreBench {
    let bench = try StoreBench()
    try bench.submit(CreateGroupChange(Group(name: "Sunday", color: .yellow, icon: "egg")))
    for label in ["one", "two", "three"] {
      var new = bench.new(label)
      new.group = label == "three" ? nil : "Sunday"
      try bench.submit(ScheduleChange(new))
    }
    return bench
  }

  @Test("A group has totals of its alarms and a unique name")
  func sums() throws {
    let bench = try bench()
    try bench.submit(MarkDoneChange(one, true))
    let group = try #require(try bench.groups().first)
    #expect(group.group == Group(name: "Sunday", color: .yellow, icon: "egg"))
    #expect([group.alarms, group.done, group.eggs] == [2, 1, 4])
    #expect(group.next == bench.now + .seconds(60))
    #expect(bench.submitted(CreateGroupChange(Group(name: "Sunday"))).error == .groupExists("Sunday"))
    var new = bench.new()
    new.group = "Monday"
    #expect(bench.submitted(ScheduleChange(new)).error == .noSuchGroup("Monday"))
  }

  @Test("A group's alarms show its new name, and their notifications its new icon")
  func edit() throws {
    let bench = try bench()
    bench.observer.heard.clear()
    var edit = GroupEdit()
    (edit.name, edit.color, edit.icon) = ("brunch", .some(nil), .some("pan"))
    let group = try #require(try bench.submit(EditGroupChange(name: "Sunday", edit)).group)
    #expect(group.group == Group(name: "brunch", icon: "pan"))
    #expect(try bench.list().alarms.map(\.group) == ["brunch", "brunch", nil])
    #expect(bench.observer.moments.compactMap(\.waiting.first?.card.icon) == ["pan", "pan"])
    #expect(bench.changes.all.last?.changesGroups == true)
    #expect(bench.changes.all.last?.alarms?.map { $0.new?.group } == ["brunch", "brunch"])
  }

  @Test("An alarm's own icon takes precedence over its group's")
  func icon() throws {
    let bench = try bench()
    var edit = AlarmEdit()
    edit.icon = .some("mine")
    edit.label = .some("x")
    try bench.submit(EditChange(one, edit))
    #expect(bench.observer.moments.last?.waiting.first?.card.icon == "mine")
    try bench.reopen()
    bench.store.refill()
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.observer.refills.last?.entries.map(\.card.icon) == ["mine", "egg", nil])
  }

  @Test("Deleting a group keeps its alarms without a group, or deletes them with it")
  func delete() throws {
    let bench = try bench()
    #expect(
      try bench.submit(DeleteGroupChange(name: "Sunday", withAlarms: false)).alarms.map(\.number) == [1, 2])
    #expect(try bench.list().alarms.map(\.group) == [nil, nil, nil])
    try bench.submit(UndoChange(expected: nil))
    bench.observer.heard.clear()
    try bench.submit(DeleteGroupChange(name: "Sunday", withAlarms: true))
    #expect(bench.observer.words == ["hold", "changed", "held"])
    guard case .hold(let numbers, _)? = bench.observer.heard.all.first else {
      Issue.record("nothing was held")
      return
    }
    #expect([1, 2, 3].map(numbers.contains) == [true, true, false])
    #expect(try bench.list().alarms.map(\.number) == [3])
    #expect(try bench.groups() == [])
  }

  @Test("Marking a one-shot done cancels its moment; clearing the mark restores it")
  func done() throws {
    let bench = try bench()
    let due = try #require(bench.alarm(1)?.due)
    bench.observer.heard.clear()
    let done = try #require(try bench.submit(MarkDoneChange(one, true)).alarms.first)
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(bench.observer.moments.last?.waiting == [])
    #expect(done.doneAt == bench.now)
    #expect(done.phase == .skipped)
    #expect(done.due == nil && done.doneDue == due)
    // It is already marked: no error, and nothing changes.
    #expect(try bench.submit(MarkDoneChange(one, true)).alarms.map(\.doneAt) == [bench.now])
    let undone = try #require(try bench.submit(MarkDoneChange(one, false)).alarms.first)
    #expect(undone.due == due)
    #expect(undone.phase == .scheduled)
    #expect(undone.doneAt == nil)
  }

  @Test("A mark that is cleared after the moment makes the alarm missed")
  func undoneLate() throws {
    let bench = try bench()
    try bench.submit(MarkDoneChange(one, true))
    bench.clock.advance(.seconds(61))
    #expect(try bench.submit(MarkDoneChange(one, false)).alarms.first?.phase == .missed)
    #expect(try bench.occurrences(1).map(\.outcome) == [.missed])
  }

  @Test("Marking done dismisses rings, and keeps what is left of a paused countdown")
  func doneOthers() throws {
    let bench = try bench()
    bench.clock.advance(.seconds(60))
    try bench.fire(try #require(bench.alarm(1)))
    #expect(try bench.submit(MarkDoneChange(one, true)).alarms.first?.phase == .rung)
    #expect(try bench.submit(MarkDoneChange(one, false)).alarms.first?.phase == .rung)
    let countdown = try bench.count(down: .seconds(100))
    let four = Selection(numbers: [countdown.number])
    try bench.submit(PauseChange(four))
    #expect(try bench.submit(MarkDoneChange(four, true)).alarms.first?.phase == .skipped)
    let paused = try #require(try bench.submit(MarkDoneChange(four, false)).alarms.first)
    #expect(paused.phase == .paused)
    #expect(paused.remaining == .seconds(100))
  }

  @Test("A recurring alarm's mark belongs to its last ring, until the next")
  func doneRecurring() throws {
    let bench = try StoreBench()
    let alarm = try bench.every("*:0/10")
    let rings = try bench.rings(of: alarm, 2)
    bench.clock.advance(.seconds(600))
    bench.recorded([rings[0]])
    let done = try #require(try bench.submit(MarkDoneChange(one, true)).alarms.first)
    #expect(done.phase == .scheduled)
    #expect(done.doneAt != nil)
    #expect(done.due != nil)
    bench.clock.advance(.seconds(600))
    bench.recorded([rings[1]])
    #expect(bench.alarm(1)?.doneAt == nil)
    #expect(bench.alarm(1)?.phase == .ringing)
  }
}
