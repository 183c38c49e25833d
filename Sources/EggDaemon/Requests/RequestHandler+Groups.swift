import EggTime
import Alarms
import EggProtocol
import EggStore
import Varlink

extension RequestHandler {
  func createGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: CreateGroupCall = try call.parameters()
    let group = Group(
      name: try TextRules.group(asked.name), color: asked.color, icon: try TextRules.icon(asked.icon))
    submit(CreateGroupChange(group), readAt, for: call, answer: answerGroup)
  }

  func editGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: EditGroupCall = try call.parameters()
    guard asked != EditGroupCall(name: asked.name) else {
      throw ScheduleError.missingParameter(oneOf: ["newName", "color", "plain", "icon"]).failure
    }
    var edit = GroupEdit()
    if let name = asked.newName { edit.name = try TextRules.group(name) }
    if let icon = asked.icon { edit.icon = .some(try TextRules.icon(icon)) }
    if asked.plain == true {
      guard asked.color == nil else { throw .invalidParameter("plain") }
      edit.color = .some(nil)
    } else if let color = asked.color {
      edit.color = .some(color)
    }
    submit(EditGroupChange(name: asked.name, edit), readAt, for: call, answer: answerGroup)
  }

  func deleteGroup(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteGroupCall = try call.parameters()
    let change = DeleteGroupChange(name: asked.name, withAlarms: asked.alarms == .delete)
    submit(change, readAt, for: call) { outcome, call in
      call.reply(
        DeleteGroupReply(count: Int64(outcome.deleted.count), rang: outcome.rang, sequence: outcome.sequence))
    }
  }

  func listGroups(_ call: ServerCall) throws(CallFailure) {
    let asked: ListGroupsCall = try call.parameters()
    reads.take(for: call) { [store, queue] done in
      store.groups(named: asked.name) { result in
        queue.async {
          switch result {
          case .success(let groups): call.reply(ListGroupsReply(groups: groups.map(WireGroup.init)))
          case .failure(let error): call.fail(error.failure(for: nil))
          }
          done()
        }
      }
    }
  }

  private func answerGroup(_ outcome: ChangeOutcome, _ call: ServerCall) {
    guard let group = outcome.group else {
      call.fail(ScheduleError.storeUnavailable(reason: "the group cannot be read").failure)
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
