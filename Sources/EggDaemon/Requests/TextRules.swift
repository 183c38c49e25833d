import Alarms
import EggProtocol
import Varlink

/// Limits of texts and counts in calls. Bytes are counted first, because that is cheap: one character can
/// have a megabyte.
enum TextRules {
  /// nil if empty.
  static func label(_ text: String?) throws(CallFailure) -> String? {
    guard let text, !text.isEmpty else { return nil }
    try require(text, bytes: Limits.labelBytes, field: "label")
    try refuseControls(in: text, field: "label")
    let characters = text.count
    guard characters <= Limits.labelCharacters else {
      throw ScheduleError.labelTooLong(
        characters: Int64(characters), limit: Int64(Limits.labelCharacters)
      ).failure
    }
    return text
  }

  /// One line; nil if empty.
  static func summary(_ text: String?) throws(CallFailure) -> String? {
    guard let text, !text.isEmpty else { return nil }
    try require(text, bytes: Limits.summaryBytes, field: "summary")
    try refuseControls(in: text, field: "summary")
    try require(text, characters: Limits.summaryCharacters, field: "summary")
    return text
  }

  /// One or more lines; nil if empty.
  static func body(_ text: String?) throws(CallFailure) -> String? {
    guard let text, !text.isEmpty else { return nil }
    try require(text, bytes: Limits.bodyBytes, field: "body")
    try refuseControls(in: text, field: "body", butNewline: true)
    try require(text, characters: Limits.bodyCharacters, field: "body")
    return text
  }

  /// A name or path; nil if empty.
  static func icon(_ text: String?) throws(CallFailure) -> String? {
    guard let text, !text.isEmpty else { return nil }
    try require(text, bytes: Limits.iconBytes, field: "icon")
    try refuseControls(in: text, field: "icon")
    return text
  }

  /// Not empty.
  static func group(_ text: String) throws(CallFailure) -> String {
    guard !text.isEmpty else { throw .invalidParameter("name") }
    try require(text, bytes: Limits.keyBytes, field: "group")
    try refuseControls(in: text, field: "group")
    return text
  }

  /// Not empty.
  static func key(_ text: String?) throws(CallFailure) -> String? {
    guard let text else { return nil }
    guard !text.isEmpty else { throw .invalidParameter("key") }
    try require(text, bytes: Limits.keyBytes, field: "key")
    try refuseControls(in: text, field: "key")
    return text
  }

  /// Checked before parsing.
  static func expression(_ text: String) throws(CallFailure) -> String {
    try require(text, bytes: Limits.keyBytes, field: "expression")
    try refuseControls(in: text, field: "expression")
    return text
  }

  static func eggs(_ count: Int64?) throws(CallFailure) -> Int64? {
    guard let count else { return nil }
    guard Limits.eggs.contains(count) else { throw .invalidParameter("eggs") }
    return count
  }

  private static func require(_ text: String, characters limit: Int, field: String) throws(CallFailure) {
    guard text.count <= limit else {
      throw ScheduleError.invalidText(field: field, limit: Int64(limit)).failure
    }
  }

  private static func require(_ text: String, bytes limit: Int, field: String) throws(CallFailure) {
    guard text.utf8.count <= limit else {
      throw ScheduleError.invalidText(field: field, limit: Int64(limit)).failure
    }
  }

  private static func refuseControls(
    in text: String, field: String, butNewline: Bool = false
  ) throws(CallFailure) {
    let hasControl = text.unicodeScalars.contains {
      // Most texts are ASCII, which needs no Unicode tables.
      let isControl = $0.value < 0x7F ? $0.value < 0x20 : $0.properties.generalCategory == .control
      return isControl && !(butNewline && $0 == "\n")
    }
    if hasControl { throw ScheduleError.invalidText(field: field, limit: nil).failure }
  }
}
