import Alarms
import EggProtocol
import EggStore
import EggTime
import Ringing
import Varlink

extension RequestHandler {
  func show(_ call: ServerCall) throws(CallFailure) {
    let asked: ShowCall = try call.parameters()
    let which = try AlarmReference(number: asked.number, id: asked.id)
    let wallOf = wallClock()
    reads.take(for: call) { [self] done in
      store.alarm(which) { [self] result in
        queue.async { [self] in
          switch result {
          case .success(let found):
            call.reply(
              ShowReply(
                alarm: WireAlarm(found.alarm, wallOf: wallOf.callAsFunction),
                occurrences: found.occurrences.map(WireOccurrence.init), upcoming: upcoming(found.alarm)))
          case .failure(let error): call.fail(error.failure(for: which))
          }
          done()
        }
      }
    }
  }

  /// A recurring alarm's next moments; nil for alarms that do not recur or wait for nothing.
  private func upcoming(_ alarm: Alarm) -> [Instant]? {
    guard case .every(let time, let name, let floats) = alarm.timing, let due = alarm.due else { return nil }
    let local = machineZone()
    guard let zone = floats || name == local.identifier ? local : try? Zone.named(name) else { return nil }
    let recurrence = Recurrence(
      time: time, zone: zone, from: alarm.from, until: alarm.until, count: alarm.count)
    var moments = [Instant(microseconds: due.microseconds)]
    while moments.count < min(5, Int(clamping: alarm.count ?? 5)), let last = moments.last,
      let next = recurrence.next(after: last)
    {
      moments.append(next)
    }
    return moments
  }
}
