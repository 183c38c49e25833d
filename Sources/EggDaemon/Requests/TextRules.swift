import Alarms
import EggProtocol
import EggTime
import Varlink

/// What calls may say in texts and counts, as errors of the wire; ``LimitedText`` has the limits.
enum TextRules {
  /// nil where it is empty.
  static func label(_ text: String?) throws(CallFailure) -> String? { try optional(text, .label) }

  static func manner(_ asked: Manner, over other: Manner = Manner()) throws(CallFailure) -> Manner {
    do throws(Manner.Fault) {
      return try asked.checked(over: other)
    } catch {
      throw error.problem.map { failure($0, of: error.field) } ?? .invalidParameter(error.field)
    }
  }

  /// A calendar's name or its mark.
  static func calendar(_ text: String, _ parameter: String) throws(CallFailure) -> String {
    guard (1...Limits.keyBytes).contains(text.utf8.count) else { throw .invalidParameter(parameter) }
    return text
  }

  /// An icon's name or path; nil where it is empty.
  static func icon(_ text: String?) throws(CallFailure) -> String? { try optional(text, .icon) }

  /// A name of a group or of days off, which is not empty.
  static func name(_ text: String, _ field: LimitedText) throws(CallFailure) -> String {
    guard !text.isEmpty else { throw .invalidParameter("name") }
    return try checked(text, field)
  }

  /// Names of days off of one alarm.
  static func daysOff(_ names: [String], _ parameter: String) throws(CallFailure) -> [String] {
    guard names.count <= Limits.namedDaysOff else { throw .invalidParameter(parameter) }
    for name in names { _ = try self.name(name, .daysOff) }
    return names.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Ascending; empty for the moment alone.
  ///
  /// - Parameter fromCalendar: They may be below zero.
  static func leads(_ leads: [Lead], fromCalendar: Bool = false) throws(CallFailure) -> [Lead] {
    let leads = Set(leads).sorted()
    guard leads.filter({ $0 != .zero }).count <= Limits.leads, fromCalendar || leads.first ?? .zero >= .zero
    else { throw .invalidParameter("leads") }
    return leads == [.zero] ? [] : leads
  }

  /// An idempotency key, which is not empty.
  static func key(_ text: String?) throws(CallFailure) -> String? {
    guard let text else { return nil }
    guard !text.isEmpty else { throw .invalidParameter("key") }
    return try checked(text, .key)
  }

  /// A time expression, before it is read.
  static func expression(_ text: String) throws(CallFailure) -> String { try checked(text, .expression) }

  static func eggs(_ count: Int64?) throws(CallFailure) -> Int64? {
    guard let count else { return nil }
    guard Limits.eggs.contains(count) else { throw .invalidParameter("eggs") }
    return count
  }

  private static func optional(_ text: String?, _ field: LimitedText) throws(CallFailure) -> String? {
    guard let text, !text.isEmpty else { return nil }
    return try checked(text, field)
  }

  private static func checked(_ text: String, _ field: LimitedText) throws(CallFailure) -> String {
    if let problem = field.problem(in: text) { throw failure(problem, of: field.rawValue) }
    return text
  }

  private static func failure(_ problem: TextProblem, of field: String) -> CallFailure {
    switch (field, problem) {
    case (LimitedText.label.rawValue, .characters(let count, let limit)):
      ScheduleError.labelTooLong(characters: Int64(count), limit: Int64(limit)).failure
    case (_, .characters(_, let limit)), (_, .bytes(let limit)):
      ScheduleError.invalidText(field: field, limit: Int64(limit)).failure
    case (_, .control): ScheduleError.invalidText(field: field, limit: nil).failure
    }
  }
}
