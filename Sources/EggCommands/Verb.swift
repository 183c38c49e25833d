import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Varlink

/// A verb of eggctl: reads its words, makes one call, shows the answer.
protocol Verb: ParsableCommand {
  /// Throws ``Failure``.
  func run(in surroundings: Surroundings) throws
}

struct AnswerOptions: ParsableArguments {
  @Flag(name: .long, help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Print bare numbers, one a line.")
  var quiet = false

  /// Text by default.
  func form() throws -> AnswerForm {
    switch (json, quiet) {
    case (false, false): .text
    case (true, false): .json
    case (false, true): .numbers
    case (true, true): throw Failure(.usage, tr("--json and --quiet exclude each other"))
    }
  }
}

enum AnswerForm {
  case text
  case json
  case numbers
}

extension Output {
  func answer(
    _ form: AnswerForm, json: some Encodable, numbers: [Int64], text: () throws -> String
  ) throws {
    switch form {
    case .text: try data(try text())
    case .json: try data(JSON.text(json) + "\n")
    case .numbers: try data(numbers.map { "\($0)\n" }.joined())
    }
  }
}

/// How moments are shown; for every verb that shows one.
struct DateOptions: ParsableArguments {
  @Option(
    name: .customLong("date-format"),
    help: ArgumentHelp(
      "Show moments as 2026. 11. 20. 21:41:00 (dotted), as RFC 3339 (iso) or as the locale writes them.",
      valueName: "dotted|iso|locale"))
  var format: DateFormat?
}

extension DateFormat: ExpressibleByArgument {}

protocol DatedVerb: Verb {
  var dates: DateOptions { get }
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
    guard part == .change, let new, new.state == .ringing else { return false }
    return old?.state != .ringing || old?.latest?.id != new.latest?.id
  }
}
