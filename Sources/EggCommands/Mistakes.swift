import ArgumentParser
import EggTime
import Gettext

/// What a command line that ArgumentParser does not accept may have meant.
extension Eggctl {
  /// Other programs' words, and the commands they mean.
  private static let synonyms = [
    "add": "schedule", "new": "schedule", "set": "schedule", "create": "schedule", "remind": "schedule",
    "alarm": "schedule", "ls": "list", "view": "show", "info": "show", "rm": "delete",
    "del": "delete", "remove": "delete", "cancel": "delete", "stop": "dismiss", "sleep": "snooze",
    "postpone": "snooze", "change": "edit", "modify": "edit", "rename": "edit", "delay": "extend",
    "start": "resume", "continue": "resume", "unpause": "resume", "finish": "done", "complete": "done",
    "revert": "undo", "mv": "move", "settings": "config", "health": "status", "birthday": "anniversary",
    "holidays": "daysoff",
  ]

  /// The failure for a first word that is no verb.
  static func unknown(_ words: [String], in surroundings: Surroundings) -> Failure {
    unknown(words[0], meant: meant(words, in: surroundings))
  }

  private static func unknown(_ word: String, meant: [String]?) -> Failure {
    Failure(
      .usage, tr("unknown command '\(word.visible)'"),
      hint: meant.map { tr("did you mean: \($0.asCommand)") } ?? "eggctl help")
  }

  private static func meant(_ words: [String], in surroundings: Surroundings) -> [String]? {
    let (word, rest) = (words[0], Array(words.dropFirst()))
    if word == "start", isTime(rest, in: surroundings) { return ["schedule"] + rest }
    if word == "rename", rest.count > 1 {
      return ["edit", rest[0], "--label", TypedWords.spaced(rest[1...])]
    }
    if let verb = synonyms[word] { return [verb] + rest }
    if isTime(words, in: surroundings) { return ["schedule"] + words }
    return nearest(to: word, in: verbs).map { [$0] + rest }
  }

  /// Whether `schedule` accepts the words, and the first belongs to the time.
  private static func isTime(_ words: [String], in surroundings: Surroundings) -> Bool {
    guard let first = words.first, let context = try? surroundings.readingContext(),
      let found = try? ExpressionWords.split(words, command: "eggctl schedule", as: nil, in: context)
    else { return false }
    return found.expression.hasPrefix(first) || first.hasPrefix(found.expression)
  }

  /// The most similar verb with the same first letter, at most two edits away.
  private static func nearest(to word: String, in verbs: [any ParsableCommand.Type]) -> String? {
    let near = verbs.compactMap { $0.configuration.commandName }.filter { $0.first == word.first }
      .map { (name: $0, slips: Spelling.distance(Array(word.utf8), Array($0.utf8))) }
    return near.min { $0.slips < $1.slips }.flatMap { $0.slips <= (word.count < 4 ? 1 : 2) ? $0.name : nil }
  }

  /// The command that was meant by a second word that is no subcommand: `group rm Sunday`.
  private static func meantInside(_ words: [String]) -> [String]? {
    guard words.count > 1, let verb = verbs.first(where: { $0.configuration.commandName == words[0] }) else {
      return nil
    }
    let inner = verb.configuration.subcommands
    let names = inner.compactMap { $0.configuration.commandName }
    guard !names.contains(words[1]) else { return nil }
    let sense = synonyms[words[1]] ?? words[1]
    let name = names.first { synonyms[$0] ?? $0 == sense } ?? nearest(to: words[1], in: inner)
    return name.map { [words[0], $0] + words.dropFirst(2) }
  }

  /// Throws if `help` is asked for a command that there is not.
  static func refuseUnknownHelp(_ words: [String]) throws {
    var inner = configuration.subcommands
    for (index, word) in words.enumerated().dropFirst() where !word.hasPrefix("-") && !inner.isEmpty {
      guard let verb = inner.first(where: { $0.configuration.commandName == word }) else {
        let verb = nearest(to: word, in: inner) ?? (index == 1 ? synonyms[word] : nil)
        throw unknown(word, meant: verb.map { words[..<index] + [$0] })
      }
      inner = verb.configuration.subcommands
    }
  }

  /// ArgumentParser's error in the form of all other errors.
  static func usage(_ error: any Error, _ words: [String]) -> Failure {
    if let meant = meantInside(words) { return unknown(words[1], meant: meant) }
    let lines = message(for: error).split(separator: "\n").map(String.init)
    let text = lines.first ?? translatable("not understood")
    let parts = (text.prefix(1).lowercased() + text.dropFirst()).visible
      .replacing(". Please provide", with: "; give").split(separator: ". Did you mean ", maxSplits: 1)
    var sentence = parts.first.map { String($0.hasSuffix(".") ? $0.dropLast() : $0) } ?? ""
    if sentence.contains("; give one of ") { sentence = sentence.replacing("' and '", with: "' or '") }
    let values = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { "'\($0.dropFirst(4).visible)'" }
    if sentence.hasSuffix(" of the following:"), let last = values.last {
      sentence =
        sentence.dropLast("the following:".count) + values.dropLast().joined(separator: ", ") + " or \(last)"
    }
    if parts.count == 2, let wrong = quoted(sentence), let option = quoted(String(parts[1])),
      isNear(wrong, option)
    {
      let command = words.map { $0 == wrong ? option : $0 }.asCommand
      return Failure(
        .usage, ParserText.inOwnLanguage(sentence), hint: tr("did you mean: \(command)"))
    }
    return Failure(
      .usage, ParserText.inOwnLanguage(sentence), hint: withEqualsSign(words, sentence) ?? help(words))
  }

  /// `--label=-x` for `--label -x`, whose value looks like an option.
  private static func withEqualsSign(_ words: [String], _ sentence: String) -> String? {
    // The parser names a missing value as '--label <label>'.
    guard let named = quoted(sentence), named.hasSuffix(">"), let option = named.split(separator: " ").first,
      let place = words.firstIndex(of: String(option)), place + 1 < words.count,
      case let value = words[place + 1], value.hasPrefix("-"), !value.hasPrefix("--")
    else { return nil }
    var typed = words.map(\.shellQuoted)
    typed.replaceSubrange(place...place + 1, with: ["\(option)=\(value.shellQuoted)"])
    return "eggctl " + typed.joined(separator: " ")
  }

  /// The failure with the next command: one for each reading of a part of the line, otherwise the verb's help.
  static func completed(_ failure: Failure, _ words: [String]) -> Failure {
    var failure = failure
    if case .invalidExpression(let text, _, _, _, let readings?)? = failure.cause,
      failure.hint == Failure.question(readings), let commands = commands(words, with: readings, for: text)
    {
      failure.hint = commands
    }
    if failure.hint == nil, failure.status == .usage { failure.hint = help(words) }
    return failure
  }

  /// The command for each reading in the place of the text; nil where that is no part of the line.
  static func commands(_ words: [String], with readings: [String], for text: String) -> String? {
    for count in words.indices.reversed().map({ $0 + 1 }) where !readings.isEmpty {
      for start in 0...words.count - count {
        let part = TypedWords.spaced(words[start..<start + count])
        // `--until=02/03/2027`; `until 7` is read as `at 7`.
        let option = count == 1 && part.hasSuffix("=" + text) ? part.dropLast(text.count) : ""
        guard part == text || "at " + part == text || !option.isEmpty else { continue }
        let quoted = (["eggctl"] + words).map(\.shellQuoted)
        return readings.map { reading in
          let line = quoted[...start] + [option + reading.shellQuoted] + quoted[(start + count + 1)...]
          return TypedWords.spaced(line)
        }.joined(separator: tr(", or "))
      }
    }
    return nil
  }

  /// With the verb that was meant, and its subcommand: `eggctl help group create`.
  private static func help(_ words: [String]) -> String {
    var inner = configuration.subcommands
    let verb = ((try? HostWords(words))?.words ?? words).prefix { word in
      let found = inner.first { $0.configuration.commandName == word }
      inner = found?.configuration.subcommands ?? []
      return found != nil
    }
    return (["help"] + verb).asCommand
  }

  /// Whether few letters differ for such a short word; the first does not.
  private static func isNear(_ wrong: String, _ option: String) -> Bool {
    let (wrong, option) = (wrong.drop { $0 == "-" }, option.drop { $0 == "-" })
    return wrong.first == option.first
      && Spelling.distance(Array(wrong.utf8), Array(option.utf8))
        <= max(1, min(wrong.count, option.count) / 3)
  }

  /// The option in a sentence of ArgumentParser: `--sort` of `unknown option '--sort'`.
  private static func quoted(_ sentence: String) -> String? {
    let parts: [Substring] = sentence.split(separator: "'", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : nil
  }
}
