import Alarms
import Dispatch
import EggProtocol
import EggStore
import EggTime
import LinuxIO
import Varlink

/// Makes the changes of calls; answers once they are committed, on the wire's queue.
struct Changes: Sendable {
  let queue: DispatchQueue
  let store: AlarmStore
  let clock: any Clock & DelayedCalls
  let clients: Clients

  func submit(
    _ change: any Change, _ readAt: ClockReading, for call: ServerCall,
    answer: @escaping @Sendable (ChangeOutcome, ServerCall) -> Void
  ) {
    let request = ChangeRequest(
      change, readAt: readAt, client: clients.program(of: call), processID: call.peer.pid)
    store.submit(request) { [queue] result in
      queue.async {
        switch result {
        case .success(let outcome): answer(outcome, call)
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  /// Answers with as many alarms as fit a message: a change of all may have changed more.
  func answer(_ outcome: ChangeOutcome, _ call: ServerCall) {
    let text = PageWriter(wallOf: WallClock(now: clock.read()), bytes: 768 << 10)
    for alarm in outcome.alarms where !text.add(alarm) { break }
    var json = JSONWriter()
    json.object { json in
      json.name("alarms")
      json.array { $0.elements(text.elements) }
      json.member("count", outcome.changed)
      json.name("missing")
      json.array { json in for number in outcome.missing { json.value(number) } }
      json.name("missingIds")
      json.array { json in for id in outcome.missingIDs { json.value(id.description) } }
      json.member("sequence", outcome.sequence)
    }
    call.reply(json: json.bytes)
  }

  /// `span` from now on this boot's clock.
  func end(of span: TimeSpan, _ readAt: ClockReading) -> DuePoint {
    let end = Instant(microseconds: readAt.boot) + span
    return DuePoint(clock: store.currentBoot, microseconds: end.microseconds)
  }
}
