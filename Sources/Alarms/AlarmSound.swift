/// What is heard when an alarm rings. As text, on the wire and in the database: `none`, the name of a sound, or a path.
public enum AlarmSound: Hashable, Sendable {
  /// `none`.
  case silence
  /// A sound of the freedesktop sound theme, by its name.
  case named(String)
  /// An audio file, by its absolute path.
  case file(String)

  /// The sound of alarms without one of their own, unless eggd is told otherwise.
  public static let usual = AlarmSound.named("alarm-clock-elapsed")

  /// nil for what is neither `none`, a name of letters, digits and hyphens, nor an absolute path.
  public init?(_ text: String) {
    guard LimitedText.sound.problem(in: text) == nil else { return nil }
    if text == "none" {
      self = .silence
    } else if text.hasPrefix("/") {
      self = .file(text)
    } else if Self.isName(text) {
      self = .named(text)
    } else {
      return nil
    }
  }

  public var text: String {
    switch self {
    case .silence: "none"
    case .named(let text), .file(let text): text
    }
  }

  /// Sound Naming Specification: names have no other characters.
  private static func isName(_ text: String) -> Bool {
    !text.isEmpty && !text.hasPrefix("-")
      && text.unicodeScalars.allSatisfy { scalar in
        ["a"..."z", "A"..."Z", "0"..."9", "-"..."-"].contains { $0.contains(scalar) }
      }
  }
}
