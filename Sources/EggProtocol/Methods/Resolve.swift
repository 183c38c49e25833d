import Alarms
import EggTime

/// Asks how a time expression is read, and when it comes.
public struct ResolveCall: ScheduleMethod {
  public static let method = "Resolve"
  public typealias Reply = ResolveReply

  /// The time expression as entered.
  public var expression: String
  /// The class forced on the expression.
  public var kind: Timing.Kind?
  /// The caller's zone, an IANA name; the machine's if absent.
  public var zone: String?
  /// The moment that counts as now; the present if absent.
  public var base: Instant?
  /// How many moments of a recurring time are wanted, 1 to 1 000; five if absent.
  public var count: Int64?
  /// Where a recurring time is to begin; the base if absent.
  public var from: Instant?

  public init(
    expression: String, kind: Timing.Kind? = nil, zone: String? = nil, base: Instant? = nil,
    count: Int64? = nil, from: Instant? = nil
  ) {
    self.expression = expression
    self.kind = kind
    self.zone = zone
    self.base = base
    self.count = count
    self.from = from
  }
}

/// How a time expression is read.
public struct ResolveReply: Codable, Equatable, Sendable {
  /// Its class.
  @Open public var kind: ExpressionClass
  /// The length of a span.
  public var span: TimeSpan?
  /// What it names, seen from the base: the next elapses of a recurring time, else one moment, which may be over.
  public var occurrences: [Instant]
  /// A text of the same meaning in one form.
  public var canonical: String

  /// The classes of expressions, named as systemd-analyze(1) does.
  public enum ExpressionClass: String, WireEnum {
    case timespan
    case timestamp
    case calendar
    /// Of a later version.
    case other

    public static var unknown: Self? { .other }
  }

  /// What was read, and its moments.
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
