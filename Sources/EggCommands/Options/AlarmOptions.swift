import Alarms
import ArgumentParser
import EggTime
import Gettext

extension Category: ExpressibleByArgument {}

/// The options of `schedule` and `edit` other than the time, with those of their answers. They are one group, because each
/// costs a verb a twentieth of its start.
struct AlarmOptions: DatedAnswers {
  @Option(help: "The label, at most \(Limits.labelCharacters) characters.")
  var label: String?

  // Unconditional, so that -1 is read as a number that is too small, not as an option.
  @Option(parsing: .unconditional, help: "How many eggs.")
  var eggs: Int64?

  @Option(help: "How to boil the eggs: soft, medium, hard or other.")
  var category: Category?

  @Option(help: .group, completion: .values(.groups))
  var group: String?

  @Option(help: "The notification's summary instead of 'Wait!'.")
  var title: String?

  @Option(help: "The notification's body instead of 'Your eggs are almost done!'.")
  var body: String?

  @Option(help: "A longer text, at most \(Limits.noteCharacters) characters.")
  var note: String?

  @Option(help: .sound, completion: .values(.sounds))
  var sound: String?

  // The parser's usual way ignores the value of --insist=2m where an option follows.
  @Option(defaultAsFlag: "1m", parsing: .next, help: .insist, completion: .list(["off"]))
  var insist: String?

  @Flag(inversion: .prefixedNo, help: .wake)
  var wake: Bool?

  @Option(
    help: ArgumentHelp(
      "A command to run when it rings: a program and its arguments. No shell reads it.", valueName: "command"),
    completion: .values(.programs))
  var run: String?

  @Option(
    help: ArgumentHelp(
      "How long a ring waits for an answer before --run-unanswered and on-unanswered.d run; or off.",
      valueName: "span|off"), completion: .list(["off"]))
  var unansweredAfter: String?

  @Option(
    help: ArgumentHelp("A command to run when nobody has answered.", valueName: "command"),
    completion: .values(.programs))
  var runUnanswered: String?

  @Flag(name: .customLong("in"), help: .countdown) var isCountdown = false
  @Flag(name: .customLong("at"), help: .moment) var isMoment = false
  @Flag(name: .customLong("every"), help: .recurring) var isRecurring = false

  @Option(
    help: ArgumentHelp(
      "When a recurring alarm begins, a date or a date and time; now by default.", valueName: "when"))
  var from: String?

  @Option(
    help: ArgumentHelp(
      "When a recurring alarm ends, a date or a date and time; none for never.", valueName: "when|none"),
    completion: .list(["none"]))
  var until: String?

  @Option(parsing: .unconditional, help: "How often a recurring alarm rings.")
  var count: Int64?

  @Option(
    help: ArgumentHelp(
      "If it cannot ring on time: ring late (default), or record it as missed.", valueName: "ring|record"),
    completion: .list(["ring", "record"]))
  var ifMissed: String?

  @Option(help: ArgumentHelp("Ring at most this late; otherwise record it as missed.", valueName: "span"))
  var ringWithin: String?

  @Option(
    help: ArgumentHelp(
      "Ring this long before, too; can be repeated. none removes all.", valueName: "span|none"),
    completion: .list(["none"]))
  var before: [String] = []

  @Flag(help: "With --before: do not ring at the moment itself.")
  var onlyBefore = false

  @Option(
    help: ArgumentHelp(
      "Keep quiet on these days off; can be repeated. none removes all.", valueName: "name|none"),
    completion: .values(.daysOff))
  var except: [String] = []

  @Option(
    help: ArgumentHelp(
      "Ring on these days off only; can be repeated. none removes all.", valueName: "name|none"),
    completion: .values(.daysOff))
  var onlyOn: [String] = []

  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: .json) var json = false
  @Flag(name: [.customShort("q"), .long], help: .quiet) var quiet = false

  func kind() throws -> Timing.Kind? { try Timing.Kind.forced(isCountdown, isMoment, isRecurring) }

  /// The values that are given; an empty text, 0 and false clear.
  func manner(in surroundings: Surroundings) throws -> Manner {
    var manner = try Manner(sound: sound, insist: insist, wake: wake, in: surroundings)
    (manner.summary, manner.body, manner.note) = (title, body, note)
    manner.run = try run.map { try surroundings.commandText($0, .run) }
    manner.runUnanswered = try runUnanswered.map { try surroundings.commandText($0, .runUnanswered) }
    manner.unansweredAfter = try unansweredAfter.map {
      try surroundings.span(
        $0, in: Limits.unansweredAfter, tr("--unanswered-after takes a second to a day, or off"),
        hint: "--unanswered-after 5m")
    }
    if manner.unansweredAfter == .zero {
      guard (manner.runUnanswered ?? "").isEmpty else {
        throw Failure(
          .usage, tr("--unanswered-after off and --run-unanswered exclude each other"),
          hint: "--unanswered-after 5m")
      }
      manner.runUnanswered = ""
    }
    return manner
  }

  /// Throws if a value exceeds an alarm's limits. ``checkedLabel(_:in:)`` checks labels.
  func check() throws {
    if let eggs, !Limits.eggs.contains(eggs) {
      throw Failure(
        .usage,
        eggs < 1
          ? tr("the number of eggs must be at least 1")
          : tr("the number of eggs must be at most \(Limits.eggs.upperBound)"))
    }
    try Self.check(title, .summary)
    try Self.check(body, .body)
    try Self.check(note, .note)
  }

  private static func check(_ text: String?, _ field: LimitedText) throws {
    if let text, let failure = Failure(field, text) { throw failure }
  }

  /// Returns a label that eggd accepts. On a terminal it asks again; otherwise it throws.
  static func checkedLabel(
    _ label: String?, instead hint: @autoclosure () -> String? = nil, in surroundings: Surroundings
  ) throws -> String? {
    guard var label else { return nil }
    while var failure = failure(ofLabel: label) {
      guard let ask = surroundings.ask else {
        failure.hint = hint() ?? failure.hint
        throw failure
      }
      try surroundings.output.report(failure)
      guard let answer = ask(tr("label: ")) else { throw Failure(.interrupted, tr("no label was given")) }
      label = answer
    }
    return label
  }

  /// Why eggd would refuse the label, if it would.
  static func failure(ofLabel label: String) -> Failure? {
    if !label.isEmpty, label.allSatisfy(\.isWhitespace) { return Failure(.usage, tr("the label is blank")) }
    return Failure(.label, label)
  }
}

/// How an alarm is heard; for verbs that take no time.
struct RingOptions: ParsableArguments {
  @Option(help: .sound, completion: .values(.sounds))
  var sound: String?
  @Option(defaultAsFlag: "1m", parsing: .next, help: .insist, completion: .list(["off"]))
  var insist: String?
  @Flag(inversion: .prefixedNo, help: .wake)
  var wake: Bool?

  func manner(in surroundings: Surroundings) throws -> Manner {
    try Manner(sound: sound, insist: insist, wake: wake, in: surroundings)
  }
}

extension Manner {
  /// The values that are given; an empty text, 0 and false clear.
  fileprivate init(sound: String?, insist: String?, wake: Bool?, in surroundings: Surroundings) throws {
    self.init(sound: try sound.map(surroundings.soundText), wake: wake)
    self.insist = try insist.map {
      try surroundings.span(
        $0, in: Limits.insist, tr("--insist takes 10 seconds to an hour, or off"), hint: "--insist 2m")
    }
  }
}

extension Surroundings {
  /// 0 for `off`.
  fileprivate func span(
    _ text: String, in range: ClosedRange<TimeSpan>, _ refusal: String, hint: String
  ) throws -> TimeSpan {
    if text == "off" { return .zero }
    let span = try span(reading: text)
    guard range.contains(span) else { throw Failure(.usage, refusal, hint: hint) }
    return span
  }
}

extension Manner {
  /// The lines of `show`.
  var lines: [(name: String, text: String?)] {
    [
      (tr("title"), summary?.visible), (tr("body"), body?.visible), (tr("icon"), icon?.visible),
      (tr("note"), note?.visibleLines), (tr("sound"), sound?.visible),
      (tr("insists"), insist.map { tr("every \(SpanText.whole($0)) until answered") }),
      (tr("runs"), run?.visible), (tr("unanswered after"), patience.map(SpanText.whole)),
      (tr("then runs"), runUnanswered?.visible),
      (tr("wakes"), wake == true ? tr("the machine, if it is suspended") : nil),
    ]
  }
}

extension Failure {
  /// nil if eggd accepts the text.
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

extension Timing.Kind {
  /// What the options force; nil without any of them.
  static func forced(_ isCountdown: Bool, _ isMoment: Bool, _ isRecurring: Bool) throws -> Timing.Kind? {
    let given = [(isCountdown, Self.in), (isMoment, .at), (isRecurring, .every)].filter(\.0)
    guard given.count < 2 else {
      throw Failure(.usage, tr("--in, --at and --every exclude each other"))
    }
    return given.first?.1
  }
}
