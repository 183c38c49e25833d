import Alarms
import ArgumentParser
import EggProtocol
import EggTime

extension Category: ExpressibleByArgument {}

/// What can be said of an alarm besides its time; for `schedule` and `edit`.
struct AlarmOptions: ParsableArguments {
  @Option(help: "Your own words, at most \(Limits.labelCharacters) characters.")
  var label: String?

  // Unconditional, so that -1 is a number that is too small and no option.
  @Option(parsing: .unconditional, help: "How many eggs.")
  var eggs: Int64?

  @Option(help: "How the eggs are to be: soft, medium, hard or other.")
  var category: Category?

  @Option(help: ArgumentHelp("The group it goes to; eggctl group lists them.", valueName: "name"))
  var group: String?

  @Option(help: "The notification's summary in place of 'Wait!'.")
  var title: String?

  @Option(help: "The notification's body in place of 'Your eggs are almost done!'.")
  var body: String?

  @Option(
    help: ArgumentHelp(
      "What is heard: a name of the sound theme, a file, none or default.", valueName: "name|file|none"),
    completion: .file())
  var sound: String?

  @Option(help: "More of your own words, at most \(Limits.noteCharacters) characters.")
  var note: String?

  @Option(
    defaultAsFlag: "1m",
    help: ArgumentHelp(
      "Repeat bubble and sound each 1m, or each SPAN, until it is answered, for an hour at most; or off.",
      valueName: "span|off"))
  var insist: String?

  /// How often a ring repeats itself, 0 for never; nil where nothing was said.
  func insistSpan(in surroundings: Surroundings) throws -> TimeSpan? {
    guard let insist else { return nil }
    if insist == "off" { return .zero }
    let span = try surroundings.span(reading: insist)
    guard Limits.insist.contains(span) else {
      throw Failure(.usage, "--insist takes 10 seconds to an hour, or off", hint: "--insist 2m")
    }
    return span
  }

  /// Throws where a value is beyond what an alarm may hold; labels are ``checkedLabel(_:in:)``'s.
  func check() throws {
    if let eggs, !Limits.eggs.contains(eggs) {
      throw Failure(
        .usage,
        eggs < 1
          ? "the number of eggs must be at least 1"
          : "the number of eggs must be at most \(Limits.eggs.upperBound)")
    }
    try Self.check(title, .summary)
    try Self.check(body, .body)
    try Self.check(note, .note)
  }

  private static func check(_ text: String?, _ field: LimitedText) throws {
    if let text, let failure = Failure(field, text) { throw failure }
  }

  /// A label that eggd will take; on a terminal one that it would not is asked for again.
  static func checkedLabel(_ label: String?, in surroundings: Surroundings) throws -> String? {
    guard var label else { return nil }
    while let failure = failure(ofLabel: label) {
      guard let ask = surroundings.ask else { throw failure }
      try surroundings.output.report(failure)
      guard let answer = ask("label: ") else { throw Failure(.interrupted, "no label was given") }
      label = answer
    }
    return label
  }

  /// Why eggd would not take a label; nil where it would.
  static func failure(ofLabel label: String) -> Failure? { Failure(.label, label) }
}

extension Failure {
  /// Why eggd would not take a text; nil where it would.
  init?(_ field: LimitedText, _ text: String) {
    switch (field, field.problem(in: text)) {
    case (_, nil): return nil
    case (.label, .characters(let count, let limit)): self = .labelTooLong(Int64(count), limit: Int64(limit))
    case (_, .characters(_, let limit)), (_, .bytes(let limit)):
      self = .invalidText(field.rawValue, limit: Int64(limit))
    case (_, .control): self = .invalidText(field.rawValue, limit: nil)
    }
  }
}

/// Which class of time expression is meant, where that is not to be guessed.
struct KindOptions: ParsableArguments {
  @Flag(name: .customLong("in"), help: "Read the time as a span: a countdown.")
  var isCountdown = false

  @Flag(name: .customLong("at"), help: "Read the time as a date and time.")
  var isMoment = false

  @Flag(name: .customLong("every"), help: "Read the time as a calendar event: a recurring alarm.")
  var isRecurring = false

  /// The class that was forced; nil where none was.
  func kind() throws -> Timing.Kind? {
    switch (isCountdown, isMoment, isRecurring) {
    case (false, false, false): nil
    case (true, false, false): .in
    case (false, true, false): .at
    case (false, false, true): .every
    default: throw Failure(.usage, "--in, --at and --every exclude each other")
    }
  }
}
