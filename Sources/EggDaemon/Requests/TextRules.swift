import Alarms
import EggProtocol
import EggTime
import Varlink

/// What calls may say in texts and counts, as errors of the wire; ``LimitedText`` has the limits.
enum TextRules {
  /// nil where it is empty.
  static func label(_ text: String?) throws(CallFailure) -> String? { try optional(text, .label) }

  /// nil where it is empty.
  static func summary(_ text: String?) throws(CallFailure) -> String? { try optional(text, .summary) }

  /// nil where it is empty.
  static func body(_ text: String?) throws(CallFailure) -> String? { try optional(text, .body) }

  /// nil where it is empty.
  static func note(_ text: String?) throws(CallFailure) -> String? { try optional(text, .note) }

  /// How often a ring repeats itself; nil for 0.
  static func insist(_ span: TimeSpan?) throws(CallFailure) -> TimeSpan? {
    guard let span, span != .zero else { return nil }
    guard Limits.insist.contains(span) else { throw .invalidParameter("insist") }
    return span
  }

  /// A calendar's name or its mark.
  static func calendar(_ text: String, _ parameter: String) throws(CallFailure) -> String {
    guard (1...Limits.keyBytes).contains(text.utf8.count) else { throw .invalidParameter(parameter) }
    return text
  }

  /// An icon's name or path; nil where it is empty.
  static func icon(_ text: String?) throws(CallFailure) -> String? { try optional(text, .icon) }

  /// What is heard; nil where it is empty.
  static func sound(_ text: String?) throws(CallFailure) -> AlarmSound? {
    guard let text = try optional(text, .sound) else { return nil }
    guard let sound = AlarmSound(text) else { throw .invalidParameter("sound") }
    return sound
  }

  /// A command; nil where it is empty.
  static func run(_ text: String?) throws(CallFailure) -> AlarmCommand? {
    guard let text = try optional(text, .run) else { return nil }
    guard let command = AlarmCommand(text) else { throw .invalidParameter("run") }
    return command
  }

  /// A group's name, which is not empty.
  static func group(_ text: String) throws(CallFailure) -> String {
    guard !text.isEmpty else { throw .invalidParameter("name") }
    return try checked(text, .group)
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
    switch (field, field.problem(in: text)) {
    case (_, nil): return text
    case (.label, .characters(let count, let limit)):
      throw ScheduleError.labelTooLong(characters: Int64(count), limit: Int64(limit)).failure
    case (_, .characters(_, let limit)), (_, .bytes(let limit)):
      throw ScheduleError.invalidText(field: field.rawValue, limit: Int64(limit)).failure
    case (_, .control): throw ScheduleError.invalidText(field: field.rawValue, limit: nil).failure
    }
  }
}
