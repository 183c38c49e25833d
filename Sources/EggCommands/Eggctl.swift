import ArgumentParser
import EggProtocol
import Glibc

/// The command line of eggd.
public struct Eggctl: ParsableCommand {
  /// Verbs in the order in which help shows them.
  public static let configuration = CommandConfiguration(
    commandName: "eggctl",
    abstract: "Alarms that ring, whatever happened in between.",
    discussion: """
      eggctl schedule 6m30s "two soft ones" --eggs 2 --category soft
      eggctl schedule tomorrow 07:30
      eggctl hungry
      eggctl
      eggctl delete 13

      Exit codes: 0 done, 1 refused, 2 waited for what was deleted,
      64 not understood, 69 eggd is not running, 70 a bug, 75 no answer in time,
      76 not eggd's protocol, 77 not permitted, 130 interrupted.
      """,
    version: "eggctl \(Product.version)",
    subcommands: [
      Schedule.self, Hungry.self, Again.self, List.self, Watch.self, Show.self, Next.self, Edit.self,
      Delete.self, Done.self, Undone.self, Dismiss.self, Snooze.self, Pause.self, Resume.self, Extend.self,
      Skip.self, Move.self, GroupVerb.self, Undo.self, Wait.self, Monitor.self, History.self, Log.self,
      Status.self, AnniversaryVerb.self, Import.self, Export.self, Resolve.self, Now.self, Times.self,
      Completion.self,
    ],
    defaultSubcommand: List.self)

  /// The words after `eggctl` need no more than this.
  public init() {}

  /// Does what the process's arguments ask for and ends it.
  public static func runProcess() -> Never {
    Glibc.exit(run(Array(CommandLine.arguments.dropFirst()), in: .process).rawValue)
  }

  /// Does what the words ask for.
  static func run(_ words: [String], in surroundings: Surroundings) -> ExitStatus {
    let output = surroundings.output
    do {
      try perform(words, in: surroundings)
      try output.flush()
      return .success
    } catch {
      let failure = error as? Failure ?? Failure(.bug, "\(error)".visible)
      // Where even this cannot be written, the status alone has to tell.
      try? output.report(failure)
      return failure.status
    }
  }

  private static func perform(_ words: [String], in surroundings: Surroundings) throws {
    var command: any ParsableCommand
    do {
      command = try parseAsRoot(TimingOptions.joined(words))
      if !(command is any Verb) { try command.run() }
    } catch {
      guard exitCode(for: error).isSuccess else { throw usage(error, words) }
      return try surroundings.output.data(fullMessage(for: error) + "\n")
    }
    if let verb = command as? any Verb { try verb.run(in: surroundings) }
  }

  /// What ArgumentParser found wrong, in the form of all other errors.
  private static func usage(_ error: any Error, _ words: [String]) -> Failure {
    let verbs = configuration.subcommands.compactMap { $0.configuration.commandName }
    if let word = words.first, !word.hasPrefix("-"), word != "help", !verbs.contains(word) {
      return Failure(.usage, "there is no verb '\(word.visible)'", hint: "eggctl help")
    }
    let text = message(for: error).split(separator: "\n").first.map(String.init) ?? "not understood"
    let parts = (text.prefix(1).lowercased() + text.dropFirst()).visible
      .replacing(". Please provide", with: "; give").split(separator: ". Did you mean ", maxSplits: 1)
    let sentence = parts.first.map { $0.hasSuffix(".") ? $0.dropLast() : $0 } ?? ""
    let verb = words.first.flatMap { verbs.contains($0) ? " \($0)" : nil } ?? ""
    return Failure(
      .usage, String(sentence),
      hint: parts.count == 2 ? "did you mean \(parts[1])" : "eggctl help\(verb)")
  }
}
