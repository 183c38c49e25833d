import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
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
}

extension WireGroup {
  init(_ sums: GroupSums) {
    self.init(
      name: sums.group.name, color: sums.group.color, icon: sums.group.icon, alarms: sums.alarms,
      done: sums.done, eggs: sums.eggs, next: sums.next)
  }
}
