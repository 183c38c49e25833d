import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func snooze(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: SnoozeCall = try call.parameters()
    let selection = try asked.selected()
    let span = asked.span ?? configuration.settings.snooze
    guard SnoozeCall.spans.contains(span) else { throw .invalidParameter("span") }
    submit(SnoozeChange(selection, until: end(of: span, readAt)), readAt, for: call, answer: answer)
  }

  /// `span` from now on this boot's clock.
  func end(of span: TimeSpan, _ readAt: ClockReading) -> DuePoint {
    let end = Instant(microseconds: readAt.boot) + span
    return DuePoint(clock: store.currentBoot, microseconds: end.microseconds)
  }
}
