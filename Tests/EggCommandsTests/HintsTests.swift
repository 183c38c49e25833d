import EggTestSupport
import EggTime
import Testing

@testable import EggCommands

/// Every command that a refusal suggests works.
@Suite("Hints") struct HintsTests {
  private static let texts =
    TypedCase.all.map(\.text) + MeantCase.all.map(\.text)
    + SentenceCase.all.filter { $0.language == "wrong" }.map(\.text)

  @Test("A refusal suggests only what is read, with the label that it names", arguments: texts)
  func hints(text: String) throws {
    let context = try MeantCase.context(in: "Asia/Seoul")
    do {
      _ = try ExpressionWords.split(
        TypedCase.words(text), command: "eggctl schedule", as: nil, in: context)
    } catch let failure as Failure {
      let hint = failure.hint ?? ""
      #expect(!hint.hasPrefix("did you mean"), "\(hint)")
      for command in Self.commands(hint) {
        var words = TypedCase.words(command)
        guard words.starts(with: ["eggctl", "schedule"]) else {
          #expect(words.starts(with: ["eggctl", "anniversary"]), "\(command)")
          continue
        }
        words.removeFirst(2)
        let option = words.firstIndex { $0.hasPrefix("--label") || $0 == "--note" }
        let found = try ExpressionWords.split(
          Array(words[..<(option ?? words.count)]), command: "eggctl schedule", as: nil, in: context)
        #expect(option == nil || found.label == nil, "\(command)")
      }
    }
  }

  @Test(
    "A time behind a label is offered with each of its readings",
    arguments: MeantCase.all.filter {
      [
        "meeting at 3", "회의 3시", "dentist 3-4pm", "call mom tomorrow morning", "치과 내일 점심", "11시 30분 약",
        "ten to six pm", "close of business friday",
      ].contains($0.text)
    })
  func offered(row: MeantCase) throws {
    #expect(!row.offered.isEmpty)
    let context = try MeantCase.context(in: "Asia/Seoul")
    var hint = ""
    do {
      _ = try ExpressionWords.split(row.words, command: "eggctl schedule", as: nil, in: context)
    } catch let failure as Failure {
      hint = failure.hint ?? ""
    }
    let moments = Self.commands(hint).compactMap { command in
      let words = TypedCase.words(command).dropFirst(2).prefix { !$0.hasPrefix("--") }
      return FoundWords(Array(words), in: context)?.text
    }
    for text in row.offered {
      #expect(moments.contains(FoundWords(TypedCase.words(text), in: context)?.text ?? text), "\(hint)")
    }
  }

  private static func commands(_ hint: String) -> [String] {
    guard hint.hasPrefix("eggctl ") else { return [] }
    return hint.split(separator: ", or eggctl ").map {
      $0.hasPrefix("eggctl ") ? String($0) : "eggctl \($0)"
    }
  }
}
