import Alarms
import EggProtocol
import EggTestSupport
import Testing

@Suite("A connection that may give no alarm a command")
struct ForbidCommandsTests {
  let rig: WireRig
  /// May do all.
  let owner: ScheduleClient
  /// May give no alarm a command.
  let bound: ScheduleClient

  init() throws {
    rig = try WireRig()
    owner = try rig.connect()
    bound = try rig.connect()
    _ = try bound.call(ForbidCommandsCall())
    _ = try owner.call(ScheduleCall(expression: "1h", label: "one", manner: Manner(run: "/bin/true")))
    _ = try owner.call(ScheduleCall(expression: "1h", label: "two"))
  }

  private func command(of number: Int64) throws -> String? {
    try owner.call(ShowCall(number: number)).alarm.run
  }

  private func edit(_ number: Int64, run: String) -> EditCall {
    var call = EditCall(WireSelection(numbers: [number]))
    call.run = run
    return call
  }

  @Test("sets none, neither on a new alarm nor on an old one")
  func sets() throws {
    let refused = refusal {
      try bound.call(ScheduleCall(expression: "1h", manner: Manner(run: "/bin/false")))
    }
    #expect(refused == .commandForbidden)
    #expect(refusal { try bound.call(edit(2, run: "/bin/false")) } == .commandForbidden)
    #expect(refusal { try bound.call(edit(1, run: "/bin/false")) } == .commandForbidden)
    #expect(try owner.call(ListCall()).alarms.map(\.run) == ["/bin/true", nil])
  }

  @Test("repeats no alarm that has one")
  func repeats() throws {
    #expect(refusal { try bound.call(AgainCall(number: 1)) } == .commandForbidden)
    #expect(try bound.call(AgainCall(number: 2)).alarm.number == 3)
  }

  @Test("brings none back by undo: not that of a deleted alarm, of a changed one, or of one that was removed")
  func undoes() throws {
    for change in [edit(1, run: ""), edit(1, run: "/bin/false")] {
      _ = try owner.call(change)
      #expect(refusal { try bound.call(UndoCall()) } == .commandForbidden)
      _ = try owner.call(UndoCall())
    }
    _ = try bound.call(DeleteCall(WireSelection(all: true)))
    #expect(try bound.call(UndoCall(preview: true)).change == .delete)
    #expect(refusal { try bound.call(UndoCall()) } == .commandForbidden)
    #expect(try owner.call(ListCall()).alarms.isEmpty)
    _ = try owner.call(UndoCall())
    #expect(try command(of: 1) == "/bin/true")
  }

  @Test("brings none back by redo")
  func redoes() throws {
    _ = try owner.call(edit(2, run: "/bin/false"))
    _ = try owner.call(UndoCall())
    #expect(refusal { try bound.call(RedoCall()) } == .commandForbidden)
    #expect(try command(of: 2) == nil)
    _ = try owner.call(RedoCall())
    #expect(try command(of: 2) == "/bin/false")
  }

  @Test("does all else, also with alarms that have one, and takes one away")
  func allows() throws {
    var call = EditCall(WireSelection(numbers: [1]))
    call.label = "uno"
    _ = try bound.call(call)
    #expect(try bound.call(UndoCall()).change == .edit)
    #expect(try bound.call(RedoCall()).change == .edit)
    #expect(try command(of: 1) == "/bin/true")
    _ = try bound.call(edit(1, run: ""))
    #expect(try command(of: 1) == nil)
    _ = try bound.call(DeleteCall(WireSelection(numbers: [2])))
    #expect(try bound.call(UndoCall()).numbers == [2])
  }

  @Test("stays so, and no other connection is concerned, not even one that comes after its end")
  func lasts() throws {
    _ = try bound.call(ForbidCommandsCall())
    #expect(refusal { try bound.call(AgainCall(number: 1)) } == .commandForbidden)
    bound.connection.close()
    #expect(try rig.connect().call(AgainCall(number: 1)).alarm.run == "/bin/true")
  }
}
