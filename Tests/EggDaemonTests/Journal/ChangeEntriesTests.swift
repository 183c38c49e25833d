import Alarms
import Dispatch
import EggStore
import EggTestSupport
import EggTime
import Glibc
import Testing

@testable import EggDaemon

/// Without journald, so that each entry is a line.
@Suite("Changes in the journal")
struct ChangeEntriesTests {
  private let clock = FakeClock()
  private let eggctl = ChangeClient(name: "eggctl", session: 7)

  private func alarm(_ number: Int64 = 134, label: String? = "pills", latest: Occurrence? = nil) -> Alarm {
    Alarm(
      number: number, id: AlarmID(), label: label, position: 0, timing: .countdown(.seconds(60)),
      expression: "60s", readingZone: "UTC", createdAt: clock.read().wall,
      due: .wall(clock.read().wall + .seconds(90)), latest: latest)
  }

  private func made(_ kind: ChangeKind?, _ alarms: [Alarm]? = nil, count: Int64? = nil) -> MadeChange {
    MadeChange(
      kind: kind, client: eggctl, processID: 1_234, count: count ?? Int64(alarms?.count ?? 0), alarms: alarms,
      numbers: alarms?.map(\.number) ?? [])
  }

  private func texts(_ change: MadeChange) -> [String] {
    change.records(.utc, WallClock(now: clock.read())).map(\.message)
  }

  /// What is written on stderr.
  private func lines(_ body: (ChangeEntries) -> Void) throws -> [Substring] {
    let standardError = try StandardError()
    let journal = Journal(
      queue: DispatchQueue(label: "journal"), clock: clock, socket: "/nonexistent/socket",
      standardError: standardError.descriptor)
    body(ChangeEntries(journal: journal, clock: clock))
    journal.flush()
    return standardError.text().split(separator: "\n")
  }

  @Test("An entry says what, when and by whom, and has all of it in fields")
  func scheduled() throws {
    let alarm = alarm()
    let record = try #require(
      made(.schedule, [alarm]).records(.utc, WallClock(now: clock.read())).first)
    #expect(record.message == "#134 \"pills\" scheduled for 2026. 11. 20. 21:36:00, by eggctl (1234)")
    #expect(record.id == .scheduled && record.priority == .info)
    let fields = Dictionary(uniqueKeysWithValues: record.fields.map { ($0.name, $0.value) })
    #expect(
      fields == [
        "EGG_CHANGE": "schedule", "EGG_ALARM_ID": alarm.id.description, "EGG_ALARM_NUMBER": "134",
        "EGG_LABEL": "pills", "EGG_CATEGORY": "other", "EGG_DUE_AT": "1795210560000000",
        "EGG_CLIENT": "eggctl", "EGG_CLIENT_PID": "1234",
      ])
  }

  @Test("A deletion names no due time, a snooze its end, a choice on a bubble its bubble")
  func words() {
    var deleted = made(.delete, [alarm(label: nil)])
    deleted.deletes = true
    #expect(texts(deleted) == ["#134 deleted, by eggctl (1234)"])
    let ring = Occurrence(
      id: 1, dueAt: clock.read().wall, outcome: .rung, due: .wall(clock.read().wall + .seconds(300)))
    var snoozed = made(.snooze, [alarm(latest: ring)])
    (snoozed.client, snoozed.processID) = (.bubble, nil)
    #expect(texts(snoozed) == ["#134 \"pills\" snoozed until 2026. 11. 20. 21:39:30, by its bubble"])
  }

  @Test("Control characters in a label and a client's name are escaped")
  func hostile() {
    var change = made(.pause, [alarm(label: "a\u{1b}[31m\u{202e}")])
    change.client.name = "x\ny"
    #expect(texts(change) == ["#134 \"a\\u{1b}[31m\\u{202e}\" paused, by x\\ny (1234)"])
  }

  @Test("Many alarms are one entry, found by each number")
  func many() {
    var change = made(.import, count: 200)
    change.numbers = [3, 4]
    let records = change.records(.utc, WallClock(now: clock.read()))
    #expect(records.map(\.message) == ["200 alarms added, by eggctl (1234)"])
    #expect(records[0].fields.filter { $0.name == "EGG_ALARM_NUMBER" }.map(\.value) == ["3", "4"])
  }

  @Test("A group's deletion says whether its alarms went with it")
  func groups() {
    var change = made(.deleteGroup, count: 3)
    change.group = "Sunday"
    #expect(texts(change) == ["Group \"Sunday\" deleted, by eggctl (1234)"])
    change.deletes = true
    #expect(texts(change) == ["Group \"Sunday\" with 3 alarms deleted, by eggctl (1234)"])
  }

  @Test("A flood of changes is cut off and counted: journald would drop rings else")
  func flood() throws {
    let lines = try lines { entries in
      for number in 1...1_000 { entries.made([made(.schedule, [alarm(Int64(number), label: nil)])]) }
      entries.tellRest()
    }
    #expect(lines.count == 601)
    #expect(lines[599].hasPrefix("<6>#600 scheduled"))
    #expect(lines.last == "<6>400 alarms scheduled, by eggctl")
  }

  @Test("After ten seconds changes are told one by one again")
  func later() throws {
    let lines = try lines { entries in
      entries.made((1...700).map { made(.schedule, [alarm(Int64($0))]) })
      clock.advance(.seconds(10))
      entries.made([made(.dismiss, [alarm()])])
    }
    #expect(lines.count == 601)
    #expect(lines.last == "<6>#134 \"pills\" dismissed, by eggctl (1234)")
  }
}
