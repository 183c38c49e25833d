import Alarms
import EggTime

/// Asks how a time expression is read, and which moments it names.
public struct ResolveCall: ScheduleMethod {
  public static let method = "Resolve"
  public typealias Reply = ResolveReply

  /// The time expression as entered.
  public var expression: String
  /// Reads the expression as this kind only.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name; the machine's if absent.
  public var zone: String?
  /// The moment taken as now; the present if absent.
  public var base: Instant?
  /// How many moments of a recurring time to return, 1 to 1 000; 5 if absent.
  public var count: Int64?
  /// Where a recurring time begins; the base if absent.
  public var from: Instant?
}

public struct ResolveReply: Codable, Equatable, Sendable {
  public var kind: ExpressionClass
  /// The length of a span.
  public var span: TimeSpan?
  /// The moments as seen from the base: the next ones of a recurring time, else a single one, which may be
  /// past.
  public var occurrences: [Instant]
  public var canonical: String

  /// Named as in systemd-analyze(1).
  public enum ExpressionClass: String, OpenEnum {
    case timespan
    case timestamp
    case calendar
    /// A class added by a later version.
    case other
  }

  public init(_ expression: TimeExpression, _ moments: [Instant]) {
    switch expression.kind {
    case .span: kind = .timespan
    case .timestamp: kind = .timestamp
    case .calendar: kind = .calendar
    }
    if expression.kind == .span, case .span(let length) = expression.reading { span = length }
    occurrences = moments
    canonical = expression.canonical
  }
}
