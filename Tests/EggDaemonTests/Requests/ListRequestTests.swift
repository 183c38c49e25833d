import Alarms
import EggTestSupport
import EggTime
import Glibc
import Testing
import Varlink

@testable import EggProtocol
@testable import Ringing

@Suite("Groups, places, marks, filters, undo and imports over the wire")
struct ListRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
    _ = try client.call(CreateGroupCall(name: "Sunday", color: .yellow, icon: "egg"))
    for (label, group) in [("a", "Sunday"), ("b", nil), ("c", "Sunday")] {
      _ = try client.call(ScheduleCall(expression: "10s", label: label, eggs: 2, group: group))
    }
  }

  private var order: [Int64] { get throws { try client.call(ListCall()).alarms.map(\.number) } }

  @Test("A group has totals of its alarms' marks, and is changed and deleted by name")
  func groups() throws {
    _ = try client.call(MarkDoneCall(WireSelection(numbers: [1]), done: true))
    let next = rig.clock.read().wall + .seconds(10)
    let group = WireGroup(
      name: "Sunday", color: .yellow, icon: "egg", alarms: 2, done: 1, eggs: 4, next: next)
    #expect(try client.call(ListGroupsCall()).groups == [group])
    #expect(try client.call(ListGroupsCall(name: "Sunday")).groups == [group])
    var edit = EditGroupCall(name: "Sunday")
    #expect(
      refusal { try client.call(edit) }
        == .missingParameter(oneOf: ["newName", "color", "plain", "icon"]))
    (edit.newName, edit.plain, edit.icon) = ("brunch", true, "")
    #expect(
      try client.call(edit).group
        == WireGroup(name: "brunch", alarms: 2, done: 1, eggs: 4, next: next))
    #expect(try client.call(ShowCall(number: 3)).alarm.group == "brunch")
    let refused = refusal { try client.call(ListGroupsCall(name: "Sunday")) }
    #expect(refused == .noSuchGroup(name: "Sunday"))
    #expect(refusal { try client.call(CreateGroupCall(name: "brunch")) } == .groupExists(name: "brunch"))
    #expect(invalidParameter { try client.call(CreateGroupCall(name: "")) } == "name")
    #expect(
      refusal { try client.call(CreateGroupCall(name: "a\u{1b}")) }
        == .invalidText(field: "group", limit: nil))
    let long = String(repeating: "x", count: Limits.keyBytes + 1)
    #expect(
      refusal { try client.call(CreateGroupCall(name: long)) } == .invalidText(field: "group", limit: 200))
    #expect(try client.call(DeleteGroupCall(name: "brunch", alarms: .delete)).count == 2)
    #expect(try order == [2])
  }

  @Test("A move next to an alarm needs that alarm, a move to an end takes none")
  func move() throws {
    _ = try client.call(MoveCall(WireSelection(numbers: [3]), place: .top))
    #expect(try order == [3, 1, 2])
    let moved = try client.call(MoveCall(WireSelection(numbers: [3]), place: .after, other: 1)).alarms
    #expect(moved.map(\.number) == [3])
    #expect(try order == [1, 3, 2])
    let selection = WireSelection(numbers: [1])
    #expect(invalidParameter { try client.call(MoveCall(selection, place: .before)) } == "other")
    #expect(invalidParameter { try client.call(MoveCall(selection, place: .top, other: 2)) } == "other")
    #expect(invalidParameter { try client.call(MoveCall(selection, place: .after, other: 1)) } == "other")
    #expect(
      refusal { try client.call(MoveCall(selection, place: .after, other: 9)) }
        == .noSuchAlarm(numbers: [9], ids: []))
  }

  @Test(
    "The next page begins where the last one ended, on any connection; not after an alarm that is gone",
    arguments: [ListOrder.position, .due, .created, .label])
  func nextPage(by order: ListOrder) throws {
    let whole = try client.call(ListCall(order: order)).alarms.map(\.number)
    let page = try client.call(ListCall(limit: 2, order: order))
    #expect(page.alarms.map(\.number) == Array(whole.prefix(2)))
    let after = try #require(page.after)
    let rest = try rig.connect().call(ListCall(after: after, order: order))
    #expect(rest.alarms.map(\.number) == Array(whole.dropFirst(2)))
    let unknown = refusal { try client.call(ListCall(after: 99, order: order)) }
    #expect(unknown == .noSuchAlarm(numbers: [99], ids: []))
  }

  @Test("All filters apply, and totals are of what passes")
  func filters() throws {
    var call = ListCall(group: "Sunday")
    call.label = "C"
    let page = try client.call(call)
    #expect(page.alarms.map(\.number) == [3])
    #expect(page.totals == Totals(alarms: 1, eggs: 2, next: rig.clock.read().wall + .seconds(10)))
    call.dueBefore = rig.clock.read().wall
    #expect(try client.call(call).totals == Totals(alarms: 0, eggs: 0, next: nil))
    #expect(try client.call(ListCall(group: "")).alarms.map(\.number) == [2])
    #expect(refusal { try client.call(ListCall(group: "Monday")) } == .noSuchGroup(name: "Monday"))
  }

  @Test("An empty list of states or categories selects nothing")
  func noStates() throws {
    for (states, categories) in [([], nil), (nil, []), ([], [])] as [([Alarm.Phase]?, [Category]?)] {
      var call = ListCall(states: states)
      call.categories = categories
      let none = ListReply(alarms: [], totals: Totals(alarms: 0, eggs: 0, next: nil), after: nil)
      #expect(try client.call(call) == none)
      call.order = .due
      #expect(try client.call(call) == none)
    }
  }

  @Test("Every list of every call may be empty: it is none, or refused by its name")
  func emptyLists() throws {
    let interface = try InterfaceDescription(parsing: ScheduleInterface.text)
    let others = [
      "Extend": #","span":1"#, "MarkDone": #","done":true"#, "Move": #","place":"top""#,
      "Edit": #","label":"x""#, "Schedule": #","expression":"1h""#, "ImportDaysOff": #","name":"x""#,
      "AddDaysOff": #","name":"x""#,
    ]
    let known = [
      "List.states", "List.categories", "List.fields", "ImportAlarms.alarms", "ImportAlarms.groups",
      "ImportAlarms.delete", "ImportAlarms.daysOff", "Schedule.leads", "Schedule.except", "Schedule.onlyOn",
    ]
    var accepted: Set<String> = []
    for (method, fields) in interface.methods {
      for field in fields.input where "\(field.type)".contains("array") {
        let alarms = field.name != "alarms" && method == "ImportAlarms" ? #","alarms":[]"# : ""
        let json = "{\"\(field.name)\":[]\(others[method] ?? "")\(alarms)}"
        try client.connection.send("\(ScheduleInterface.name).\(method)", json: Array(json.utf8))
        do throws(VarlinkClientError) {
          let _: [String: JSONNothing] = try client.connection.receive(timeout: patience)
          accepted.insert("\(method).\(field.name)")
        } catch {
          guard case .remote(let remote) = error else { throw error }
          let isNamed =
            remote.name.hasSuffix(".MissingParameter") || remote.name.hasSuffix(".InvalidParameter")
          #expect(isNamed, "\(method) \(json): \(remote.name)")
        }
      }
    }
    #expect(accepted == Set(known))
  }

  /// Any JSON, unread.
  private struct JSONNothing: Decodable { init(from decoder: any Decoder) {} }

  @Test("A range lists the numbers in it; without totals these are 0")
  func range() throws {
    var call = ListCall()
    call.range = NumberRange(first: 2, last: 9)
    let page = try client.call(call)
    #expect(page.alarms.map(\.number) == [2, 3])
    #expect(page.totals.alarms == 2)
    call.totals = false
    #expect(
      try client.call(call)
        == ListReply(alarms: page.alarms, totals: Totals(alarms: 0, eggs: 0, next: nil), after: nil))
    call.range = NumberRange(first: 9, last: 2)
    #expect(invalidParameter { try client.call(call) } == "range")
  }

  @Test("Undo reports what it reverts to any client; a preview reverts nothing")
  func undo() throws {
    _ = try client.call(DeleteCall(WireSelection(numbers: [1, 2])))
    let preview = try client.call(UndoCall(preview: true))
    #expect(preview.change == .delete)
    #expect(preview.numbers == [1, 2])
    #expect(preview.count == 2)
    #expect(preview.label == "a")
    #expect(preview.madeAt == rig.clock.read().wall)
    #expect(preview.own)
    #expect(try order == [3])
    let other = refusal { try client.call(UndoCall(sequence: preview.sequence - 1)) }
    #expect(other == .changedSince(sequence: preview.sequence))
    let undone = try client.call(UndoCall(sequence: preview.sequence))
    #expect(undone.sequence == preview.sequence + 1)
    #expect(try order == [1, 2, 3])
    for _ in 1...4 { _ = try client.call(UndoCall()) }
    #expect(refusal { try client.call(UndoCall()) } == .nothingToUndo)
    #expect(refusal { try client.call(UndoCall(preview: true)) } == .nothingToUndo)
  }

  @Test("A change by a notification belongs to no client")
  func bubble() throws {
    rig.clock.advance(.seconds(10))
    try rig.ring(1)
    rig.handler.perform(.dismiss, numbers: [1]) { Issue.record("not made: \($1)") }
    while try rig.stored(1).phase != .rung { sched_yield() }
    let preview = try client.call(UndoCall(preview: true))
    #expect(preview.change == .dismiss)
    #expect(preview.client == "a notification")
    #expect(!preview.own)
  }

  @Test("Only selected alarms that rang before the moment are deleted")
  func rungBefore() throws {
    rig.clock.advance(.seconds(10))
    for number: Int64 in [1, 2] { try rig.ring(number) }
    let all = WireSelection(all: true)
    let moment = rig.clock.read().wall
    #expect(try client.call(DeleteCall(all, rungBefore: moment - .seconds(1))).deleted == [])
    #expect(try client.call(DeleteCall(all, rungBefore: moment + .seconds(1))).deleted == [1, 2])
    #expect(try order == [3])
  }

  private func exported() throws -> [ImportedAlarm] {
    try client.call(ListCall()).alarms.map {
      let shown = try client.call(ShowCall(number: $0.number))
      return ImportedAlarm(alarm: shown.alarm, occurrences: shown.occurrences)
    }
  }

  @Test("A list that is deleted and imported is the same; each connection stages for itself")
  func imports() throws {
    _ = try client.call(ScheduleCall(expression: "2026-12-24 18:00", label: "floats"))
    _ = try client.call(ScheduleCall(expression: "2026-12-24 18:00 Asia/Tokyo"))
    _ = try client.call(ScheduleCall(expression: "@1900000000"))
    _ = try client.call(
      ScheduleCall(expression: "Mon..Fri 07:30", count: 9, ifMissed: .ringWithin(.seconds(60))))
    _ = try client.call(PauseCall(WireSelection(numbers: [2])))
    rig.clock.advance(.seconds(9))
    try rig.ring(1)
    _ = try client.call(SnoozeCall(WireSelection(numbers: [1]), span: .seconds(600)))
    let latest = try #require(try rig.stored(1).latest)
    let ring = RingID(occurrence: latest.id, firedAt: try #require(latest.firedAt))
    rig.store.mark([.journaled(ring, at: rig.clock.read().wall)])
    _ = try client.call(MarkDoneCall(WireSelection(numbers: [2, 4, 6]), done: true))
    let before = try #require(
      try eventually {
        let alarms = try client.call(ListCall()).alarms
        return alarms.contains { $0.latest?.journaledAt != nil } ? alarms : nil
      })
    let items = try exported()
    _ = try client.call(DeleteCall(WireSelection(all: true)))
    #expect(try client.call(ImportAlarmsCall(alarms: items)) == ImportAlarmsReply(staged: 7, refused: []))
    let other = try rig.connect()
    let none = try other.call(CommitImportCall())
    #expect([none.count, none.existed, none.missed] == [0, 0, 0])
    let done = try client.call(CommitImportCall())
    #expect([done.count, done.existed, done.missed] == [7, 0, 0])
    #expect(try client.call(ListCall()).alarms == before)
    #expect(try client.call(UndoCall(preview: true)).change == .import)
    let undone = try client.call(MarkDoneCall(WireSelection(numbers: [2, 4, 6]), done: false)).alarms
    #expect(undone.map(\.state) == [.paused, .scheduled, .scheduled])
    #expect(undone.map(\.due) == before.filter { [2, 4, 6].contains($0.number) }.map(\.doneDue))
    #expect(undone.map { $0.remaining == nil } == [false, true, true])
  }

  @Test("A snoozed recurring alarm without further elapses is imported as such")
  func lastSnooze() throws {
    _ = try client.call(ScheduleCall(expression: "Mon..Fri 07:30", count: 1))
    let number = try #require(try client.call(ListCall()).alarms.first { $0.kind == .every }?.number)
    try rig.ring(number)
    _ = try client.call(SnoozeCall(WireSelection(numbers: [number]), span: .seconds(600)))
    let items = try exported()
    #expect(items.first { $0.alarm.number == number }?.alarm.state == .snoozed)
    _ = try client.call(DeleteCall(WireSelection(all: true)))
    _ = try client.call(ImportAlarmsCall(alarms: items))
    _ = try client.call(CommitImportCall())
    #expect(try rig.stored(number).due == nil)
  }

  @Test(
    "An invalid alarm is named by its index and its field",
    arguments: [
      "expression", "span", "kind", "eggs", "label", "civil", "zone", "calendarEvent", "interval", "rule",
      "remaining",
      "ringWithin", "instant",
    ])
  func refused(field: String) throws {
    var items = try exported()
    var alarm = items[1].alarm
    switch field {
    case "expression": alarm.expression = nil
    case "span": alarm.span = nil
    case "kind": alarm.kind = nil
    case "eggs": alarm.eggs = 0
    case "label": alarm.label = "\u{1b}[31m"
    case "civil": alarm.kind = .at
    case "zone":
      (alarm.kind, alarm.civil, alarm.zone) = (.at, CivilDateTime(year: 2030, month: 1, day: 1), "Nowhere")
    case "calendarEvent": (alarm.kind, alarm.calendarEvent) = (.every, "*:*:*.001")
    case "interval": (alarm.kind, alarm.interval) = (.every, "0d 08:00:00 from 2026-11-25")
    case "rule": (alarm.kind, alarm.rule) = (.every, "DTSTART:20261125T080000 RRULE:FREQ=SOMETIMES")
    case "remaining": alarm.state = .paused
    case "ringWithin": alarm.ifMissed = .ringWithin
    case "instant": (alarm.kind, alarm.instant) = (.at, Instant(microseconds: .max))
    default: Issue.record("no such case")
    }
    items[1].alarm = alarm
    let reply = try client.call(ImportAlarmsCall(alarms: items))
    #expect(reply == ImportAlarmsReply(staged: 2, refused: [RefusedAlarm(index: 1, field: field)]))
  }
}
