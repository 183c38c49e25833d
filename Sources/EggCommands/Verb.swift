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
  /// Whether the answer has moments for a person.
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

struct AnswerOptions: ParsableArguments {
  @Flag(name: .long, help: AnswerOptions.jsonHelp) var json = false
  @Flag(name: [.customShort("q"), .long], help: AnswerOptions.quietHelp) var quiet = false

  static let jsonHelp = ArgumentHelp(
    "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  static let quietHelp = ArgumentHelp("Print bare numbers, one a line.")

  func form() throws -> AnswerForm { try AnswerForm(json: json, quiet: quiet) }
}

enum AnswerForm {
  case text
  case json
  case numbers

  /// Text by default.
  init(json: Bool, quiet: Bool) throws {
    switch (json, quiet) {
    case (false, false): self = .text
    case (true, false): self = .json
    case (false, true): self = .numbers
    case (true, true): throw Failure(.usage, tr("--json and --quiet exclude each other"))
    }
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

/// How moments are shown; for every verb that shows one.
struct DateOptions: ParsableArguments {
  @Option(name: .customLong("date-format"), help: DateOptions.help) var format: DateFormat?

  static let help = ArgumentHelp(
    "Show moments as 2026. 11. 20. 21:41:00 (dotted), as RFC 3339 (iso) or as the locale writes them.",
    valueName: "dotted|iso|locale")
}

extension DateFormat: ExpressibleByArgument {}

// ArgumentParser's own are found by key paths and descriptions, which takes longer than all that eggd is asked.
extension ExpressibleByArgument where Self: CaseIterable & RawRepresentable, RawValue == String {
  public static var allValueStrings: [String] { allCases.map { $0.rawValue } }
  public static var allValueDescriptions: [String: String] { [:] }
}

protocol DatedVerb: Verb {
  var dates: DateOptions { get }
}

extension DatedVerb {
  var dateFormat: DateFormat? { dates.format }
  var showsMoments: Bool { true }
}

/// ``DateOptions`` and ``AnswerOptions`` in one, as each group of options costs a verb a twentieth of its start.
struct DatedAnswerOptions: ParsableArguments {
  @Option(name: .customLong("date-format"), help: DateOptions.help) var format: DateFormat?
  @Flag(name: .long, help: AnswerOptions.jsonHelp) var json = false
  @Flag(name: [.customShort("q"), .long], help: AnswerOptions.quietHelp) var quiet = false

  func form() throws -> AnswerForm { try AnswerForm(json: json, quiet: quiet) }
}

protocol DatedAnswerVerb: Verb {
  var answer: DatedAnswerOptions { get }
}

extension DatedAnswerVerb {
  var dateFormat: DateFormat? { answer.format }
  var showsMoments: Bool { !answer.json && !answer.quiet }
}

/// Whether the terminal rings its bell when an alarm rings; for `wait` and `watch`.
struct BellOptions: ParsableArguments {
  @Flag(name: .customLong("no-bell"), help: "Do not ring the terminal's bell when an alarm rings.")
  var isOff = false

  var isOn: Bool { !isOff }
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
