import EggStore
import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Testing
import Varlink

@Suite("Calls that are refused")
struct RefusedRequestTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  static let thirty = [
    String(repeating: "a", count: 30), String(repeating: "한", count: 30),
    String(repeating: "\u{1112}\u{1161}\u{11ab}", count: 30),  // the same in conjoining jamo
    String(repeating: "e\u{301}\u{323}", count: 30), String(repeating: "🥚", count: 30),
    String(repeating: "🇫🇷", count: 30), String(repeating: "👩‍🍳", count: 30),
  ]

  @Test("A label of 30 characters is accepted, whatever their encoding", arguments: thirty)
  func labelFits(label: String) throws {
    #expect(try client.call(ScheduleCall(expression: "5s", label: label)).alarm.label == label)
  }

  @Test("A label of 31 characters is refused", arguments: thirty)
  func labelTooLong(label: String) throws {
    #expect(
      refusal { try client.call(ScheduleCall(expression: "5s", label: label + "!")) }
        == .labelTooLong(characters: 31, limit: 30))
    _ = try client.call(ScheduleCall(expression: "5s"))
    var edit = EditCall(WireSelection(numbers: [1]))
    edit.label = label + "!"
    #expect(refusal { try client.call(edit) } == .labelTooLong(characters: 31, limit: 30))
  }

  @Test("A label of few characters and more than 512 bytes is refused")
  func labelBytes() throws {
    let zalgo = "e" + String(repeating: "\u{301}", count: 256)
    #expect(
      refusal { try client.call(ScheduleCall(expression: "5s", label: zalgo)) }
        == .invalidText(field: "label", limit: 512))
  }

  @Test(
    "A text of megabytes is refused by its byte count alone",
    arguments: ["label", "summary", "body"])
  func bytesFirst(field: String) throws {
    // Reading it would count its characters and find its control character.
    let long = String(repeating: "a", count: 100_000) + "\n"
    let (text, limit) = (long, ["label": 512, "summary": 4_096, "body": 16_384][field])
    var edit = EditCall(WireSelection(numbers: [1]))
    switch field {
    case "label": edit.label = text
    case "summary": edit.summary = text
    default: edit.body = text + "\t"
    }
    #expect(refusal { try client.call(edit) } == .invalidText(field: field, limit: limit.map { Int64($0) }))
  }

  @Test(
    "Texts that are too long or have control characters are refused by their field",
    arguments: [
      (ScheduleCall(expression: "5s", label: "a\nb"), "label", nil),
      (ScheduleCall(expression: "5s", label: "a\u{1b}[31m"), "label", nil),
      (ScheduleCall(expression: "5s", label: "a\u{9b}31m"), "label", nil),
      (ScheduleCall(expression: "5s", manner: Manner(summary: "a\u{7f}")), "summary", nil),
      (
        ScheduleCall(expression: "5s", manner: Manner(summary: String(repeating: "é", count: 201))),
        "summary", 200
      ),
      (ScheduleCall(expression: "5s", manner: Manner(body: "a\tb")), "body", nil),
      (ScheduleCall(expression: "5s", manner: Manner(body: "a\r\nb")), "body", nil),
      (
        ScheduleCall(expression: "5s", manner: Manner(body: String(repeating: "é", count: 1_001))), "body",
        1_000
      ),
      (ScheduleCall(expression: "5s", manner: Manner(icon: "a\u{0}")), "icon", nil),
      (
        ScheduleCall(expression: "5s", manner: Manner(note: String(repeating: "a", count: 1_001))), "note",
        1_000
      ),
      (
        ScheduleCall(expression: "5s", manner: Manner(sound: "/" + String(repeating: "a", count: 4_096))),
        "sound", 4_096
      ),
      (ScheduleCall(expression: "5s", key: "a\n"), "key", nil),
      (ScheduleCall(expression: "5s", key: String(repeating: "é", count: 101)), "key", 200),
      (ScheduleCall(expression: String(repeating: "5s ", count: 67)), "expression", 200),
      (ScheduleCall(expression: "5s\u{7}"), "expression", nil),
    ] as [(ScheduleCall, String, Int64?)])
  func texts(call: ScheduleCall, field: String, limit: Int64?) {
    #expect(refusal { try client.call(call) } == .invalidText(field: field, limit: limit))
  }

  @Test(
    "Insisting more often than each 10 s, or less often than each hour, is refused",
    arguments: [9, 3_601, -1])
  func insist(seconds: Int64) {
    #expect(
      invalidParameter {
        try client.call(ScheduleCall(expression: "5s", manner: Manner(insist: .seconds(seconds))))
      }
        == "insist")
  }

  @Test(
    "A command without a program or with an open quote is refused", arguments: [" ", "''", "a 'b", "a b\\"])
  func command(text: String) {
    #expect(
      invalidParameter { try client.call(ScheduleCall(expression: "5s", manner: Manner(run: text))) } == "run"
    )
  }

  @Test("A sound that is neither none, a name nor an absolute path is refused", arguments: ["a b", "a.oga"])
  func sound(text: String) {
    #expect(
      invalidParameter { try client.call(ScheduleCall(expression: "5s", manner: Manner(sound: text))) }
        == "sound")
  }

  @Test("Texts of exactly the maximum length are accepted")
  func longest() throws {
    let call = ScheduleCall(
      expression: "5s",
      manner: Manner(summary: String(repeating: "é", count: 200), body: String(repeating: "é", count: 1_000)),
      key: String(repeating: "é", count: 100))
    #expect(try client.call(call).alarm.body == call.body)
  }

  @Test("Numbers of eggs below 1 and above a million are refused", arguments: [0, -1, 1_000_001])
  func eggs(count: Int64) throws {
    #expect(
      invalidParameter { try client.call(ScheduleCall(expression: "5s", eggs: count)) } == "eggs")
  }

  @Test(
    "A value that the interface does not define is refused with its parameter",
    arguments: [
      (ScheduleCall.method, ["expression": "5s", "category": "poached"], "category"),
      (ScheduleCall.method, ["expression": "5s", "kind": "sometimes"], "kind"),
      (ScheduleCall.method, ["expression": "5s", "colour": "white"], "colour"),
      (ListCall.method, ["order": "size"], "order"),
      (ShowCall.method, ["id": "egg"], "id"),
    ])
  func unknownValue(method: String, parameters: [String: String], name: String) {
    #expect(invalidParameter { try loose(method, parameters) } == name)
  }

  @Test("A list with an unknown field or an invalid UUID is refused with its parameter")
  func unknownElement() {
    #expect(invalidParameter { try loose(ListCall.method, ["fields": ["yolk"]]) } == "fields")
    #expect(invalidParameter { try loose(ListCall.method, ["states": ["raw"]]) } == "states")
    #expect(invalidParameter { try loose(DeleteCall.method, ["ids": ["egg"]]) } == "ids")
  }

  /// A call as another client may send it.
  private func loose(_ method: String, _ parameters: some Encodable) throws(ScheduleClientError) {
    do throws(VarlinkClientError) {
      _ = try client.connection.call("\(ScheduleInterface.name).\(method)", parameters, as: Anything.self)
    } catch {
      throw ScheduleClientError(error)
    }
  }

  @Test("An unreadable expression is refused with the position")
  func expression() {
    guard
      case .invalidExpression("5 parsecs", let offset, let reason, _, _) =
        refusal({ try client.call(ScheduleCall(expression: "5 parsecs")) })
    else {
      Issue.record("not refused as an invalid expression")
      return
    }
    #expect(offset == 2)
    #expect(!reason.isEmpty)
  }

  @Test("A past moment is refused with that moment")
  func past() {
    #expect(
      refusal { try client.call(ScheduleCall(expression: "2026-11-20 22:34:30")) }
        == .inThePast(expression: "2026-11-20 22:34:30", due: rig.clock.read().wall))
  }

  @Test("A zone that the machine lacks is refused", arguments: ["Egg/Land", "../../etc/passwd", ""])
  func zone(name: String) {
    #expect(
      refusal { try client.call(ScheduleCall(expression: "07:30", zone: name)) } == .invalidZone(zone: name))
  }

  @Test("An empty selection is refused, and so is a range that ends before it begins")
  func selections() {
    let missing = ScheduleError.missingParameter(oneOf: ["numbers", "ids", "ranges", "all"])
    #expect(refusal { try client.call(DeleteCall(WireSelection())) } == missing)
    #expect(refusal { try client.call(EditCall(WireSelection())) } == missing)
    let range = NumberRange(first: 2, last: 1)
    #expect(invalidParameter { try client.call(DeleteCall(WireSelection(ranges: [range]))) } == "ranges")
  }

  @Test("Every verb refuses numbers and identities without alarms")
  func noSuchAlarm() {
    let id = AlarmID()
    let selection = WireSelection(numbers: [99], ids: [id])
    let both = ScheduleError.noSuchAlarm(numbers: [99], ids: [id])
    #expect(refusal { try client.call(DeleteCall(selection)) } == both)
    #expect(refusal { try client.call(SnoozeCall(selection)) } == both)
    #expect(refusal { try client.call(DismissCall(selection)) } == both)
    var edit = EditCall(selection)
    edit.eggs = 2
    #expect(refusal { try client.call(edit) } == both)
    let byNumber = ScheduleError.noSuchAlarm(numbers: [99], ids: [])
    #expect(refusal { try client.call(ShowCall(number: 99)) } == byNumber)
    #expect(refusal { try client.call(AgainCall(number: 99)) } == byNumber)
    #expect(refusal { try client.call(ShowCall(id: id)) } == .noSuchAlarm(numbers: [], ids: [id]))
  }

  @Test("Snooze and Dismiss of a waiting alarm are refused with its state")
  func wrongState() throws {
    _ = try client.call(ScheduleCall(expression: "5s"))
    let one = WireSelection(numbers: [1])
    #expect(refusal { try client.call(SnoozeCall(one)) } == .wrongState(number: 1, state: .scheduled))
    #expect(refusal { try client.call(DismissCall(one)) } == .wrongState(number: 1, state: .scheduled))
  }

  @Test("A snooze of less than a second or more than a year is refused", arguments: [0, 999_999, -1])
  func snoozeSpan(microseconds: Int64) {
    let call = SnoozeCall(WireSelection(all: true), span: TimeSpan(microseconds: microseconds))
    #expect(invalidParameter { try client.call(call) } == "span")
  }

  @Test("Subscribe without more is refused")
  func expectedMore() throws {
    guard case .connection(.remote(let error)) = clientError({ try client.call(SubscribeCall()) }) else {
      Issue.record("not refused")
      return
    }
    #expect(error.name == "org.varlink.service.ExpectedMore")
  }

  @Test("Show needs either a number or an identity")
  func reference() {
    var call = ShowCall(number: 1)
    call.id = AlarmID()
    #expect(invalidParameter { try client.call(call) } == "id")
    call.id = nil
    call.number = nil
    #expect(invalidParameter { try client.call(call) } == "number")
  }
}

/// For replies that are ignored.
private struct Anything: Decodable {}
