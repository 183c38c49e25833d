import ArgumentParser
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
  /// Prints the answer in one of its forms.
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
