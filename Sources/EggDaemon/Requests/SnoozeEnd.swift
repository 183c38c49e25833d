import Alarms
import EggProtocol
import EggStore
import EggTime
import Ringing
import Varlink

struct SnoozeEnd: Sendable {
  var due: DuePoint
  /// nil for a span.
  var timing: Timing?

  func left(from now: ClockReading) -> TimeSpan {
    Instant(microseconds: due.microseconds)
      - (due.clock == .wall ? now.wall : Instant(microseconds: now.boot))
  }
}

extension TimingReader {
  /// From now on this boot's clock.
  func end(after span: TimeSpan) -> SnoozeEnd {
    let end = Instant(microseconds: readAt.boot) + span
    return SnoozeEnd(due: DuePoint(clock: boot, microseconds: end.microseconds))
  }

  /// - Parameter zone: Of a text; nil for the machine's.
  func end(of length: SnoozeLength, zone: String? = nil) throws(CallFailure) -> SnoozeEnd {
    switch length {
    case .span(let span):
      guard SnoozeCall.spans.contains(span) else { throw .invalidParameter("span") }
      return end(after: span)
    case .until(let text):
      let moment = try read(text, kind: nil, zone: zone)
      guard moment.timing.kind != .every else {
        throw ExpressionError.unreadable(offset: 0, reason: .momentWanted, readings: []).failure(of: text)
      }
      let end = SnoozeEnd(due: moment.due, timing: moment.timing)
      guard end.left(from: readAt) <= SnoozeCall.spans.upperBound else { throw .invalidParameter("until") }
      return end
    }
  }
}
