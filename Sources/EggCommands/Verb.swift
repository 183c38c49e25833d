import ArgumentParser

/// One word of eggctl's language: reads its words, makes one call, shows the answer.
protocol Verb: ParsableCommand {
  /// Does it. Throws ``Failure`` where it could not.
  func run(in surroundings: Surroundings) throws
}

/// How an answer is shown.
struct AnswerOptions: ParsableArguments {
  @Flag(name: .long, help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  @Flag(name: [.customShort("q"), .long], help: "Print bare numbers, one a line.")
  var quiet = false

  /// The form that was asked for; text by default.
  func form() throws -> AnswerForm {
    switch (json, quiet) {
    case (false, false): .text
    case (true, false): .json
    case (false, true): .numbers
    case (true, true): throw Failure(.usage, "--json and --quiet exclude each other")
    }
  }
}

/// The forms in which an answer can be shown.
enum AnswerForm {
  case text
  case json
  case numbers
}

extension Output {
  /// Prints an answer in the form asked for.
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
