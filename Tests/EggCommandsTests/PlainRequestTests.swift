import Testing

@testable import EggCommands

@Suite("Command lines that are read without ArgumentParser")
struct PlainRequestTests {
  /// What ArgumentParser makes of the words; nil where it refuses them, or where they ask for something else.
  private static func parsed(_ words: [String]) -> PlainRequest? {
    let command = try? Eggctl.parseAsRoot(words)
    return switch command {
    case let verb as Schedule: (try? verb.request()).map { .schedule($0) }
    case let verb as Hungry: (try? verb.answer.form()).map { .hungry($0) }
    case let verb as List: (try? verb.request()).map { .list($0) }
    default: nil
    }
  }

  private static let answers = [[], ["--json"], ["-q"], ["--quiet"]]
  private static let schedules: [[String]] = [
    ["--label", "two soft ones"], ["--eggs", "2"], ["--eggs", "+2"], ["--category", "hard"], ["--in"],
    ["--group", "Sunday"], ["--title", "Wait"], ["--body", "two\nlines"], ["--key", "k"], ["--at"],
    ["--every"],
    ["--until", "2026-12-24"], ["--count", "10"], ["--if-missed", "record"],
    ["--if-missed", "ring-within=10m"],
  ]
  private static let lists: [[String]] = [
    ["--sort", "due"], ["--category", "soft"], ["--group", "Sunday"], ["--state", "ringing"],
    ["--label", "egg"], ["--due-before", "friday"], ["--due-from", "today 07:00"], ["--today"], ["--rung"],
    ["--done"], ["--undone"],
  ]

  /// Each option before the words that are none, and another one behind them; and all forms of the answer.
  private static func lines(_ verb: String, _ words: [String], _ options: [[String]]) -> [[String]] {
    let others = options.dropFirst() + answers.dropFirst()
    let pairs = zip(options, others).filter { $0.first != $1.first }
    return pairs.map { [verb] + $0 + words + $1 } + answers.map { [verb] + $0 + words }
  }

  static let plain =
    [[], ["hungry"], ["hungry", "--json"], ["list"], ["schedule", "6m", "30s", "eggs", "help", "list"]]
    + lines("schedule", ["6m30s", "eggs"], schedules) + lines("list", [], lists)

  @Test("are read as ArgumentParser reads them")
  func plainLines() throws {
    for words in Self.plain {
      let request = PlainRequest(words)
      #expect(request == Self.parsed(words), "\(words)")
      // what excludes each other is told by the verb
      if !words.filter({ ["--in", "--at", "--every"].contains($0) }).dropFirst().isEmpty { continue }
      #expect(request != nil, "\(words)")
    }
  }

  @Test(
    "are left to ArgumentParser where they are not of the usual form",
    arguments: [
      ["schedule"], ["schedule", "--help"], ["schedule", "-h"], ["help"], ["help", "schedule"], ["--version"],
      ["schedule", "6m", "--version"], ["schedule", "6m", "--eggs"], ["schedule", "6m", "--eggs", "two"],
      ["schedule", "6m", "--eggs", "-1"], ["schedule", "6m", "--eggs=2"], ["schedule", "6m", "--", "--eggs"],
      ["schedule", "6m", "--label", ""], ["schedule", "", "6m"], ["schedule", "6m", "--category", "raw"],
      ["schedule", "6m", "--label", "a", "--label", "b"], ["schedule", "6m", "--json", "--json"],
      ["schedule", "6m", "--json", "-q"], ["schedule", "6m", "--in", "--at"], ["schedule", "6m", "-e"],
      ["schedule", "-5m"], ["schedule", "6m", "--egg", "2"], ["schedule", "6m", "--all"],
      ["hungry", "now"], ["list", "soft"], ["list", "--sort", "size"], ["list", "--state", "done"],
      ["list", "--category", "soft", "--category", "hard"], ["--sort", "due"], ["lst"], ["show", "12"],
      ["schedule", "6m", "--generate-completion-script"], ["list", "--experimental-dump-help"],
    ])
  func otherLines(words: [String]) {
    #expect(PlainRequest(words) == nil)
  }
}
