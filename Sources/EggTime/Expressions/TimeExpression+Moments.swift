extension TimeExpression {
  /// What the expression names, seen from the context it was read in: of a calendar event the next elapses, at most
  /// `count` of them; of anything else its one moment, which may be over.
  ///
  /// Throws `unreadable` when the zone of a calendar event is gone.
  public func moments(in context: ReadingContext, count: Int) throws(ExpressionError) -> [Instant] {
    guard case .calendar(let event) = reading else { return moment.map { [$0] } ?? [] }
    let zone = try zone(event.zoneName, in: context)
    var moments: [Instant] = []
    while moments.count < count, let next = event.next(after: moments.last ?? context.now, in: zone) {
      moments.append(next)
    }
    return moments
  }

  /// The zone on whose clock it is read, where that is not the context's: the one it names.
  public var zoneName: String? {
    switch reading {
    case .span, .instant: nil
    case .civil(_, let zone): zone
    case .calendar(let event): event.zoneName
    }
  }
}
