import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Testing

@testable import EggDaemon
@testable import Ringing

@Suite("Edit, Delete, Snooze and Dismiss")
struct ChangeRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
    for label in ["a", "b", "c"] {
      _ = try client.call(ScheduleCall(expression: "10s", label: label, manner: Manner(body: "B")))
    }
  }

  @Test("An edit changes the named fields and the time of change, and nothing else")
  func edit() throws {
    let before = try client.call(ShowCall(number: 2)).alarm
    rig.clock.advance(.seconds(1))
    var call = EditCall(WireSelection(numbers: [2, 99]))
    call.label = "new"
    call.body = ""
    call.eggs = 4
    let reply = try client.call(call)
    #expect(reply.missing == [99])
    var expected = before
    expected.label = "new"
    expected.body = nil
    expected.eggs = 4
    expected.modifiedAt = rig.clock.read().wall
    #expect(reply.alarms == [expected])
    #expect(try client.call(ShowCall(number: 2)).alarm == expected)
  }

  @Test("A note and insisting are changed and taken away, a list finds the note, and undo brings it back")
  func note() throws {
    var call = EditCall(WireSelection(numbers: [2]))
    (call.note, call.insist) = ("Lid ON\nblue pan", .seconds(120))
    let changed = try client.call(call).alarms
    #expect(changed.map(\.note) == ["Lid ON\nblue pan"])
    #expect(changed.map(\.insist) == [.seconds(120)])
    var list = ListCall()
    list.label = "lid on"
    #expect(try client.call(list).alarms.map(\.number) == [2])
    (call.note, call.insist) = ("", .zero)
    let bare = try client.call(call).alarms
    #expect(bare.map(\.note) == [nil])
    #expect(bare.map(\.insist) == [nil])
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 2)).alarm.insist == .seconds(120))
  }

  @Test("A sound is changed and taken away, and undo brings it back")
  func editSound() throws {
    var call = EditCall(WireSelection(numbers: [2]))
    call.sound = "bell"
    #expect(try client.call(call).alarms.map(\.sound) == ["bell"])
    call.sound = ""
    #expect(try client.call(call).alarms.map(\.sound) == [nil])
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 2)).alarm.sound == "bell")
  }

  @Test("A command is changed and taken away, and undo brings it back")
  func editCommand() throws {
    var call = EditCall(WireSelection(numbers: [2]))
    call.run = "/bin/a  'b c'"
    #expect(try client.call(call).alarms.map(\.run) == ["/bin/a 'b c'"])
    call.run = ""
    #expect(try client.call(call).alarms.map(\.run) == [nil])
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 2)).alarm.run == "/bin/a 'b c'")
    #expect(try client.call(AgainCall(number: 2)).alarm.run == "/bin/a 'b c'")
  }

  @Test("Whether the machine wakes is changed, told only where it does, and undone")
  func wake() throws {
    var call = EditCall(WireSelection(numbers: [2]))
    for (wake, told) in [(true, true), (false, nil)] {
      call.wake = wake
      #expect(try client.call(call).alarms.map(\.wake) == [told])
    }
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 2)).alarm.wake == true)
    #expect(try client.call(AgainCall(number: 2)).alarm.wake == true)
  }

  @Test("An edit that changes nothing is refused, and so is a zone or kind without an expression")
  func emptyEdit() {
    var call = EditCall(WireSelection(numbers: [1]))
    let changing = [
      "expression", "label", "category", "eggs", "group", "summary", "body", "icon", "note", "sound",
      "insist", "run", "wake", "unansweredAfter", "runUnanswered", "from", "until", "count", "endless",
      "ifMissed", "leads", "except", "onlyOn",
    ]
    #expect(refusal { try client.call(call) } == .missingParameter(oneOf: changing))
    call.zone = "UTC"
    #expect(invalidParameter { try client.call(call) } == "zone")
    call.kind = .in
    #expect(invalidParameter { try client.call(call) } == "kind")
  }

  @Test("A new timing schedules an alarm that is over again, under its number")
  func editTiming() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    var call = EditCall(WireSelection(numbers: [1]))
    call.expression = "1h"
    let alarm = try #require(try client.call(call).alarms.first)
    #expect(alarm.state == .scheduled)
    #expect(alarm.due == rig.clock.read().wall + .seconds(3_600))
    #expect(alarm.expression == "1h")
  }

  @Test("A change counts all changed alarms, and names as many as fit a reply")
  func manyChanged() throws {
    let first = try client.call(ShowCall(number: 1)).alarm
    for _ in 0..<11 {
      let alarms = (0..<100).map { _ in
        var alarm = first
        (alarm.number, alarm.id) = (0, AlarmID())
        return ImportedAlarm(alarm: alarm)
      }
      _ = try client.call(ImportAlarmsCall(alarms: alarms))
    }
    _ = try client.call(CommitImportCall())
    var edit = EditCall(WireSelection(all: true))
    edit.eggs = 2
    let edited = try client.call(edit)
    #expect(edited.count == 1_103)
    #expect(edited.alarms.count == 1_000)
    #expect(try client.call(MarkDoneCall(WireSelection(all: true), done: true)).count == 1_103)
    #expect(try client.call(MarkDoneCall(WireSelection(all: true), done: true)).count == 0)
    #expect(try client.call(MoveCall(WireSelection(numbers: [1, 2]), place: .bottom)).count == 2)
    #expect(try client.call(MoveCall(WireSelection(all: true), place: .top)).count == 1_103)
  }

  @Test("Delete names the deleted and the missing alarms")
  func delete() throws {
    let gone = AlarmID()
    let reply = try client.call(
      DeleteCall(
        WireSelection(numbers: [1, 99], ids: [gone], ranges: [NumberRange(first: 3, last: 50)])))
    #expect(reply.count == 2)
    #expect(reply.deleted == [1, 3])
    #expect(reply.missing == [99])
    #expect(reply.missingIds == [gone])
    #expect(reply.rang == [])
    #expect(try client.call(ListCall()).alarms.map(\.number) == [2])
  }

  @Test("Every change is counted, reads are not")
  func sequence() throws {
    let before = try client.call(StatusCall()).sequence
    let reply = try client.call(DeleteCall(WireSelection(all: true)))
    #expect(reply.sequence == before + 1)
    #expect(try client.call(StatusCall()).sequence == before + 1)
  }

  @Test("A ringing alarm is snoozed for five minutes, or for the given duration")
  func snooze() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    #expect(try client.call(ShowCall(number: 1)).alarm.state == .ringing)
    let alarm = try #require(try client.call(SnoozeCall(WireSelection(numbers: [1]))).alarms.first)
    #expect(alarm.state == .snoozed)
    #expect(alarm.due == rig.clock.read().wall + .seconds(300))
    try rig.ring(2)
    let minute = SnoozeCall(WireSelection(numbers: [2]), span: .seconds(60))
    #expect(try client.call(minute).alarms.first?.due == rig.clock.read().wall + .seconds(60))
  }

  @Test("A snooze until a moment ends then, on the clock of its zone")
  func snoozeUntil() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    let one = WireSelection(numbers: [1])
    let alarm = try client.call(SnoozeCall(one, until: "tomorrow 9am", zone: "Asia/Seoul")).alarms.first
    #expect(alarm?.state == .snoozed)
    let zone = try Zone.named("Asia/Seoul")
    #expect(alarm?.due.map { zone.civil(at: $0).description } == "2026-11-22 09:00:00")
    _ = try client.call(UndoCall())
    #expect(try client.call(ShowCall(number: 1)).alarm.state == .ringing)
    func error(_ call: SnoozeCall) -> String { clientError { try client.call(call) }.map { "\($0)" } ?? "" }
    #expect(error(SnoozeCall(one, until: "daily")).contains("invalidExpression"))
    #expect(error(SnoozeCall(one, until: "2026-11-01 9:00")).contains("inThePast"))
    let calls = [
      SnoozeCall(one, until: "2030-01-01 9:00"), SnoozeCall(one, span: .seconds(60), until: "9:00"),
    ]
    for call in calls {
      #expect(invalidParameter { try client.call(call) } == "until")
    }
  }

  @Test("A bubble's button snoozes for its own length, the usual one for the first of config.toml")
  func bubbleLengths() throws {
    rig.handler.queue.sync {
      rig.handler.configuration.settings.snooze = [.until("tomorrow 9:00"), .span(.seconds(60))]
    }
    rig.clock.advance(.seconds(10))
    for number in [Int64(1), 2] { try rig.ring(number) }
    rig.handler.perform(.snooze(nil), numbers: [1]) { Issue.record("\($1)") }
    rig.handler.perform(.snooze(.span(.seconds(60))), numbers: [2]) { Issue.record("\($1)") }
    func due(_ number: Int64) -> Instant? {
      eventually {
        let alarm = try? client.call(ShowCall(number: number)).alarm
        return alarm?.state == .snoozed ? alarm?.due : nil
      }
    }
    #expect(due(2) == rig.clock.read().wall + .seconds(60))
    let paris = try Zone.named("Europe/Paris")
    #expect(due(1).map { paris.civil(at: $0).description } == "2026-11-21 09:00:00")
  }

  @Test("A dismissed alarm has rung")
  func dismiss() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    let alarm = try #require(try client.call(DismissCall(WireSelection(all: true))).alarms.first)
    #expect(alarm.number == 1)
    #expect(alarm.state == .rung)
    #expect(alarm.latest?.dismissedAt == rig.clock.read().wall)
  }

  @Test("Actions on a shared bubble skip alarms that no longer ring")
  func bubble() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    try rig.ring(2)
    _ = try client.call(DeleteCall(WireSelection(numbers: [2])))
    rig.handler.perform(.snooze(nil), numbers: [1, 2, 3]) { Issue.record("\($1)") }
    let snoozed = try eventually { try client.call(ShowCall(number: 1)).alarm.state == .snoozed ? true : nil }
    #expect(snoozed == true)
    #expect(try client.call(ShowCall(number: 3)).alarm.state == .scheduled)
  }

  @Test("Again on a bubble creates a new alarm")
  func bubbleAgain() throws {
    rig.handler.perform(.again, numbers: [1]) { Issue.record("\($1)") }
    let due = eventually { try? client.call(ShowCall(number: 4)).alarm.due }
    #expect(due == rig.clock.read().wall + .seconds(10))
  }

  @Test("A failed action is reported by the error's name")
  func bubbleFailure() throws {
    _ = try client.call(ScheduleCall(expression: "2026-11-21 07:30"))
    rig.clock.advance(.seconds(86_400))
    let failure = Answer<String>()
    rig.handler.perform(.again, numbers: [4]) { failure.give($1) }
    #expect(failure.wait() == "io.eggd.Schedule.InThePast")
  }
}
