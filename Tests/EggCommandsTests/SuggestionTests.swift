import EggTestSupport
import EggTime
import Testing

@testable import EggCommands

/// What a refused command line suggests.
@Suite struct SuggestionTests {
  private static func context() throws -> ReadingContext {
    try ReadingContext(now: TypedCase.now, zone: Zone.named(TypedCase.zone))
  }

  private static func hint(_ words: [String], in context: ReadingContext) -> String? {
    do {
      _ = try ExpressionWords.split(words, command: "eggctl schedule", as: nil, in: context)
      return nil
    } catch {
      return (error as? Failure)?.hint
    }
  }

  @Test("A value that begins with a hyphen is suggested behind an equals sign")
  func equalsSign() {
    #expect(
      Run.alone("schedule", "5m", "--label", "-x")
        == .failed(
          .usage,
          """
          eggctl: error: missing value for '--label <label>'
          eggctl: hint: eggctl schedule 5m --label=-x

          """))
  }

  @Test(
    "Each suggested command line is accepted", arguments: TypedCase.all.filter { $0.meaning == "refused" })
  func accepted(row: TypedCase) throws {
    let context = try Self.context()
    let hint = try #require(Self.hint(row.words, in: context))
    for command in Self.commands(hint) {
      let typed = TypedCase.words(command)
      let end = typed.firstIndex { $0.hasPrefix("--") } ?? typed.count
      let split = try ExpressionWords.split(
        Array(typed[..<end]), command: "eggctl schedule", as: nil, in: context)
      #expect(split.label == nil, "\(command)")
      _ = try TimeExpression.read(split.expression, in: context)
      if let until = typed.firstIndex(of: "--until") {
        _ = try TimeExpression.read(typed[until + 1], in: context, as: .timestamp)
      }
    }
  }

  @Test(
    "A refusal offers each moment that its text may mean",
    arguments: MeantCase.all.filter { !$0.offered.isEmpty })
  func offered(row: MeantCase) throws {
    let context = try Self.context()
    var offered: [Instant] = []
    do {
      _ = try ExpressionWords.split(row.words, command: "eggctl schedule", as: nil, in: context)
    } catch let failure as Failure {
      offered = failure.choices.compactMap { choice in
        (try? TimeExpression.read(choice.expression, in: context))?.moment
      }
    }
    for text in row.offered {
      let moment = try TimeExpression.read(text, in: context).moment
      #expect(moment.map(offered.contains) ?? false, "\(text)")
    }
  }

  /// The times after `eggctl schedule`.
  private static func commands(_ hint: String) -> [String] {
    guard hint.hasPrefix("eggctl schedule ") else { return [] }
    return hint.split(separator: ", or ").map { String($0.dropFirst("eggctl schedule ".count)) }
  }

  @Test(
    "A number that may name an alarm or an hour is refused with a command line for each",
    arguments: [
      (
        ["1", "7", "tomorrow"],
        "eggctl edit 1 \"07:00 tomorrow\", or eggctl edit 1 \"19:00 tomorrow\", or eggctl edit 1 7 tomorrow 09:00 --at"
      ),
      (["1", "7", "minutes"], "eggctl edit 1 \"7 minutes\""),
      (["1", "7", "10m"], nil), (["1", "tomorrow"], nil),
    ] as [([String], String?)])
  func numbers(words: [String], hint: String?) throws {
    let rest = Array(words.drop { $0.allSatisfy(\.isNumber) })
    var found: String?
    do { try Edit.refuseTwoReadings(words, rest, in: Self.context()) } catch {
      found = (error as? Failure)?.hint
    }
    #expect(found == hint)
  }

  @Test(
    "The hint has a command line for each reading",
    arguments: [
      (
        "7am gym monday",
        "eggctl schedule 7am monday --label gym, or eggctl schedule 7am --label \"gym monday\""
      ),
      (
        "tomorrow meeting at 3",
        "eggctl schedule tomorrow at 03:00 --label meeting, or eggctl schedule tomorrow at 15:00 --label meeting, "
          + "or eggctl schedule tomorrow --label \"meeting at 3\""
      ),
      ("매년 설날", "eggctl anniversary \"설날\" 2026-1-1 --lunar"),
      (
        "매년 음력 8월 15일 차례", "eggctl anniversary \"차례\" 2026-8-15 --lunar"
      ),
      ("tomorrow 14:00-16:00", "eggctl schedule tomorrow 14:00"),
      ("내일 오전 9:00-10:00", "eggctl schedule 내일 오전 9:00"),
      (
        "9am london meeting",
        "eggctl schedule 9am --label \"london meeting\", or eggctl schedule \"9am london\" --label meeting"
      ),
      ("gym friday 2030", "eggctl schedule friday 2030 --label gym"),
      (
        "call tom at 5pm",
        "eggctl schedule tom at 5pm --label call, or eggctl schedule at 5pm --label \"call tom\""
      ),
      ("9-10am", "eggctl schedule 09:00"), ("at 7", "eggctl schedule at 07:00, or eggctl schedule at 19:00"),
      ("tomorow 7:30", "eggctl schedule tomorrow 7:30"),
    ])
  func wording(text: String, hint: String) throws {
    #expect(try Self.hint(TypedCase.words(text), in: Self.context()) == hint)
  }
}
