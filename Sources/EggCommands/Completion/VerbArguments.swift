import ArgumentParser
import Varlink

/// The arguments and options that a verb declares.
///
/// ArgumentParser shows them only as the JSON from which its tools make manuals (`ToolInfoV0`).
struct VerbArguments: Decodable {
  struct Argument: Decodable {
    enum Kind: String, Decodable { case positional, option, flag }

    struct Name: Decodable {
      enum Kind: String, Decodable { case long, short, longWithSingleDash }

      var kind: Kind
      var name: String

      var text: String { (kind == .long ? "--" : "-") + name }
    }

    /// How ArgumentParser would complete the value.
    struct Completion: Decodable {
      struct Values: Decodable { var values: [String] }
      struct Command: Decodable { var command: String }
      struct Files: Decodable {}

      var list: Values?
      var shellCommand: Command?
      var file: Files?
    }

    var kind: Kind
    var names: [Name]?
    var valueName: String?
    var isRepeating: Bool
    var abstract: String?
    var completionKind: Completion?

    /// nil if its values are not completed, are a list or are files.
    var source: ValueSource? { completionKind?.shellCommand.flatMap { ValueSource(rawValue: $0.command) } }
  }

  private struct Tool: Decodable { var command: VerbArguments }

  private var arguments: [Argument]?

  /// Of the verb itself, without those of its subcommands.
  init(of verb: any ParsableCommand.Type) throws {
    self = try JSON.value(Array(verb._dumpHelp().utf8), as: Tool.self).command
  }

  var positionals: [Argument] { arguments?.filter { $0.kind == .positional } ?? [] }
  var options: [Argument] { arguments?.filter { $0.kind != .positional } ?? [] }

  /// Words of a command line by what they are.
  struct Sorted {
    var positionals: [String] = []
    /// Each with the words that make it up: its name, then its value.
    var options: [(argument: Argument?, words: [String])] = []
    /// The last option, if its value is yet to come.
    var awaiting: Argument?
    var isPastOptions = false
  }

  func sorted(_ words: some Sequence<String>) -> Sorted {
    var sorted = Sorted()
    for word in words {
      if sorted.awaiting != nil, !isOption(word) {
        sorted.awaiting = nil
        sorted.options[sorted.options.count - 1].words.append(word)
      } else if sorted.isPastOptions || !word.hasPrefix("-") || word == "-" {
        sorted.positionals.append(word)
      } else if word == "--" {
        sorted.isPastOptions = true
      } else {
        let name = word.prefix { $0 != "=" }
        let option = option(name)
        sorted.options.append((option, [word]))
        sorted.awaiting = option.flatMap { $0.kind == .option && name.count == word.count ? $0 : nil }
      }
    }
    return sorted
  }

  /// The value of `--insist` can be left out.
  private func isOption(_ word: String) -> Bool {
    word.hasPrefix("--") && option(word.prefix { $0 != "=" }) != nil
  }

  /// The option with this name: `--label`, `-y`.
  func option(_ name: some StringProtocol) -> Argument? {
    options.first { $0.names?.contains { $0.text == name } ?? false }
  }
}
