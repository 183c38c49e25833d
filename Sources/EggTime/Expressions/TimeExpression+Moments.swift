extension TimeExpression {
  /// What the expression names, seen from the context it was read in: of a recurring time the next elapses, at most
  /// `count` of them; of anything else its one moment, which may be over.
  ///
  /// Throws `unreadable` when the zone of a recurring time is gone.
  public func moments(in context: ReadingContext, count: Int) throws(ExpressionError) -> [Instant] {
    guard case .recurring(let time) = reading else { return moment.map { [$0] } ?? [] }
    let zone = try zone(time.zoneName, in: context)
    var moments: [Instant] = []
    while moments.count < count, let next = time.next(after: moments.last ?? context.base, in: zone) {
      moments.append(next)
    }
    return moments
  }

  /// The zone on whose clock it is read, where that is not the context's: the one it names.
  public var zoneName: String? {
    switch reading {
    case .span, .instant: nil
    case .civil(_, let zone): zone
    case .recurring(let time): time.zoneName
    }
  }
}
