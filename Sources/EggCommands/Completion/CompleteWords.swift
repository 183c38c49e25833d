import ArgumentParser
import Gettext

/// `eggctl complete-words WORD …`: what the completion scripts of the shells call. The words are those after
/// `eggctl`, without their quotes; the last one ends at the cursor. It prints an ``Offer``, and never fails.
///
/// It is no verb: ArgumentParser would read the words.
enum CompleteWords {
  static let name = "complete-words"

  static func offer(for words: [String], in surroundings: Surroundings) -> Offer {
    guard let current = words.last else { return Offer() }
    guard let given = try? HostWords(words.dropLast()) else { return Offer(kind: .hosts) }
    // A key must not wait for another machine.
    var surroundings = surroundings
    surroundings.host = given.hosts.first.flatMap { try? HostName($0) }.map {
      RemoteHost($0, now: surroundings.now)
    }
    var rest = given.words[...]
    let isHelp = rest.first == "help"
    if isHelp { rest = rest.dropFirst() }
    var verb: any ParsableCommand.Type = Eggctl.self
    while let word = rest.first,
      let inner = verb.configuration.subcommands.first(where: { $0.configuration.commandName == word })
    {
      verb = inner
      rest = rest.dropFirst()
    }
    let isVerb = rest.isEmpty && !current.hasPrefix("-")
    if isHelp || (isVerb && !verb.configuration.subcommands.isEmpty) {
      guard isVerb else { return Offer() }
      var offer = verbs(of: verb, withHelp: !isHelp)
      if !isHelp, verb == Eggctl.self { offer.candidates += LiveValues(surroundings)?.timers() ?? [] }
      return offer
    }
    if let usual = verb.configuration.defaultSubcommand {
      // An unknown word is no argument of the default verb.
      guard (rest.first ?? current).hasPrefix("-") else { return Offer() }
      verb = usual
    }
    guard let arguments = try? VerbArguments(of: verb) else { return Offer() }
    var offer = CompletedWord(current, after: rest, of: arguments).offer(in: surroundings)
    let isOption = current.hasPrefix("-") && !current.contains("=") && !rest.contains("--")
    let isLocal = HostName.localVerbs.contains { $0 == verb }
    if isOption, !isLocal, given.hosts.isEmpty || verb == Watch.self {
      offer.candidates.append(.init("--host", tr("Ask eggd on another machine, over ssh.")))
    }
    return offer
  }

  private static func verbs(of verb: any ParsableCommand.Type, withHelp: Bool) -> Offer {
    var candidates = verb.configuration.subcommands.map {
      Offer.Candidate($0.configuration.commandName ?? "", $0.configuration.abstract)
    }
    if withHelp, verb == Eggctl.self { candidates.append(.init("help", tr("Explain a command."))) }
    return Offer(candidates: candidates)
  }
}
