import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Glibc
import Testing

@Suite("Subscribe")
struct SubscribeTests {
  let rig: WireRig
  let client: ScheduleClient

  init() throws {
    rig = try WireRig()
    client = try rig.connect()
  }

  @Test("The list comes first, then every change with the alarm before and after it")
  func changes() throws {
    _ = try client.call(ScheduleCall(expression: "1h", label: "first"))
    var parts: [SubscribePart] = []
    var changes: [SubscribeReply] = []
    try rig.connect().stream(SubscribeCall(), timeout: patience) { message in
      parts.append(message.part)
      switch message.part {
      case .page: #expect(message.alarms?.map(\.label) == ["first"])
      case .ready:
        _ = try client.call(ScheduleCall(expression: "2h", label: "second"))
        var edit = EditCall(WireSelection(numbers: [1]))
        edit.label = "changed"
        _ = try client.call(edit)
        _ = try client.call(DeleteCall(WireSelection(numbers: [2])))
      case .change: changes.append(message)
      case .startOver, .groups, .other: Issue.record("told of \(message.part)")
      }
      return changes.count < 3
    }
    #expect(parts == [.page, .ready, .change, .change, .change])
    #expect(changes.map(\.old?.label) == [nil, "first", "second"])
    #expect(changes.map(\.new?.label) == ["second", "changed", nil])
    #expect(changes.map(\.sequence) == [2, 3, 4])
  }

  @Test("A ring is sent as a change")
  func ring() throws {
    _ = try client.call(ScheduleCall(expression: "5s"))
    var states: [Alarm.Phase?] = []
    try rig.connect().stream(SubscribeCall(), timeout: patience) { message in
      if message.part == .ready {
        rig.clock.advance(.seconds(5))
        try rig.ring(1)
      }
      guard message.part == .change else { return true }
      states = [message.old?.state, message.new?.state]
      return false
    }
    #expect(states == [.scheduled, .ringing])
  }

  @Test("Without pages only changes are sent, or one message that everything has to be read again")
  func changesAlone() throws {
    _ = try client.call(ScheduleCall(expression: "1h", label: "first"))
    let told = try Told(SubscribeCall(pages: false), of: rig)
    #expect(try told.next()?.reply == SubscribeReply(part: .ready, sequence: 1))
    _ = try client.call(DeleteCall(WireSelection(numbers: [1])))
    let change = try #require(try told.next()).reply
    #expect((change.part, change.sequence, change.old?.number) == (.change, 2, 1))
    #expect(change.new == nil)
    rig.handler.clockStepped()
    #expect(try told.next()?.reply == SubscribeReply(part: .startOver, sequence: 2))
    #expect(try told.next()?.reply == SubscribeReply(part: .ready, sequence: 2))
  }

  @Test("The groups come before the list, and again when one is created, changed or deleted")
  func groups() throws {
    _ = try client.call(CreateGroupCall(name: "Work"))
    var call = ScheduleCall(expression: "1h")
    call.group = "Work"
    _ = try client.call(call)
    let told = try Told(SubscribeCall(), of: rig)
    var message = try #require(try told.next()).reply
    #expect(message.part == .groups)
    #expect(message.groups?.map(\.name) == ["Work"])
    #expect(message.groups?.map(\.alarms) == [1])
    #expect(try told.next()?.reply.part == .page)
    #expect(try told.next()?.reply.part == .ready)
    _ = try client.call(CreateGroupCall(name: "Sunday", color: .green))
    message = try #require(try told.next()).reply
    #expect(message.part == .groups)
    #expect(message.groups?.map(\.name) == ["Sunday", "Work"])
    #expect(message.groups?.map(\.color) == [.green, nil])
    var edit = EditGroupCall(name: "Sunday")
    edit.newName = "Monday"
    _ = try client.call(edit)
    #expect(try #require(try told.next()).reply.groups?.map(\.name) == ["Monday", "Work"])
    _ = try client.call(DeleteGroupCall(name: "Monday", alarms: .keep))
    #expect(try #require(try told.next()).reply.groups?.map(\.name) == ["Work"])
  }

  @Test("A client that does not read gets the reason after the sent messages; other streams continue")
  func tooSlow() throws {
    let body = String(repeating: "알", count: 1_000)
    for _ in 0..<50 { _ = try client.call(ScheduleCall(expression: "1h", manner: Manner(body: body))) }
    let slow = try Told(SubscribeCall(pages: false), of: rig)
    let quick = try Told(SubscribeCall(pages: false), of: rig)
    var last: Int64 = 0
    // Each is sent as 50 messages of 7 KB.
    for round in 0..<16 {
      var edit = EditCall(WireSelection(all: true))
      edit.label = "round \(round)"
      last = try client.call(edit).sequence
      while try quick.next()?.reply.sequence != last {}
      for _ in 0..<49 { _ = try quick.next() }
    }
    var told: [Int64] = []
    let error = refusal {
      while let message = try slow.next() { told.append(message.reply.sequence) }
      return told
    }
    #expect(error == .tooSlow)
    #expect(told.first == 50)
    #expect(told.count * 7_000 > 3 << 20)
    #expect(try #require(told.last) < last)
    // The connection goes on.
    #expect(try slow.client.call(StatusCall()).sequence == last)
  }

  @Test("A refused subscriber gets no changes, because nobody would read them", arguments: [false, true])
  func refused(isUnderWay: Bool) throws {
    if isUnderWay {
      // 3 MB, partly waiting for the client to take the first page.
      let body = String(repeating: "알", count: 1_000)
      for _ in 0..<22 {
        for _ in 0..<50 {
          try client.connection.send(
            ScheduleCall.qualifiedName, ScheduleCall(expression: "1h", manner: Manner(body: body)))
        }
        for _ in 0..<50 { _ = try client.connection.receive(as: ScheduleReply.self) }
      }
    }
    let told = isUnderWay ? try Told(SubscribeCall(), of: rig) : nil
    _ = try told?.next()
    unlink(rig.store.path)
    let isGone: Bool? = eventually {
      if case .unavailable = rig.store.condition { true } else { nil }
    }
    #expect(isGone == true)
    let late = try told ?? Told(SubscribeCall(), of: rig)
    let error = refusal {
      while let message = try late.next(), !message.isLast {}
      return 0
    }
    guard case .storeUnavailable = error else {
      Issue.record("refused with \(String(describing: error))")
      return
    }
    #expect(rig.subscriptions == 0)
  }

  @Test("An empty list is complete at once")
  func empty() throws {
    var first: SubscribeReply?
    try rig.connect().stream(SubscribeCall(), timeout: patience) { message in
      first = message
      return false
    }
    #expect(first == SubscribeReply(part: .ready, sequence: 0))
  }

  @Test("A change of more than 256 alarms, or a clock step, has everything read again")
  func startOver() throws {
    for _ in 0..<5 {
      for _ in 0..<60 {
        try client.connection.send(ScheduleCall.qualifiedName, ScheduleCall(expression: "1h"))
      }
      for _ in 0..<60 { _ = try client.connection.receive(as: ScheduleReply.self) }
    }
    var listed: Set<Int64> = []
    var parts: [SubscribePart] = []
    try rig.connect().stream(SubscribeCall(), timeout: patience) { message in
      if parts.last != message.part { parts.append(message.part) }
      switch message.part {
      case .page: listed.formUnion((message.alarms ?? []).map(\.number))
      case .change, .groups, .other: Issue.record("told of \(message.part)")
      case .startOver: listed = []
      case .ready:
        switch parts.count(where: { $0 == .ready }) {
        case 1:
          #expect(listed == Set(1...300))
          _ = try client.call(DeleteCall(WireSelection(ranges: [NumberRange(first: 2, last: 400)])))
        case 2:
          #expect(listed == [1])
          rig.handler.clockStepped()
        default:
          #expect(listed == [1])
          return false
        }
      }
      return true
    }
    #expect(parts == [.page, .ready, .startOver, .page, .ready, .startOver, .page, .ready])
  }

  @Test("Changes made while the list is sent follow it, and applying them gives the present list")
  func meanwhile() throws {
    // Large enough for many messages, so that changes fall between its pages.
    let body = String(repeating: "x", count: 1_000)
    for _ in 0..<30 {
      for _ in 0..<50 {
        try client.connection.send(
          ScheduleCall.qualifiedName, ScheduleCall(expression: "1h", manner: Manner(body: body)))
      }
      for _ in 0..<50 { _ = try client.connection.receive(as: ScheduleReply.self) }
    }
    var mirror: [Int64: WireAlarm] = [:]
    var pages = 0
    var last: Int64 = 0
    try rig.connect().stream(SubscribeCall(), timeout: patience) { message in
      switch message.part {
      case .page:
        for alarm in message.alarms ?? [] { mirror[alarm.number] = alarm }
        pages += 1
        if pages == 1 {
          _ = try client.call(DeleteCall(WireSelection(numbers: [1, 1_500])))
          var edit = EditCall(WireSelection(numbers: [2, 1_499]))
          edit.label = "edited"
          _ = try client.call(edit)
          last = try client.call(ScheduleCall(expression: "2h")).sequence
        }
      case .change:
        if let new = message.new {
          mirror[new.number] = new
        } else if let old = message.old {
          mirror[old.number] = nil
        }
        return message.sequence < last
      case .ready, .startOver, .groups, .other: break
      }
      return true
    }
    #expect(pages > 4)
    var listed: [Int64: WireAlarm] = [:]
    try client.stream(ListCall()) { page in
      for alarm in page.alarms { listed[alarm.number] = alarm }
      return true
    }
    #expect(mirror == listed)
    #expect(listed.count == 1_499)
  }
}
