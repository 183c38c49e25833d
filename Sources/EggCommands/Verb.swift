import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

/// A verb of eggctl, or several under one word.
protocol VerbWord: ParsableCommand {
  /// The verb that the words behind this one ask for; nil if they ask for something else, such as help.
  static func verb(_ words: [String]) throws -> (any Verb)?
}

extension VerbWord {
  static func verb(_ words: [String]) throws -> (any Verb)? { try parseAsRoot(words) as? any Verb }
}

/// A verb of eggctl: reads its words, makes one call, shows the answer.
protocol Verb: VerbWord {
  /// How moments are to be shown, if the words say so.
  var dateFormat: DateFormat? { get }
  /// Whether the answer is likely to show moments: eggd is asked for their form with the first call.
  var showsMoments: Bool { get }

  /// Throws ``Failure``.
  func run(in surroundings: Surroundings) throws
}

extension Verb {
  // By its own type, as a search for whether a type is a verb takes as long as a call.
  static func verb(_ words: [String]) throws -> (any Verb)? { try parseAsRoot(words) as? Self }

  var dateFormat: DateFormat? { nil }
  var showsMoments: Bool { false }
}

extension CommandConfiguration {
  init(
    _ name: String, _ abstract: String, usage: String? = nil, discussion: String,
    subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    self.init(
      commandName: name, _superCommandName: Eggctl.name, abstract: abstract, usage: usage,
      discussion: discussion, subcommands: subcommands, defaultSubcommand: defaultSubcommand)
  }
}

struct AnswerOptions: ParsableArguments {
  @Flag(help: .json) var json = false
  @Flag(name: [.customShort("q"), .long], help: .quiet) var quiet = false

  func form() throws -> AnswerForm { try AnswerForm(json: json, quiet: quiet) }
}

enum AnswerForm {
  case text
  case json
  case numbers

  init(json: Bool, quiet: Bool) throws {
    if json, quiet { throw Failure(.usage, tr("--json and --quiet exclude each other")) }
    self = json ? .json : quiet ? .numbers : .text
  }
}

extension Output {
  func answer(
    _ form: AnswerForm, json: some Encodable, numbers: [Int64], text: () throws -> String
  ) throws {
    switch form {
    case .text: try data(try text())
    case .json: try data(JSON.text(json) + "\n")
    case .numbers: try data(numbers.reduce(into: "") { $0 += "\($1)\n" })
    }
  }
}

extension DateFormat: ExpressibleByArgument {}

// ArgumentParser's own are found by key paths and descriptions, which takes longer than all that eggd is asked.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  public static var allValueDescriptions: [String: String] { [:] }
}

/// How an answer with moments is shown: options of their own, or among others.
protocol DatedAnswers: ParsableArguments {
  var dateFormat: DateFormat? { get }
  var json: Bool { get }
  var quiet: Bool { get }
}

extension DatedAnswers {
  func form() throws -> AnswerForm { try AnswerForm(json: json, quiet: quiet) }
}

/// ``AnswerOptions`` and `--date-format` in one, as each group of options costs a verb a twentieth of its start.
struct DatedAnswerOptions: DatedAnswers {
  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: .json) var json = false
  @Flag(name: [.customShort("q"), .long], help: .quiet) var quiet = false
}

protocol DatedAnswerVerb: Verb {
  associatedtype Answers: DatedAnswers
  var answer: Answers { get }
}

extension DatedAnswerVerb {
  var dateFormat: DateFormat? { answer.dateFormat }
  var showsMoments: Bool { !answer.json && !answer.quiet }
}

/// Of what several verbs take.
extension ArgumentHelp {
  static let alarms = ArgumentHelp(
    "The alarms: numbers (12), ranges (3-7), labels or UUIDs.", valueName: "number")
  static let onlyAlarm = ArgumentHelp("Only of this alarm: its number, label or UUID.", valueName: "number")
  static let json = ArgumentHelp("Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  static let quiet = ArgumentHelp("Print bare numbers, one a line.")
  static let dateFormat = ArgumentHelp(
    "Show moments as 2026. 11. 20. 21:41:00 (dotted), as RFC 3339 (iso) or as the locale writes them.",
    valueName: "dotted|iso|locale")
  static let noBell = ArgumentHelp("Do not ring the terminal's bell when an alarm rings.")
  static let group = ArgumentHelp("The alarm's group; eggctl group lists the groups.", valueName: "name")
  static let icon = ArgumentHelp(
    "The icon in notifications: a file or an icon's name.", valueName: "file|name")
  static let sound = ArgumentHelp(
    "The sound: a name of the sound theme, a file, none or default.", valueName: "name|file|none")
  static let insist = ArgumentHelp(
    "Repeat notification and sound every 1m, or every SPAN, until answered, for at most an hour; or off.",
    valueName: "span|off")
  static let wake = ArgumentHelp("Wake the machine from suspend to ring.")
  static let countdown = ArgumentHelp("Read the time as a span: a countdown.")
  static let moment = ArgumentHelp("Read the time as a date and time.")
  static let recurring = ArgumentHelp("Read the time as a calendar event, or a sentence that recurs.")
}

extension SubscribeReply {
  /// Whether an alarm begins to ring: the first time, again, or after a snooze.
  var isRing: Bool {
    part == .change && new.map { $0.rings(after: old) } ?? false
  }
}

extension WireAlarm {
  /// Whether it began to ring since then.
  func rings(after old: WireAlarm?) -> Bool {
    state == .ringing && latest?.firedAt != old?.latest?.firedAt
  }
}
