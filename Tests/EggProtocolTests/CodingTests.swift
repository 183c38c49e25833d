import Alarms
import EggTime
import Testing
import Varlink

@testable import EggProtocol

@Suite("Calls, replies and errors are coded")
struct CodingTests {
  static let full: Alarm = {
    let due = DuePoint(clock: ClockID(rawValue: 3), microseconds: 50)
    let latest = Occurrence(
      id: 17, dueAt: Instant(microseconds: 1), ahead: .seconds(900), outcome: .rung, missedCount: 2,
      firedAt: Instant(microseconds: 3), journaledAt: Instant(microseconds: 4),
      shownAt: Instant(microseconds: 5), dismissedAt: Instant(microseconds: 6),
      snoozedUntil: Instant(microseconds: 7), due: due, lateness: TimeSpan(microseconds: 8),
      lateReason: .clockStep, bubble: 9, bubbleServer: ":1.7",
      hooks: [
        HookRun(hook: "/a 'b c'", result: .exited(3)), HookRun(hook: "/d", result: .killed(9)),
        HookRun(hook: "/e", result: .notStarted("r \"q\"")), HookRun(hook: "/f", result: .timedOut),
      ])
    return Alarm(
      number: 12, id: AlarmID(), label: "two \"soft\"\\ ones\u{1}\u{1f} 👩‍👩‍👧 é한", category: .soft, eggs: 2,
      position: 4,
      manner: Manner(
        summary: "s", body: "line\nline\ttab", icon: "i", note: "more\nof it", sound: "/a b",
        insist: .seconds(60), run: "/a 'b c'", wake: true, unansweredAfter: .seconds(300),
        runUnanswered: "/d"),
      timing: .civil(CivilDateTime(year: 2026, month: 11, day: 21), zone: "Europe/Paris", floats: false),
      expression: "tomorrow", readingZone: "Europe/Paris",
      rules: MomentRules(leads: [.zero, Lead(days: 1, seconds: 7_200)].compactMap { $0 }), key: "k",
      createdAt: Instant(microseconds: 10),
      modifiedAt: Instant(microseconds: 11), doneAt: Instant(microseconds: 12), doneDue: due, due: due,
      ahead: .seconds(900), latest: latest)
  }()

  static let bare = Alarm(
    number: 1, id: AlarmID(), position: 0, timing: .countdown(.seconds(5)), expression: "5s",
    readingZone: "UTC", createdAt: Instant(microseconds: 0))

  /// With the fields that only other timings and states have.
  static func recurring() throws -> Alarm {
    var rules = MomentRules(except: ["holidays", "a \"b\""], onlyOn: ["term"])
    rules.skips = try #require(DaySet("2026-12-24..2027-01-01 2027-03-01"))
    return Alarm(
      number: 2, id: AlarmID(), group: "Sunday", position: 1,
      timing: .every(
        .event(try #require(CalendarEvent("Mon..Fri 07:30"))), zone: "Europe/Paris", floats: true),
      expression: "Mon..Fri 07:30", forcedKind: .every, readingZone: "Europe/Paris",
      ifMissed: .ringWithin(.seconds(5)), from: Instant(microseconds: 8), until: Instant(microseconds: 9),
      count: 3, rules: rules,
      anniversary: CivilDate("2024-02-29"), createdAt: Instant(microseconds: 0))
  }

  /// With an interval instead of a calendar event.
  static func counted() throws -> Alarm {
    let interval = try #require(RecurringInterval("2w Mon,Thu 07:30:00 from 2026-11-23"))
    return Alarm(
      number: 4, id: AlarmID(), position: 1,
      timing: .every(.interval(interval), zone: "Europe/Paris", floats: true),
      expression: "every 2 weeks on mon,thu 07:30", readingZone: "Europe/Paris",
      createdAt: Instant(microseconds: 0))
  }

  /// With a rule.
  static func ruled() throws -> Alarm {
    let set = try #require(
      RecurrenceSet("DTSTART:20261123T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU"))
    return Alarm(
      number: 5, id: AlarmID(), position: 1, timing: .every(.rule(set), zone: "Europe/Paris", floats: true),
      expression: "\(set)", readingZone: "Europe/Paris", createdAt: Instant(microseconds: 0))
  }

  /// Also rings.
  static let ringsPaused = {
    var alarm = paused
    alarm.latest = Occurrence(
      id: 2, dueAt: Instant(microseconds: 5), outcome: .rung, firedAt: Instant(microseconds: 6))
    return alarm
  }()

  static let paused = Alarm(
    number: 3, id: AlarmID(), position: 0, timing: .instant(Instant(microseconds: 4)), expression: "5s",
    readingZone: "UTC", ifMissed: .record, remaining: .seconds(3), state: .paused,
    createdAt: Instant(microseconds: 0))

  static func all() throws -> [Alarm] {
    [full, bare, try recurring(), try counted(), try ruled(), paused, ringsPaused]
  }

  static func wall(_ point: DuePoint) -> Instant { Instant(microseconds: point.microseconds + 1_000) }

  @Test("What is written reads as the same page, with all fields and with those of a list")
  func pages() throws {
    for fields in [nil, Set(WireAlarm.listed)] {
      for after in [nil, Int64(12)] {
        let alarms = try Self.all().map { WireAlarm($0, wallOf: Self.wall, fields: fields) }
        let totals = Totals(alarms: 6, eggs: 3, next: Instant(microseconds: -5))
        let page = ListReply(alarms: alarms, totals: totals, after: after)
        #expect(try JSON.value(JSON.bytes(page)) == page)
        #expect(try JSON.value(JSON.bytes(page, sorted: true)) == page)
      }
    }
  }

  @Test("An import reads as it was written, and unknown members and nulls are ignored")
  func imports() throws {
    for alarm in try Self.all() {
      let wire = WireAlarm(alarm, wallOf: Self.wall)
      let item = ImportedAlarm(alarm: wire, occurrences: [wire.latest].compactMap { $0 })
      let call = ImportAlarmsCall(alarms: [item, item])
      let json = try JSON.bytes(call)
      #expect(try JSON.value(json) == call)
      let other = String(decoding: json, as: UTF8.self)
        .replacing("\"alarm\":{", with: "\"new\":[{}],\"\\u0061larm\":{\"new\":{\"a\":1},\"old\":null,")
      #expect(try JSON.value(Array(other.utf8)) == call)
    }
  }

  @Test("The list of fields has each field once, and the tests use all of them")
  func allFields() throws {
    #expect(WireAlarm.codings.compactMap(\.field) == WireAlarm.Field.allCases)
    var members: Set<String> = []
    for alarm in try Self.all() {
      members.formUnion(try self.members(JSON.bytes(WireAlarm(alarm, wallOf: Self.wall))))
    }
    #expect(members.isSuperset(of: WireAlarm.Field.allCases.map(\.rawValue)))
  }

  /// With all fields.
  private static let schedule = ScheduleCall(
    expression: "daily", kind: .every, zone: "Europe/Paris", label: "é\u{1}", category: .hard, eggs: 2,
    group: "g",
    manner: Manner(
      summary: "s", body: "b\tc", icon: "i", note: "n", sound: "bell", insist: .seconds(60), run: "/a b",
      wake: true),
    key: "k",
    until: Instant(microseconds: -3), count: 3,
    anniversary: CivilDate("2024-02-29"), ifMissed: .ringWithin(.seconds(5)), leads: [.zero],
    except: ["holidays"], onlyOn: ["term"])

  @Test("A call is stored without its key, and one that an earlier version stored is the same")
  func keyedRequest() throws {
    let stored = """
      {"expression":"daily","kind":"every","zone":"Europe/Paris","label":"é\\u0001","category":"hard","eggs":2,\
      "group":"g","anniversary":"2024-02-29","summary":"s","body":"b\\u0009c","icon":"i","until":-3,"count":3,\
      "ifMissed":"ringWithin","ringWithin":5000000,"sound":"bell","note":"n","insist":60000000,"run":"/a b",\
      "wake":true,"leads":["0s"],"except":["holidays"],"onlyOn":["term"]}
      """
    #expect(Self.schedule.isRequest(stored))
    #expect(Self.schedule.isRequest(Self.schedule.keyedRequest))
    #expect(try members(Array(Self.schedule.keyedRequest.utf8)) == members(Array(stored.utf8)))
    for other in [stored.replacing("2,", with: "3,"), "", nil] { #expect(!Self.schedule.isRequest(other)) }
  }

  @Test(
    "A reply that lacks a field, or has another type, is refused",
    arguments: [
      "", "{}", "[]", #"{"alarms":[]}"#, #"{"alarms":[{}],"totals":{"alarms":0,"eggs":0}}"#,
      #"{"alarms":[],"totals":{"alarms":0,"eggs":0}} 1"#, #"{"alarms":[],"totals":{"alarms":0.5,"eggs":0}}"#,
      #"{"alarms":[],"totals":{"alarms":9223372036854775808,"eggs":0}}"#,
      #"{"alarms":null,"totals":{"alarms":0,"eggs":0}}"#,
      #"{"alarms":[{"number":1,"state":"rung","done":1}],"totals":{"alarms":0,"eggs":0}}"#,
    ])
  func refusedPage(json: String) {
    #expect(throws: DecodingError.self) { try JSON.value(Array(json.utf8), as: ListReply.self) }
  }

  @Test("An alarm's next moment is sent on the wall clock")
  func due() {
    #expect(WireAlarm(Self.full, wallOf: Self.wall).due == Instant(microseconds: 1_050))
    #expect(WireAlarm(Self.bare, wallOf: Self.wall).due == nil)
  }

  @Test("Only the requested optional fields are sent, and only those with a value")
  func fields() throws {
    let few = WireAlarm(Self.full, wallOf: Self.wall, fields: [.due, .label, .zone])
    #expect(
      try members(JSON.bytes(few))
        == ["number", "state", "done", "category", "eggs", "due", "label", "zone"])
    let bare = WireAlarm(Self.bare, wallOf: Self.wall)
    #expect(
      try members(JSON.bytes(bare))
        == [
          "number", "state", "done", "category", "eggs", "expression", "id", "kind", "span", "position",
          "readingZone", "createdAt",
        ])
  }

  @Test("An unknown enum value in a reply reads as other, or as absent if the field is optional")
  func unknownInReply() throws {
    let json =
      #"{"number":1,"state":"boiling","done":false,"category":"poached","eggs":1,"kind":"sometimes"}"#
    let alarm = try JSON.value(Array(json.utf8), as: WireAlarm.self)
    #expect(alarm.state == .other)
    #expect(alarm.category == .other)
    #expect(alarm.kind == nil)
  }

  @Test("An unknown enum value in a call is refused")
  func unknownInCall() {
    let json = #"{"expression":"5s","category":"poached"}"#
    #expect(throws: DecodingError.self) {
      try JSON.value(Array(json.utf8), as: ScheduleCall.self)
    }
  }

  @Test("Empty parts of a selection are not sent")
  func selection() throws {
    let call = DeleteCall(WireSelection(numbers: [3, 4]))
    #expect(try members(JSON.bytes(call)) == ["numbers"])
    #expect(call.selection == WireSelection(numbers: [3, 4]))
    #expect(try members(JSON.bytes(DismissCall(WireSelection(all: true)))) == ["all"])
  }

  @Test("A large deletion counts all numbers and lists as many as fit a message")
  func manyDeleted() throws {
    let numbers = Array(Int64(1)...10_001)
    let reply = DeleteReply(deleted: numbers, rang: numbers, missing: [], missingIds: [], sequence: 1)
    #expect(reply.count == 10_001)
    #expect(reply.deleted == Array(numbers.dropLast()))
    #expect(reply.rang == reply.deleted)
  }

  @Test(
    "An error reply carries the interface's name",
    arguments: [
      (ScheduleError.noSuchAlarm(numbers: [3], ids: []), "NoSuchAlarm"),
      (
        .invalidExpression(expression: "x", offset: 0, reason: "r", nearest: nil, readings: nil),
        "InvalidExpression"
      ),
      (.inThePast(expression: "x", due: Instant(microseconds: 1)), "InThePast"),
      (.invalidDue(number: 1, due: Instant(microseconds: 1)), "InvalidDue"),
      (.labelTooLong(characters: 31, limit: 30), "LabelTooLong"),
      (.invalidText(field: "body", limit: nil), "InvalidText"), (.invalidZone(zone: "x"), "InvalidZone"),
      (.wrongState(number: 1, state: .rung), "WrongState"), (.keyInUse(key: "k", number: 1), "KeyInUse"),
      (.noElapseLeft(number: 1, expression: "daily", until: nil), "NoElapseLeft"),
      (.storeUnavailable(reason: "r"), "StoreUnavailable"), (.tooSlow, "TooSlow"),
    ])
  func errorNames(error: ScheduleError, name: String) {
    #expect(error.failure.name == "io.eggd.Schedule." + name)
  }

  private func members(_ json: [UInt8]) throws -> Set<String> {
    struct Anything: Decodable {}
    return Set(try JSON.value(json, as: [String: Anything].self).keys)
  }
}
