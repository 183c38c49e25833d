import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

struct GroupVerbs: Sendable {
  let changes: Changes
  let reads: ReadTurns

  func create(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: CreateGroupCall = try call.parameters()
    let group = Group(
      name: try TextRules.name(asked.name, .group), color: asked.color, icon: try TextRules.icon(asked.icon))
    changes.submit(CreateGroupChange(group), readAt, for: call, answer: answer)
  }

  func edit(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: EditGroupCall = try call.parameters()
    guard asked != EditGroupCall(name: asked.name) else {
      throw ScheduleError.missingParameter(oneOf: ["newName", "color", "plain", "icon"]).failure
    }
    var edit = GroupEdit()
    if let name = asked.newName { edit.name = try TextRules.name(name, .group) }
    if let icon = asked.icon { edit.icon = .some(try TextRules.icon(icon)) }
    if asked.plain == true {
      guard asked.color == nil else { throw .invalidParameter("plain") }
      edit.color = .some(nil)
    } else if let color = asked.color {
      edit.color = .some(color)
    }
    changes.submit(EditGroupChange(name: asked.name, edit), readAt, for: call, answer: answer)
  }

  func delete(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteGroupCall = try call.parameters()
    let change = DeleteGroupChange(name: asked.name, withAlarms: asked.alarms == .delete)
    changes.submit(change, readAt, for: call) { outcome, call in
      call.reply(
        DeleteGroupReply(
          count: max(outcome.changed, Int64(outcome.deleted.count)), rang: outcome.rang,
          sequence: outcome.sequence))
    }
  }

  func list(_ call: ServerCall) throws(CallFailure) {
    let asked: ListGroupsCall = try call.parameters()
    reads.answer(call, { try $0.groups(named: asked.name) }) { groups in
      call.reply(ListGroupsReply(groups: groups.map(WireGroup.init)))
    }
  }

  private func answer(_ outcome: ChangeOutcome, _ call: ServerCall) {
    guard let group = outcome.group else {
      call.fail(ScheduleError.storeUnavailable(reason: translatable("the group cannot be read")).failure)
      return
    }
    call.reply(GroupReply(group: WireGroup(group), sequence: outcome.sequence))
  }
}

extension WireGroup {
  init(_ sums: GroupSums) {
    self.init(
      name: sums.group.name, color: sums.group.color, icon: sums.group.icon, alarms: sums.alarms,
      done: sums.done, eggs: sums.eggs, next: sums.next)
  }
}
