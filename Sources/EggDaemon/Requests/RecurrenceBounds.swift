import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// What a call says of a recurring alarm besides its expression.
extension RequestHandler {
  /// Where a recurring alarm begins, within what a moment can be.
  func beginning(_ from: Instant?) throws(CallFailure) -> Instant? {
    if let from, from.microseconds < 0 || from > .latest { throw .invalidParameter("from") }
    return from
  }

  /// What ends a recurring alarm; only that has a beginning and an end, and only one with an elapse before it.
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
