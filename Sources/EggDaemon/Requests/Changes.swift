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
    call.reply(
      WrittenAlarmsReply(
        alarms: text.elements, count: outcome.changed, missing: outcome.missing,
        missingIds: outcome.missingIDs, sequence: outcome.sequence))
  }

  /// ``AlarmsReply``, its alarms written already.
  private struct WrittenAlarmsReply: Encodable {
    let alarms: EncodedElements
    let count: Int64
    let missing: [Int64]
    let missingIds: [AlarmID]
    let sequence: Int64
  }

  /// `span` from now on this boot's clock.
  func end(of span: TimeSpan, _ readAt: ClockReading) -> DuePoint {
    let end = Instant(microseconds: readAt.boot) + span
    return DuePoint(clock: store.currentBoot, microseconds: end.microseconds)
  }
}
