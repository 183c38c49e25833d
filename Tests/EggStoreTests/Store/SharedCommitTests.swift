import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore
@testable import Ringing

@Suite("Changes that share a transaction")
struct SharedCommitTests {
  /// Submits changes that share a transaction, and waits for their answers.
  private func submit(
    _ changes: [any Change], to bench: StoreBench
  ) -> [Result<ChangeOutcome, ChangeError>] {
    let results = Kept<Result<ChangeOutcome, ChangeError>>()
    bench.queue.sync {
      for change in changes {
        bench.store.submit(ChangeRequest(change, readAt: bench.clock.read())) { results.append($0) }
      }
    }
    _ = eventually { results.all.count == changes.count ? true : nil }
    bench.queue.sync {}
    return results.all
  }

  private func timings(_ bench: StoreBench) -> [(Timing, DuePoint)] {
    let now = bench.clock.read()
    let due = DuePoint.wall(now.wall + .seconds(600))
    let civil = Zone.utc.civil(at: now.wall + .seconds(600))
    let end = DuePoint(clock: bench.store.currentBoot, microseconds: now.boot + 600_000_000)
    return [
      (.instant(now.wall + .seconds(600)), due), (.countdown(.seconds(600)), end),
      (.civil(civil, zone: "Europe/Berlin", floats: false), due),
      (.civil(civil, zone: "UTC", floats: true), due),
      (
        CalendarEvent("*:0/10").map { .every(.event($0), zone: "UTC", floats: true) } ?? .countdown(.zero),
        due
      ),
    ]
  }

  @Test("Caller, subscribers and scheduler learn of a new alarm what its row would say")
  func moments() throws {
    let bench = try StoreBench()
    let group = Group(name: "Sunday", icon: "egg")
    try bench.submit(CreateGroupChange(group))
    for (timing, due) in timings(bench) {
      for (name, icon) in [(nil, nil), (nil, "own"), ("Sunday", nil), ("Sunday", "own")]
        as [(String?, String?)]
      {
        var new = bench.new("a label")
        (new.timing, new.due, new.group, new.icon) = (timing, due, name, icon)
        (new.summary, new.body, new.ifMissed) = ("Wait", "they boil", .record)
        (new.anniversary, new.forcedKind) = (CivilDate("2024-02-29"), timing.kind)
        if timing.kind == .every { (new.until, new.count) = (.latest, 3) }
        let made = try #require(try bench.submit(ScheduleChange(new)).alarms.first)
        let number = made.number
        #expect(bench.alarm(number) == made)
        #expect(bench.changes.all.last?.alarms?.map(\.new) == [made])
        let told = try #require(bench.observer.moments.last)
        let read = try bench.stranger().read { database in
          try AlarmMoments(
            number,
            in: Tables(
              database: database, clocks: BootClocks(current: bench.store.currentBoot),
              zones: ZonesInUse(MachineZone(.machine))))
        }
        #expect(told == read)
        #expect(told.waiting.count == 1)
      }
    }
  }

  @Test("A new alarm that the same transaction changes again is announced as changed")
  func changedAtOnce() throws {
    let bench = try StoreBench()
    var edit = AlarmEdit()
    edit.label = .some("other words")
    let results = submit(
      [
        ScheduleChange(bench.new("first")), ScheduleChange(bench.new("second")),
        EditChange(Selection(numbers: [1]), edit),
        DeleteChange(Selection(numbers: [2])),
      ], to: bench)
    #expect(results.count == 4)
    let told = bench.observer.moments.suffix(2)
    #expect(told.map(\.number) == [1, 2])
    #expect(told.first?.waiting.map(\.card.label) == ["other words"])
    #expect(told.last?.waiting == [])
  }

  @Test("The scheduler learns of changes that share a transaction with one of eggd's own")
  func besideOwn() throws {
    let day = TimeSpan.seconds(86_400)
    for own in [LeaveEarlierBootsChange(), ClearOverChange(ran: day, keep: day)] as [any Change] {
      let bench = try StoreBench()
      let results = submit(
        [ScheduleChange(bench.new("first")), own, ScheduleChange(bench.new("second"))], to: bench)
      #expect(results.count == 3)
      #expect(bench.observer.moments.map(\.number) == [1, 2], "\(own)")
      #expect(bench.observer.moments.allSatisfy { $0.waiting.count == 1 })
    }
  }

  @Test("Many changes in one transaction leave only the last ones for undo")
  func steps() throws {
    let bench = try StoreBench()
    let count = 3 * Int(UndoLog.depth)
    _ = submit((1...count).map { ScheduleChange(bench.new("\($0)")) }, to: bench)
    #expect(try bench.list().alarms.count == count)
    for number in ((count - Int(UndoLog.depth) + 1)...count).reversed() {
      #expect(try bench.submit(UndoChange(expected: nil)).undone?.label == "\(number)")
    }
    #expect(throws: ChangeError.nothingToUndo) { try bench.submit(UndoChange(expected: nil)) }
    #expect(try bench.list().alarms.count == count - Int(UndoLog.depth))
  }

  @Test("Undo reverts a change of its own transaction, and a refused change leaves nothing to undo")
  func undoneAtOnce() throws {
    let bench = try StoreBench()
    let results = submit(
      [
        ScheduleChange(bench.new("kept")), ScheduleChange(bench.new("undone")),
        SnoozeChange(Selection(numbers: [1]), until: .wall(bench.now)),
        UndoChange(expected: nil), ScheduleChange(bench.new("after")),
      ], to: bench)
    #expect(try results[3].get().undone?.label == "undone")
    #expect(throws: ChangeError.self) { try results[2].get() }
    #expect(try bench.list().alarms.map(\.label) == ["kept", "after"])
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.label == "after")
    #expect(try bench.submit(UndoChange(expected: nil)).undone?.label == "kept")
  }
}
