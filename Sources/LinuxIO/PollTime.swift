extension ContinuousClock.Instant {
  /// How long from now, for poll(2): in ms, rounded up; a day at most, and 0 when it has passed.
  package var pollTime: Int32 {
    let (seconds, attoseconds) = min(ContinuousClock.now.duration(to: self), .seconds(86_400)).components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    return Int32(seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
  }
}
