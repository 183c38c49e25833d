import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@Suite("ImportAlarms and CommitImport")
struct ImportRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  /// A new alarm in the form of an export.
  private func item() throws -> ImportedAlarm {
    let alarm = try client.call(ScheduleCall(expression: "1h")).alarm
    _ = try client.call(DeleteCall(WireSelection(numbers: [alarm.number])))
    return ImportedAlarm(alarm: alarm)
  }

  @Test("An import that the store could not apply is gone, and the next one is its own")
  func again() throws {
    let item = try item()
    #expect(try client.call(ImportAlarmsCall(alarms: [item])).staged == 1)
    let (path, elsewhere) = (rig.store.path, rig.store.path + ".moved")
    #expect(rename(path, elsewhere) == 0)
    guard case .storeUnavailable? = refusal({ try client.call(CommitImportCall()) }) else {
      Issue.record("not refused for the store")
      return
    }
    #expect(rename(elsewhere, path) == 0)
    #expect(eventually { rig.store.condition == .writable ? true : nil } == true)
    #expect(try client.call(CommitImportCall()).count == 0)
    #expect(try client.call(ImportAlarmsCall(alarms: [item])).staged == 1)
    #expect(try client.call(CommitImportCall()).count == 1)
  }

  @Test("An import brings no command, even for an alarm that had one")
  func command() throws {
    var item = ImportedAlarm(
      alarm: try client.call(ScheduleCall(expression: "1h", manner: Manner(run: "/bin/true"))).alarm)
    #expect(item.alarm.run == "/bin/true")
    _ = try client.call(DeleteCall(WireSelection(numbers: [item.alarm.number])))
    item.alarm.number = 7
    _ = try client.call(ImportAlarmsCall(alarms: [item]))
    #expect(try client.call(CommitImportCall()).count == 1)
    #expect(try client.call(ListCall()).alarms.map(\.run) == [nil])
  }

  @Test("A done alarm that is imported rings as before once it is no longer done")
  func doneWithLead() throws {
    let leads = [try #require(Lead("15min")), try #require(Lead("1h"))]
    let made = try client.call(ScheduleCall(expression: "tomorrow 07:30", leads: leads)).alarm
    let all = WireSelection(all: true)
    let done = try client.call(MarkDoneCall(all, done: true)).alarms
    _ = try client.call(DeleteCall(all))
    _ = try client.call(ImportAlarmsCall(alarms: done.map { ImportedAlarm(alarm: $0) }))
    #expect(try client.call(CommitImportCall()).count == 1)
    let undone = try client.call(MarkDoneCall(all, done: false)).alarms
    #expect(undone.map(\.due) == [made.due] && undone.map(\.moment) == [made.moment])
  }

  @Test("An alarm that recurs too often for its leads is refused")
  func dense() throws {
    var alarm = try client.call(ScheduleCall(expression: "every second")).alarm
    alarm.leads = [try #require(Lead("1d")), try #require(Lead("28d"))]
    let reply = try client.call(ImportAlarmsCall(alarms: [ImportedAlarm(alarm: alarm)]))
    #expect(reply.staged == 0 && reply.refused.map(\.field) == ["leads"])
  }

  @Test("An answered call is released while its connection continues")
  func letGo() throws {
    let item = try item()
    for _ in 1...3 {
      #expect(try client.call(ImportAlarmsCall(alarms: [item])).staged == 1)
      _ = try client.call(CommitImportCall())
    }
    #expect(eventually { rig.heldCalls == 0 ? true : nil } == true)
    #expect(try client.call(ListCall()).alarms.count == 1)
  }
}
