import Gettext

/// Why a recurrence rule is refused.
public enum RuleProblem: Error, Hashable, Sendable {
  case noFrequency
  /// The part that cannot be read.
  case unreadable(String)
  case unknownPart(String)
  case countAndUntil
  /// RFC 5545 does not allow the part with this FREQ.
  case notAllowed(part: String, with: RecurrenceRule.Frequency)
  /// Numbers in BYDAY, with this FREQ or with BYWEEKNO.
  case numberedDays(with: String)
  /// COUNT is greater than what is counted.
  case longCount(limit: Int)
  case noStart
  case never
  case tooLong

  /// One sentence in lower case.
  public func words(in wording: Wording) -> String {
    switch self {
    case .noFrequency: wording("its RRULE has no FREQ")
    case .unreadable(let part): wording("its RRULE is not understood at '\(part)'")
    case .unknownPart(let part): wording("its RRULE has the unknown part '\(part)'")
    case .countAndUntil: wording("its RRULE has both COUNT and UNTIL")
    case .notAllowed(let part, let frequency): wording("\(frequency.text) does not allow \(part)")
    case .numberedDays(let other): wording("\(other) does not allow numbers in BYDAY")
    case .longCount(let limit): wording("COUNT is above \(limit): use UNTIL instead")
    case .noStart: wording("it has no DTSTART, so nothing says when to ring")
    case .never: wording("its rule never occurs")
    case .tooLong: wording("its RRULE is too long")
    }
  }
}
