import ArgumentParser
import EggTime

/// A command as it was typed, for hints: another time and label may stand in the place of its own, and all its options
/// stay.
struct TypedCommand: ExpressibleByStringLiteral {
  /// What comes before the time: `eggctl schedule`.
  private let start: String
  /// The words as typed, and the verb whose options are among them.
  private let typed: (words: [String], verb: any ParsableCommand.Type)?
  /// What a sentence says beside its time, as options.
  private var said: [[String]] = []

  init(stringLiteral start: String) { (self.start, typed) = (start, nil) }

  init(_ start: String, _ words: some Sequence<String>, of verb: any ParsableCommand.Type) {
    (self.start, typed) = (start, (Array(words), verb))
  }

  /// With the phrases as options.
  func saying(_ moments: MomentWords) -> TypedCommand {
    var command = self
    command.said +=
      moments.leads.map { ["--before", $0.description] } + moments.except.map { ["--except", $0] }
      + moments.onlyOn.map { ["--only-on", $0] }
    return command
  }

  /// The options, each with its value. Found only for a hint, as ArgumentParser takes a millisecond to list them.
  private var options: [[String]] {
    guard let typed, let arguments = try? VerbArguments(of: typed.verb) else { return said }
    return arguments.sorted(typed.words).options.map(\.words) + said
  }

  func has(_ option: String) -> Bool { options.contains { $0[0].prefix { $0 != "=" } == option } }

  /// The command with that time and label. A label that is given as an option stays.
  ///
  /// - Parameter kindIsOther: Whether the time is of another kind than the command says.
  func with(_ time: String, label: String? = nil, kindIsOther: Bool = false) -> String {
    let options = options.filter { !kindIsOther || !Self.kinds.contains($0[0]) }
    let label = has("--label") ? nil : label.map { " " + Self.option("--label", $0) }
    return "\(start) \(time)\(label ?? "")\(Self.text(options))"
  }

  /// The command with the label as a note.
  func with(_ time: String, note: String) -> String {
    "\(start) \(time) \(Self.option("--note", note))\(Self.text(options))"
  }

  private static let kinds = ["--in", "--at", "--every"]

  /// The options that the other verb takes too.
  func options(of other: any ParsableCommand.Type) -> String {
    guard let arguments = try? VerbArguments(of: other) else { return "" }
    return Self.text(
      options.filter {
        !Self.kinds.contains($0[0]) && arguments.option($0[0].prefix { $0 != "=" }) != nil
      })
  }

  private static func text(_ options: [[String]]) -> String {
    options.joined().map { " " + $0.shellQuoted }.joined()
  }

  /// A value that begins with a hyphen must follow `=`.
  private static func option(_ name: String, _ value: String) -> String {
    name + (value.unicodeScalars.first == "-" ? "=" : " ") + value.shellQuoted
  }
}
