import EggTestSupport
import EggTime
import Testing

@testable import EggCommands

/// The examples of help and manual work, and those called refused are refused.
@Suite struct TimesTests {
  @Test("The examples are found")
  func found() {
    #expect(Self.inHelp.count >= 95)
    #expect(Self.refused.count >= 15)
    #expect(Self.ofMoments.count == 5)
    #expect(Self.inManual.count >= 115)
  }

  @Test("Every example of the help is accepted", arguments: TimesTests.inHelp)
  func help(example: String) throws {
    _ = try Self.read(example)
  }

  @Test("Every example of rings before and days off is read", arguments: TimesTests.ofMoments)
  func moments(example: String) throws {
    let context = ReadingContext(now: Run.now, zone: .utc)
    #expect(!MomentWords([example], as: nil, in: context).isEmpty)
  }

  @Test("Every example of refused texts is refused", arguments: TimesTests.refused)
  func refusals(example: String) {
    #expect(throws: ExpressionError.self) { try Self.read(example) }
  }

  @Test("Every example of the manual is accepted", arguments: TimesTests.inManual)
  func manual(example: String) throws {
    _ = try Self.read(example)
  }

  @Test("The lines of the help fit a terminal")
  func width() {
    for line in Times.configuration.discussion.split(separator: "\n") {
      #expect(String(line).displayWidth <= 80, "\(line)")
    }
  }

  private static func read(_ text: String) throws -> TimeExpression {
    try TimeExpression.read(text, in: ReadingContext(now: Run.now, zone: Zone.named("Europe/Paris")))
  }

  static let inHelp = helpExamples {
    !$0.hasPrefix("Refused") && !$0.hasPrefix("The label") && !$0.hasPrefix("Rings before")
  }
  static let ofMoments = helpExamples { $0.hasPrefix("Rings before") }
  static let refused = helpExamples { $0.hasPrefix("Refused") }

  /// The examples below the wanted titles. Three blanks separate examples; an explanation follows more than three.
  private static func helpExamples(below isWanted: (String) -> Bool) -> [String] {
    var title = ""
    var examples: [String] = []
    for line in Times.configuration.discussion.split(separator: "\n") {
      guard line.hasPrefix("  ") else {
        title = String(line)
        continue
      }
      guard isWanted(title) else { continue }
      var parts = line.split(separator: "   ").map { String($0.drop { $0 == " " }) }.filter { !$0.isEmpty }
      if line.dropFirst(2).contains("    ") { parts.removeLast() }
      examples += parts.filter { !$0.hasPrefix("--") && !$0.hasPrefix("and ") }
    }
    return examples
  }

  /// The lines of the displays, without explanations.
  static let inManual = {
    var isExample = false
    var examples: [String] = []
    for line in contents(ofFixture: "../../share/man/man7/eggctl-times.7").split(separator: "\n") {
      if line.hasPrefix(".") {
        isExample = line.hasPrefix(".Bd")
      } else if isExample, let example = line.split(separator: "   ").first {
        examples.append(String(example))
      }
    }
    return examples
  }()
}
