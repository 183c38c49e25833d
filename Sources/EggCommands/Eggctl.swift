import ArgumentParser
import EggProtocol
import EggTime
import Gettext
import Glibc

public struct Eggctl: ParsableCommand {
  /// The command that each verb names as its parent. ArgumentParser then does not ask each line whether it
  /// wants a completion script, which takes 1 ms; the whole tree still does.
  static let name = "eggctl"

  public static let configuration = CommandConfiguration(
    commandName: name,
    abstract: tr("Schedule, list and delete alarms."),
    discussion: """
      eggctl schedule 6m30s "two soft ones" --eggs 2 --category soft
      eggctl schedule tomorrow 07:30
      eggctl hungry
      eggctl
      eggctl delete 13
      eggctl -H user@kitchen list

      -H, --host [USER@]HOST[:PORT] asks eggd on another machine, over ssh. It may
      stand before or behind the command. Only eggctl must be installed there.

      Exit codes: 0 done, 1 refused, 2 an awaited alarm was deleted, 64 usage,
      69 eggd cannot be reached, 70 a bug, 74 done, but the reply could not be
      written, 75 no answer in time, 76 not eggd's protocol, 77 not permitted,
      130 interrupted.
      """,
    version: "eggctl \(Product.version)",
    subcommands: verbs.map { $0 },
    defaultSubcommand: List.self)

  /// In the order of the help.
  private static let verbs: [any VerbWord.Type] = [
    Schedule.self, Hungry.self, Again.self, List.self, Watch.self, Show.self, Next.self, Edit.self,
    Delete.self, Done.self, Undone.self, Dismiss.self, Snooze.self, Pause.self, Resume.self, Extend.self,
    Skip.self, DaysOffVerb.self, Move.self, GroupVerb.self, Undo.self, Redo.self, Wait.self, Monitor.self,
    History.self,
    Log.self,
    Status.self, Doctor.self, Config.self, Reload.self, AnniversaryVerb.self, Boil.self, Import.self,
    Sync.self,
    Export.self, Resolve.self, Now.self,
    Times.self, Completion.self, Bridge.self,
  ]

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
      let failure = error as? Failure ?? Failure(.bug, "\(error)".visible)
      // If this cannot be written either, only the exit status tells.
      try? output.report(failure)
      return failure.status
    }
  }

  private static func perform(_ words: [String], in surroundings: Surroundings) throws {
    if words.first == CompleteWords.name {
      return try CompleteWords.run(Array(words.dropFirst()), in: surroundings)
    }
    let given = try HostWords(words)
    let words = given.words
    if let word = words.first(where: { $0.unicodeScalars.contains("\u{FFFD}") }), surroundings.hasBrokenWords
    {
      throw Failure(.usage, tr("'\(word.visible)' is not UTF-8"))
    }
    try refuseHyphen(words)
    let verb: any Verb
    do {
      guard let found = try parsed(words) else { return }
      verb = found
    } catch {
      guard exitCode(for: error).isSuccess else { throw usage(error, words) }
      return try surroundings.output.data(ParserText.help(fullMessage(for: error)) + "\n")
    }
    var surroundings = surroundings
    if let format = verb.dateFormat {
      surroundings.dates = DateStyle(dayAt: { [dates = surroundings.dates] in dates.dayAt }) { format }
    }
    guard !given.hosts.isEmpty else { return try verb.run(in: surroundings) }
    try surroundings.run(verb, on: given.hosts)
  }

  /// ArgumentParser describes each verb that it is given, which takes about a millisecond in all, so it first
  /// gets only the entered one. Help, mistakes and unknown words need the whole tree.
  private static func parsed(_ words: [String]) throws -> (any Verb)? {
    let name = words.first ?? List.configuration.commandName
    if let word = verbs.first(where: { $0.configuration.commandName == name }),
      let verb = try? word.verb(Array(words.dropFirst()))
    {
      return verb
    }
    var command = try parseAsRoot(words)
    if let verb = command as? any Verb { return verb }
    try command.run()
    return nil
  }

  /// A span with a hyphen would lie in the past, and ArgumentParser reads `-1h` as a call for help.
  private static func refuseHyphen(_ words: [String]) throws {
    guard ["schedule", "resolve", "edit"].contains(words.first) else { return }
    let own = words.prefix { $0 != "--" }
    guard let index = own.firstIndex(where: \.isSpanWithHyphen) else { return }
    var instead = words.map { $0.isSpanWithHyphen ? String($0.dropFirst()) : $0 }
    instead = instead.map(\.shellQuoted)
    throw Failure(
      .usage, tr("'\(words[index].visible)' begins with a hyphen: an alarm cannot ring in the past"),
      hint: "eggctl " + instead.joined(separator: " "))
  }

  /// Other programs' words, and the commands they mean.
  private static let synonyms = [
    "add": "schedule", "new": "schedule", "set": "schedule", "create": "schedule", "remind": "schedule",
    "ls": "list", "rm": "delete", "del": "delete", "remove": "delete", "cancel": "delete", "stop": "dismiss",
    "change": "edit", "modify": "edit", "sleep": "snooze", "start": "resume",
  ]

  /// ArgumentParser's error in the form of all other errors.
  private static func usage(_ error: any Error, _ words: [String]) -> Failure {
    let verbs = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let word = words.first, !word.hasPrefix("-"), word != "help", !verbs.contains(word) {
      let near = (synonyms[word] ?? word.nearest(of: verbs)).map { verb in
        let command = (["eggctl", verb] + words.dropFirst().map(\.shellQuoted)).joined(separator: " ")
        return tr("did you mean: \(command)")
      }
      return Failure(.usage, tr("unknown command '\(word.visible)'"), hint: near ?? "eggctl help")
    }
    let lines = message(for: error).split(separator: "\n").map(String.init)
    let text = lines.first ?? translatable("not understood")
    let parts = (text.prefix(1).lowercased() + text.dropFirst()).visible
      .replacing(". Please provide", with: "; give").split(separator: ". Did you mean ", maxSplits: 1)
    var sentence = parts.first.map { String($0.hasSuffix(".") ? $0.dropLast() : $0) } ?? ""
    let values = lines.dropFirst().prefix { $0.hasPrefix("  - ") }.map { "'\($0.dropFirst(4).visible)'" }
    if sentence.hasSuffix(" of the following:"), let last = values.last {
      sentence =
        sentence.dropLast("the following:".count) + values.dropLast().joined(separator: ", ") + " or \(last)"
    }
    if parts.count == 2, isNear(parts[1], sentence) {
      return Failure(.usage, ParserText.inOwnLanguage(sentence), hint: tr("did you mean \(parts[1])"))
    }
    return Failure(
      .usage, ParserText.inOwnLanguage(sentence),
      hint: ["eggctl help", verb(words)].compactMap(\.self).joined(separator: " "))
  }

  /// The verb that was meant, with its subcommand: `group create`.
  private static func verb(_ words: [String]) -> String? {
    func named(_ index: Int, in verbs: [any ParsableCommand.Type]) -> (any ParsableCommand.Type)? {
      words.indices.contains(index) ? verbs.first { $0.configuration.commandName == words[index] } : nil
    }
    guard let verb = named(0, in: configuration.subcommands) else { return nil }
    let inner = named(1, in: verb.configuration.subcommands)
    return [verb, inner].compactMap { $0?.configuration.commandName }.joined(separator: " ")
  }

  /// Whether the option that ArgumentParser proposes begins like the entered one.
  private static func isNear(_ proposal: Substring, _ sentence: String) -> Bool {
    func beginning(_ text: some StringProtocol) -> Character? {
      text.split(separator: "'", omittingEmptySubsequences: false).dropFirst().first?.first { $0 != "-" }
    }
    return beginning(proposal) == beginning(sentence)
  }
}

extension String {
  /// `-5m`, `-1h30`.
  fileprivate var isSpanWithHyphen: Bool {
    guard hasPrefix("-") else { return false }
    let digits = dropFirst().prefix { ("0"..."9").contains($0) }
    return !digits.isEmpty && dropFirst(1 + digits.count).first.map(\.isLetter) ?? false
  }

  /// The most similar word with the same first letter, at most two edits away.
  fileprivate func nearest(of words: [String]) -> String? {
    let letters = Array(utf8)
    let near = words.filter { $0.first == first }
      .map { (word: $0, slips: Spelling.distance(letters, Array($0.utf8))) }
    return near.min { $0.slips < $1.slips }.flatMap { $0.slips <= (count < 4 ? 1 : 2) ? $0.word : nil }
  }
}
