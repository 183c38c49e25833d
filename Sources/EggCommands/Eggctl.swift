import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Glibc

public struct Eggctl: ParsableCommand {
  /// The command that each verb names as its parent. ArgumentParser asks each line whether it wants a completion
  /// script, unless the command has a parent; this takes 1 ms. The parent of the root is empty.
  static let name = "eggctl"

  public static let configuration = CommandConfiguration(
    commandName: name, _superCommandName: "",
    abstract: tr("Schedule, list and delete alarms."),
    version: "eggctl \(Product.version)",
    subcommands: verbs.map { $0 },
    defaultSubcommand: List.self)

  static let verbs = HelpPage.groups.flatMap { $0.lines.flatMap(\.verbs) }

  public init() {}

  public static func runProcess() -> Never {
    Gettext.begin()
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst()), in: .process).rawValue)
  }

  static func run(_ words: [String], in surroundings: Surroundings) -> ExitStatus {
    let output = surroundings.output
    do {
      try perform(words, in: surroundings)
      output.endProgress()
      try output.flush()
      return .success
    } catch {
      let failure = completed(error as? Failure ?? Failure(.bug, "\(error)".visible), words)
      // If this cannot be written either, only the exit status tells.
      try? output.report(failure, asJSON: words.prefix { $0 != "--" }.contains("--json"))
      return failure.status
    }
  }

  private static func perform(_ words: [String], in surroundings: Surroundings) throws {
    let rest = Array(words.dropFirst())
    switch words.first {
    case CompleteWords.name:
      return try surroundings.output.data(CompleteWords.offer(for: rest, in: surroundings).text)
    case SearchBox.name: return try surroundings.output.data(SearchBox(surroundings).answer(rest))
    default: break
    }
    let given = try HostWords(words)
    let words = given.words
    if let word = words.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }), surroundings.hasBrokenWords
    {
      throw Failure(.usage, tr("'\(word.visible)' is not UTF-8"))
    }
    try refuseHyphen(words)
    if words.count == 1, ["help", "--help", "-h"].contains(words[0]) {
      return try surroundings.output.data(HelpPage.text)
    }
    let verb: any Verb
    do {
      guard let found = try parsed(words, in: surroundings) else { return }
      verb = found
    } catch {
      if let failure = error as? Failure { throw failure }
      guard exitCode(for: error).isSuccess else { throw usage(error, words) }
      let text = fullMessage(for: error)
      return try surroundings.output.data(
        (text == configuration.version ? text : ParserText.help(text)) + "\n")
    }
    var surroundings = surroundings
    surroundings.typed = words
    surroundings.showsMoments = verb.showsMoments
    if let format = verb.dateFormat { surroundings.dates.given = format }
    guard !given.hosts.isEmpty else { return try verb.run(in: surroundings) }
    try surroundings.run(verb, on: given.hosts)
  }

  /// ArgumentParser describes each verb that it is given, which takes about a millisecond in all, so it first
  /// gets only the entered one. Help, mistakes and unknown words need the whole tree.
  private static func parsed(_ words: [String], in surroundings: Surroundings) throws -> (any Verb)? {
    let name = words.first ?? List.configuration.commandName
    if let word = verbs.first(where: { $0.configuration.commandName == name }) {
      if let verb = try? word.verb(Array(words.dropFirst())) { return verb }
    } else if name == "help" {
      do {
        try refuseUnknownHelp(words)
      } catch {
        // A timer of config.toml is one of schedule's.
        guard words.count == 2, surroundings.preset(named: words[1]) != nil else { throw error }
        return try parsed(["help", Schedule.configuration.commandName ?? ""], in: surroundings)
      }
    } else if let name, !name.hasPrefix("-") {
      guard surroundings.preset(named: name) != nil else { throw unknown(words, in: surroundings) }
      return try Schedule.verb(words)
    }
    var command = try parseAsRoot(words)
    if let verb = command as? any Verb { return verb }
    try command.run()
    return nil
  }

  /// A span with a hyphen would lie in the past, and ArgumentParser reads `-1h` as a call for help.
  private static func refuseHyphen(_ words: [String]) throws {
    let own = words.prefix { $0 != "--" }
    if words.first == "show", let word = own.first(where: { $0.hasPrefix("-") && Int($0) != nil }) {
      throw Failure.noNumber(word)
    }
    guard ["schedule", "resolve", "edit", "snooze"].contains(words.first) else { return }
    guard let index = own.firstIndex(where: \.isSpanWithHyphen) else { return }
    let instead = words.map { $0.isSpanWithHyphen ? String($0.dropFirst()) : $0 }
    throw Failure(
      .usage, tr("'\(words[index].visible)' begins with a hyphen: an alarm cannot ring in the past"),
      hint: instead.asCommand)
  }
}

extension String {
  /// `-5m`, `-1h30`.
  fileprivate var isSpanWithHyphen: Bool {
    guard hasPrefix("-") else { return false }
    let digits = dropFirst().prefix { ("0"..."9").contains($0) }
    return !digits.isEmpty && dropFirst(1 + digits.count).first.map(\.isLetter) ?? false
  }
}
