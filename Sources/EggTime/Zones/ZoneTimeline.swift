/// RFC 9636 §3.2, a local time type record.
struct LocalTimeType: Hashable, Sendable {
  /// Seconds east of UTC, at most 26 h either way.
  var offset: Int
  /// Letters, digits, `+` and `-`.
  var abbreviation: String
}

/// A stretch of time with the same local time.
struct ZonePeriod {
  /// Inclusive, in seconds since the epoch. `Int64.min` for the first.
  var start: Int64
  /// Exclusive, always after the moment asked for. `Int64.max` for the last.
  var end: Int64
  var type: LocalTimeType
}

/// A zone's local time over all time: ascending transitions, then a rule for the time after the last.
struct ZoneTimeline: Sendable {
  /// Seconds since the epoch, strictly ascending.
  var transitions: [Int64] = []
  /// Each begins at the transition of the same index.
  var types: [LocalTimeType] = []
  /// Before the first transition.
  var initial: LocalTimeType
  /// Applies after the last transition, or always without one; nil when the last type lasts forever.
  var rule: PosixRule?

  static func fixed(offset: Int, abbreviation: String) -> ZoneTimeline {
    ZoneTimeline(initial: LocalTimeType(offset: offset, abbreviation: abbreviation))
  }

  /// `seconds` are since the epoch. Adjacent periods may be alike.
  func period(at seconds: Int64) -> ZonePeriod {
    let last = transitions.lastIndex { $0 <= seconds }
    let next = last.map { $0 + 1 } ?? 0
    let start = last.map { transitions[$0] } ?? .min
    if next == transitions.count, let rule {
      var period = rule.period(at: seconds)
      period.start = max(period.start, start)
      return period
    }
    return ZonePeriod(
      start: start, end: next < transitions.count ? transitions[next] : .max,
      type: last.map { types[$0] } ?? initial)
  }
}
