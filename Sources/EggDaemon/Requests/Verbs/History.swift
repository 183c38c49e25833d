import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func history(_ call: ServerCall) throws(CallFailure) {
    let asked: HistoryCall = try call.parameters()
    let which: AlarmReference? =
      asked.number == nil && asked.id == nil
      ? nil : try AlarmReference(number: asked.number, id: asked.id)
    let limit = try Self.limit(asked.limit)
    reads.take(for: call) { [store, queue] done in
      store.history(of: which, before: asked.before, limit: limit) { result in
        queue.async {
          switch result {
          case .success(let page):
            let past = page.past.map {
              Past(
                number: $0.number, label: $0.label, occurrence: WireOccurrence($0.occurrence),
                deletedAt: $0.deletedAt)
            }
            call.reply(HistoryReply(past: past, before: page.before))
          case .failure(let error): call.fail(error.failure(for: which))
          }
          done()
        }
      }
    }
  }
}
