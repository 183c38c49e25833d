import Alarms
@testable import EggStore
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Testing

@Suite("Holds: rings and changes that race")
struct StoreHoldTests {
  @Test("Deleting rung alarms holds nothing: what is to come stays")
  func rungBefore() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(after: .seconds(1)))
    bench.clock.advance(.seconds(3_600))
    try bench.schedule()
    bench.observer.heard.clear()
    try bench.submit(DeleteChange(Selection(all: true), rungBefore: bench.now))
    #expect(try bench.list().alarms.map(\.number) == [2])
    #expect(bench.observer.words.first == "unrecorded")
  }

  @Test("A ring before the deletion is named in its reply")
  func ringThenDelete() throws {
    let bench = try StoreBench()
    let alarm = try bench.schedule()
    try bench.schedule()
    let ring = try bench.ring(alarm)
    bench.observer.answer { $0.contains(1) ? [ring] : [] }
    bench.observer.heard.clear()
    let outcome = try bench.submit(DeleteChange(Selection(ranges: [1...2])))
    #expect(outcome.deleted == [1, 2])
    #expect(outcome.rang == [1])
    #expect(bench.observer.words == ["hold", "recorded", "changed", "held"])
    #expect(bench.observer.moments.allSatisfy { $0.waiting.isEmpty && $0.ringing.isEmpty })
  }

  @Test("Alarms that a change of all leaves alone may ring meanwhile")
  func held() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.count(down: .seconds(60))
    try bench.fire(try bench.schedule())
    try bench.fire(try bench.schedule())
    func holds(_ change: any Change) throws -> [NumberSet] {
      bench.observer.heard.clear()
      try bench.submit(change)
      return bench.observer.heard.all.compactMap {
        if case .hold(let numbers, _) = $0 { numbers } else { nil }
      }
    }
    let all = Selection(all: true)
    #expect(try holds(PauseChange(all)) == [NumberSet([2])])
    #expect(try holds(SnoozeChange(Selection(numbers: [3]), until: .wall(bench.now + .seconds(300)))) == [])
    #expect(try holds(DismissChange(all)) == [NumberSet([3])])
    #expect(try holds(DismissChange(all)) == [])
    #expect(try holds(DeleteChange(all)) == [.all])
  }

  @Test("A zone change holds all alarms that it moves until its commit")
  func zoneChange() throws {
    let folder = try ZoneFolder("Europe/Berlin")
    let bench = try StoreBench(zones: folder.source)
    bench.store.followZones()
    for civil in [
      CivilDateTime(year: 2026, month: 11, day: 21, hour: 7), CivilDateTime(year: 2027, month: 1, day: 1),
    ] {
      var new = bench.new()
      new.timing = .civil(civil, zone: "Europe/Berlin", floats: true)
      try bench.submit(ScheduleChange(new))
    }
    try bench.schedule()
    bench.observer.heard.clear()
    try folder.move(to: "Asia/Tokyo")
    #expect(eventually { bench.events.all.isEmpty ? nil : true } == true)
    bench.queue.sync {}
    let held = bench.observer.heard.all.compactMap {
      if case .hold(let numbers, _) = $0 { numbers } else { nil }
    }
    #expect(held == [NumberSet([1, 2])])
    #expect(bench.observer.words.starts(with: ["hold", "refilled", "held"]))
  }

  @Test("A deletion of all holds every number")
  func deleteAll() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.observer.heard.clear()
    try bench.submit(DeleteChange(Selection(all: true)))
    guard case .hold(let numbers, _) = bench.observer.heard.all.first else {
      Issue.record("no hold")
      return
    }
    #expect(numbers == .all)
  }

  @Test("A change of many takes one hold: a hold is a hop to the scheduler, which goes through all of them")
  func changesOfMany() throws {
    let bench = try StoreBench(zones: try ZoneFolder("Europe/Berlin").source)
    let civil = CivilDateTime(year: 2027, month: 1, day: 1)
    for _ in 0...StoreTransaction.usualFew {
      var new = bench.new()
      new.timing = .civil(civil, zone: "Europe/Berlin", floats: true)
      try bench.submit(ScheduleChange(new))
    }
    let all = Selection(all: true)
    var edit = AlarmEdit()
    edit.label = .some("other words")
    let undo = UndoChange(expected: nil)
    let changes: [any Change] = [
      MarkDoneChange(all, true), undo, UndoChange(expected: nil, redoes: true), MarkDoneChange(all, false),
      undo,
      undo, SkipChange(all), undo, EditChange(all, edit), undo, ExtendChange(all, by: .seconds(60)), undo,
      DeleteChange(all), undo,
    ]
    for change in changes {
      bench.observer.heard.clear()
      try bench.submit(change)
      #expect(bench.observer.words.count { $0 == "hold" } <= 1, "\(type(of: change))")
      #expect(!bench.observer.words.isEmpty)
    }
  }

  @Test("An unrecorded ring can be snoozed")
  func ringThenSnooze() throws {
    let bench = try StoreBench()
    let ring = try bench.ring(try bench.schedule(), occurrence: 9)
    bench.observer.answer { _ in [ring] }
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
    let alarm = try #require(
      try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until)).alarms.first)
    #expect(alarm.phase == .snoozed)
    #expect(alarm.latest?.id == 9)
    #expect(alarm.due == nil)
  }

  @Test("An unrecorded ring can be dismissed")
  func ringThenDismiss() throws {
    let bench = try StoreBench()
    let ring = try bench.ring(try bench.schedule(), occurrence: 9)
    bench.observer.answer { _ in [ring] }
    let alarm = try #require(try bench.submit(DismissChange(Selection(numbers: [1]))).alarms.first)
    #expect(alarm.phase == .rung)
    #expect(alarm.latest?.dismissedAt != nil)
  }

  @Test("A snooze that ends before its dismissal rings, and is dismissed as a ring")
  func snoozeEndThenDismiss() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 9)
    let until = DuePoint(clock: bench.store.currentBoot, microseconds: bench.clock.read().boot + 300_000_000)
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: until))
    bench.clock.advance(.seconds(300))
    let now = bench.clock.read().wall
    let ring = RingRecord(
      occurrence: 9, key: EntryKey(number: 1, occurrence: 9), due: until, dueAt: now, firedAt: now,
      lateness: .zero, reason: nil)
    bench.observer.answer { _ in [ring] }
    let alarm = try #require(try bench.submit(DismissChange(Selection(numbers: [1]))).alarms.first)
    #expect(alarm.phase == .rung)
    #expect(alarm.state == .over)
    #expect(alarm.latest?.firedAt == now)
  }

  @Test("A ring is recorded before a later change of the label")
  func ringThenLabel() throws {
    let bench = try StoreBench()
    let ring = try bench.ring(try bench.schedule(), occurrence: 9)
    bench.observer.answer { _ in [ring] }
    var edit = AlarmEdit()
    edit.label = "new"
    let alarm = try #require(try bench.submit(EditChange(Selection(numbers: [1]), edit)).alarms.first)
    #expect(alarm.phase == .ringing)
    #expect(alarm.label == "new")
    // The ring is a separate change, before the edit.
    let changes = bench.changes.all.compactMap { $0.alarms?.first?.new }.suffix(2)
    #expect(changes.map(\.phase) == [.ringing, .ringing])
    #expect(changes.map(\.label) == [nil, "new"])
  }

  @Test("A ring from a hold's answer is not recorded again with its own record")
  func recordAfterHold() throws {
    let bench = try StoreBench()
    let ring = try bench.ring(try bench.schedule(), occurrence: 9)
    bench.observer.answer { _ in [ring] }
    try bench.submit(DismissChange(Selection(numbers: [1])))
    bench.observer.heard.clear()
    bench.store.record([ring, ring])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.observer.words == ["recorded"])
    #expect(bench.alarm(1)?.phase == .rung)
    let history = try bench.wait { bench.store.alarm(.number(1), completion: $0) }.get()
    #expect(history.occurrences.map(\.id) == [9])
  }

  @Test("The second ring of a snoozed occurrence is recorded, although the first one's record comes with it")
  func snoozedTwice() throws {
    let bench = try StoreBench()
    try bench.fire(try bench.schedule(), occurrence: 9)
    let boot = bench.clock.read().boot
    let now = bench.clock.read().wall
    @Sendable func ring(_ due: DuePoint) -> RingRecord {
      RingRecord(
        occurrence: 9, key: EntryKey(number: 1, occurrence: 9), due: due, dueAt: now, firedAt: now,
        lateness: .zero, reason: nil)
    }
    let dues = [1_000_000, 2_000_000].map {
      DuePoint(clock: bench.store.currentBoot, microseconds: boot + $0)
    }
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: dues[0]))
    // Rung but unrecorded: the next snooze's hold records it.
    bench.observer.answer { _ in [ring(dues[0])] }
    try bench.submit(SnoozeChange(Selection(numbers: [1]), until: dues[1]))
    bench.store.record(dues.map(ring))
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.alarm(1)?.phase == .ringing)
  }

  @Test("The record of a ring whose alarm was deleted or moved is answered and dropped")
  func recordTooLate() throws {
    let bench = try StoreBench()
    let deleted = try bench.ring(try bench.schedule())
    var edited = try bench.ring(try bench.schedule())
    edited.due.microseconds -= 1
    try bench.submit(DeleteChange(Selection(numbers: [1])))
    bench.observer.heard.clear()
    bench.store.record([deleted, edited])
    bench.queue.sync {}
    bench.queue.sync {}
    #expect(bench.observer.words == ["recorded"])
    #expect(bench.alarm(2)?.phase == .scheduled)
  }

  @Test("A refused change ends its hold")
  func refused() throws {
    let bench = try StoreBench()
    try bench.schedule()
    bench.observer.heard.clear()
    _ = bench.submitted(ExtendChange(Selection(numbers: [1]), by: .seconds(-3_600)))
    #expect(bench.observer.words == ["hold", "held"])
  }

  @Test("Changes that come together share a transaction, and one bad change fails alone")
  func groupCommit() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.stranger().write {
      try $0.execute(
        sql: "CREATE TRIGGER no BEFORE DELETE ON alarm BEGIN SELECT RAISE(ABORT, 'no'); END")
    }
    #expect(eventually { bench.observer.words.contains("ringingUnknown") ? true : nil } == true)
    bench.observer.heard.clear()
    let answers = Kept<Result<ChangeOutcome, ChangeError>>()
    bench.queue.suspend()
    let changes: [any Change] = [
      ScheduleChange(bench.new("a")), DeleteChange(Selection(numbers: [1])), ScheduleChange(bench.new("b")),
    ]
    for change in changes {
      bench.store.submit(ChangeRequest(change, readAt: bench.clock.read())) { answers.append($0) }
    }
    bench.queue.resume()
    #expect(eventually { answers.all.count == 3 ? true : nil } == true)
    #expect(bench.observer.words == ["hold", "changed", "held"])
    #expect(answers.all.map { (try? $0.get())?.sequence } == [2, nil, 3])
    #expect(try bench.list().alarms.map(\.number) == [1, 2, 3])
  }

  @Test("If a whole transaction fails, its holds end and each change is tried once alone")
  func failedCommit() throws {
    let bench = try StoreBench()
    try bench.schedule()
    try bench.stranger().write {
      try $0.execute(
        sql: "CREATE TRIGGER no BEFORE DELETE ON alarm BEGIN SELECT RAISE(ROLLBACK, 'no'); END")
    }
    #expect(eventually { bench.observer.words.contains("ringingUnknown") ? true : nil } == true)
    bench.observer.heard.clear()
    let answers = Kept<Result<ChangeOutcome, ChangeError>>()
    bench.queue.suspend()
    let changes: [any Change] = [ScheduleChange(bench.new("a")), DeleteChange(Selection(numbers: [1]))]
    for change in changes {
      bench.store.submit(ChangeRequest(change, readAt: bench.clock.read())) { answers.append($0) }
    }
    bench.queue.resume()
    #expect(eventually { answers.all.count == 2 ? true : nil } == true)
    #expect(bench.observer.words == ["hold", "held", "changed", "hold", "held"])
    guard case .failure(.unavailable) = answers.all[1] else {
      Issue.record("\(answers.all[1])")
      return
    }
    #expect(try bench.list().alarms.map(\.number) == [1, 2])
    try bench.schedule()
    #expect(bench.events.all.suffix(2).last == .availableAgain)
  }

  @Test("A change of very many alarms has everything read again")
  func many() throws {
    let bench = try StoreBench()
    for _ in 0...256 { try bench.schedule() }
    bench.observer.heard.clear()
    bench.changes.clear()
    let outcome = try bench.submit(DeleteChange(Selection(all: true)))
    #expect(outcome.deleted.count == 257)
    // Bubbles of those that rang are closed, too.
    #expect(bench.observer.words == ["hold", "refilled", "held", "ringingUnknown"])
    #expect(bench.observer.refills.first?.entries.isEmpty == true)
    #expect(bench.changes.all.count == 1)
    #expect(bench.changes.all[0].alarms == nil)
  }
}
