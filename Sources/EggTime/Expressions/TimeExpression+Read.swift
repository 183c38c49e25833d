extension TimeExpression {
  /// Reads a text, as TIME.md has it. With a kind the text must be of that class, as after `in`, `at` or `every`.
  ///
  /// What it names may be over: ``instant(in:)`` refuses that.
  public static func read(
    _ text: String, in context: ReadingContext, as kind: ExpressionKind? = nil
  ) throws(ExpressionError) -> TimeExpression {
    throw .unreadable(offset: 0, reason: .unexpected, nearest: nil)
  }

  /// Whether the same text, read at some later time, could name a moment that is then still to come. False only
  /// for what names one fixed moment (a full date, `@`) or never one ahead (`ago`, `yesterday`); true for what
  /// cannot be read. Reads no file.
  public static func canLieAhead(_ text: String) -> Bool {
    true
  }

  /// The moment it rings when it is scheduled at the context's `now`. A span counts from that; a civil time is
  /// resolved on its zone's clock as that stands now.
  ///
  /// Throws `inThePast` when that is not after `now` (a span is never in the past), `unreadable` when the named
  /// zone is gone.
  public func instant(in context: ReadingContext) throws(ExpressionError) -> Instant {
    let due: Instant
    switch reading {
    case .span(let span): return context.now + span
    case .instant(let instant): due = instant
    case .civil(let civil, let name):
      do throws(ZoneError) {
        let zone = if let name { try context.loadZone(name) } else { context.zone }
        due = zone.resolve(civil).instant
      } catch {
        throw .unreadable(offset: 0, reason: .unusableZone, nearest: nil)
      }
    }
    guard due > context.now else { throw .inThePast(due) }
    return due
  }
}
