extension TimeExpression {
  /// The moments it names, in the context it was read in: up to `count` elapses of a recurring time, or its
  /// single moment, which may be over.
  ///
  /// Throws `unreadable` when the zone of a recurring time is gone.
  public func moments(in context: ReadingContext, count: Int) throws(ExpressionError) -> [Instant] {
    guard case .recurring(let time) = reading else { return moment.map { [$0] } ?? [] }
    let zone = try zone(time.zoneName, in: context)
    var moments: [Instant] = []
    while moments.count < min(count, self.count ?? count),
      let next = time.next(after: moments.last ?? base(in: context), in: zone),
      next <= until ?? next
    {
      moments.append(next)
    }
    return moments
  }

  /// The zone it names; nil for the context's.
  public var zoneName: String? {
    switch reading {
    case .span, .instant: nil
    case .civil(_, let zone): zone
    case .recurring(let time): time.zoneName
    }
  }
}
