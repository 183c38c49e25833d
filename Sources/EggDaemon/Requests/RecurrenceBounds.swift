import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// A call's bounds of a recurring alarm.
extension RequestHandler {
  /// The beginning, checked against the range of moments.
  func beginning(_ from: Instant?) throws(CallFailure) -> Instant? {
    if let from, from.microseconds < 0 || from > .latest { throw .invalidParameter("from") }
    return from
  }

  /// Refuses bounds for what does not recur, and bounds that allow no elapse.
  func bounds(
    from: Instant?, until: Instant?, count: Int64?, of timing: AlarmEdit.NewTiming?
  ) throws(CallFailure) -> (until: Instant?, count: Int64?) {
    guard from != nil || until != nil || count != nil else { return (nil, nil) }
    guard let timing, timing.timing.kind == .every else {
      throw .invalidParameter(from != nil ? "from" : until != nil ? "until" : "count")
    }
    if let count, count < 1 { throw .invalidParameter("count") }
    if let until, until.microseconds < timing.due.microseconds {
      throw ScheduleError.inThePast(expression: timing.expression, due: until).failure
    }
    return (until, count)
  }
}
