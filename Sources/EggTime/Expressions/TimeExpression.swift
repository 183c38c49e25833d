/// A text and its meaning, read once against a moment and a zone.
public struct TimeExpression: Sendable {
  /// As typed.
  public internal(set) var text = ""
  public internal(set) var kind = ExpressionKind.timestamp
  public let reading: ExpressionReading
  /// The moment it names in the context it was read in; may be in the past. For a recurring time, the first
  /// elapse after `now`; nil when there is none.
  public internal(set) var moment: Instant?
  /// How its zone's clock shows the civil time; nil for other readings.
  public internal(set) var resolution: CivilResolution?
  /// A day was typed without a time of day: it rings at ``ReadingContext/dayAt``, or names the first moment of that
  /// day where a class was asked for.
  public internal(set) var isDayAlone = false
  public internal(set) var hint: ExpressionHint?
  /// When a recurring time begins, as said by the text: `starting monday`.
  public internal(set) var from: Instant?
  /// Its last possible moment, as said by the text: `until friday`, that day included.
  public internal(set) var until: Instant?
  /// How often it elapses at most, as said by the text: `4 times`. At least 1.
  public internal(set) var count: Int?

  /// The canonical form: `6min 30s`, `2026-12-24T17:00:00Z`, `2026-12-24 18:00:00 Europe/Paris`, `Mon..Fri
  /// *-*-* 07:30:00`. Reads back in the same zone, as the same kind. An interval is read back by
  /// ``RecurringInterval``.
  public var canonical: String {
    switch reading {
    case .span(let span): return SpanText.canonical(span)
    case .instant(let instant): return instant.canonical
    case .civil(let civil, let zone):
      return zone.map { "\(civil) \($0)" } ?? "\(civil)"
    case .recurring(let time): return time.description
    }
  }

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
