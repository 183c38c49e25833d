import Alarms
import EggProtocol
import EggTime
import Testing

@testable import EggCommands

@Suite struct WordsTests {
  private func split(_ words: [String]) throws -> ExpressionWords {
    let context = try ReadingContext(now: Run.now, zone: Zone.named("Europe/Paris"))
    return try ExpressionWords.split(words, command: "eggctl schedule", as: nil, in: context)
  }

  /// A refusal's hint, else its message.
  private func refusal(_ words: [String]) throws -> String {
    do {
      let found = try split(words)
      return "read as '\(found.expression)', label '\(found.label ?? "")'"
    } catch let failure as Failure {
      return failure.hint ?? failure.message
    }
  }

  @Test("Words are joined as far as they form one expression")
  func joined() throws {
    #expect(try split(["tomorrow", "07:30"]) == ExpressionWords(expression: "tomorrow 07:30"))
    #expect(try split(["6m", "30s"]) == ExpressionWords(expression: "6m 30s"))
    let spaced = ExpressionWords(expression: "2026. 12. 24. 18:00")
    #expect(try split(["2026.", "12.", "24.", "18:00"]) == spaced)
  }

  @Test(
    "Words that cannot belong to the time are the label",
    arguments: [
      (["6m", "eggs"], "6m", "eggs"), (["6m", "two soft ones"], "6m", "two soft ones"),
      (["6m", "30s", "eggs"], "6m 30s", "eggs"), (["10m", "call", "mom"], "10m", "call mom"),
      (["6m30s", "two", "soft", "ones"], "6m30s", "two soft ones"),
      (["10m", "out", "of", "the", "oven"], "10m", "out of the oven"),
      (["5pm", "noon tea"], "5pm", "noon tea"), (["tomorrow", "07:30", "gym"], "tomorrow 07:30", "gym"),
      (["Mon..Fri", "07:30", "wake up"], "Mon..Fri 07:30", "wake up"), (["daily", "tea"], "daily", "tea"),
      (["daily", "Europe/Paris"], "daily Europe/Paris", nil),
      (["every", "friday", "07:30", "x"], "every friday 07:30", "x"),
      (["Sat,Sun", "09:00"], "Sat,Sun 09:00", nil),
      (["*-*-01", "08:00", "UTC", "rent"], "*-*-01 08:00 UTC", "rent"),
      (["07:30", "Europe/Paris", "get up"], "07:30 Europe/Paris", "get up"),
      (["march", "3", "pudding"], "march 3", "pudding"),
      (["tomorrow", "soft", "ones"], "tomorrow", "soft ones"), (["5분", "라면"], "5분", "라면"),
    ] as [([String], String, String?)])
  func label(words: [String], expression: String, label: String?) throws {
    #expect(try split(words) == ExpressionWords(expression: expression, label: label))
  }

  @Test(
    "A word that may belong to the time is refused, with a command line for each reading",
    arguments: [
      ("5pm tomorow", "eggctl schedule 5pm tomorrow, or eggctl schedule 5pm --label tomorow"),
      (
        "at seven o'clock pm tomorow",
        "eggctl schedule \"at seven o'clock pm tomorrow\", "
          + "or eggctl schedule \"at seven o'clock pm\" --label tomorow"
      ),
      (
        "07:30 EST",
        "eggctl schedule 07:30 America/New_York, or eggctl schedule 07:30 --label EST"
      ),
      (
        "tomorrow 7",
        "eggctl schedule tomorrow 07:00, or eggctl schedule tomorrow 19:00, or eggctl schedule tomorrow --label 7"
      ),
      (
        "tomorrow 7 eggs",
        "eggctl schedule tomorrow 07:00 --label eggs, or eggctl schedule tomorrow 19:00 --label eggs, "
          + "or eggctl schedule tomorrow --label \"7 eggs\""
      ),
      ("07:30 Europe/Pariss", "eggctl schedule 07:30 --label Europe/Pariss"),
      ("9:00 Turkey", "eggctl schedule 9:00 Europe/Istanbul, or eggctl schedule 9:00 --label Turkey"),
      ("10m in the evning", "eggctl schedule 10m --label \"in the evning\""),
      ("1h 30 eggs", "eggctl schedule 1h --label \"30 eggs\", or eggctl schedule \"1h 30\" --label eggs"),
      (
        "monday week 10am car service",
        "eggctl schedule monday + 1 week 10am --label \"car service\", or eggctl schedule monday next week 10am "
          + "--label \"car service\", or eggctl schedule monday --label \"week 10am car service\""
      ),
      (
        "tonight dinner at 11",
        "eggctl schedule tonight at 11 --label dinner, or eggctl schedule today 20:00 --label \"dinner at 11\""
      ),
      (
        "monday morning meeting 9am",
        "eggctl schedule monday morning 9am --label meeting, or eggctl schedule monday 08:00 --label \"meeting 9am\", "
          + "or eggctl schedule monday --label \"morning meeting 9am\""
      ),
      ("in -5 minutes", "6m30s, 07:30, tomorrow 07:30, 2026-12-24 18:00; more: eggctl help times"),
      ("1h thirty", "eggctl schedule 1h --label thirty"),
      ("10m second", "eggctl schedule 10m --label second"), ("6m 3x", "eggctl schedule 6m --label 3x"),
      ("18:00 at", "eggctl schedule 18:00 --label at"), ("10m 내일", "eggctl schedule 10m --label \"내일\""),
      ("10m 2 eggs", "eggctl schedule 10m --label \"2 eggs\", or eggctl schedule \"10m 2\" --label eggs"),
      ("tomorrow 25:00", "eggctl schedule tomorrow --label 25:00"),
      (
        "tomorrow two eggs",
        "eggctl schedule tomorrow 02:00 --label eggs, or eggctl schedule tomorrow 14:00 --label eggs, "
          + "or eggctl schedule tomorrow --label \"two eggs\""
      ),
    ])
  func refused(text: String, hint: String) throws {
    #expect(try refusal(text.split(separator: " ").map(String.init)) == hint)
  }

  @Test("A refusal points at the word, and has the readings apart")
  func pointed() throws {
    var failure = Failure(
      .usage, "'tomorow' after '5pm' may be part of the time",
      excerpt: "  5pm tomorow\n      ^\n",
      hint: "eggctl schedule 5pm tomorrow, or eggctl schedule 5pm --label tomorow")
    failure.choices = [
      ExpressionWords(expression: "5pm tomorrow"), ExpressionWords(expression: "5pm", label: "tomorow"),
    ]
    #expect(throws: failure) { try split(["5pm", "tomorow"]) }
  }

  @Test("If no words form a time, the message quotes the whole text")
  func nothingReads() throws {
    let failure = Failure.unreadable("6x eggs", at: 1, reason: "not a unit of time", readings: [])
    #expect(throws: failure) { try split(["6x", "eggs"]) }
  }

  @Test("Leading numbers, ranges and UUIDs name alarms; other words are left")
  func selection() throws {
    let id = AlarmID()
    let (selection, rest) = try WireSelection.read(["12", "#3", "4-6", "\(id)", "10m", "7"])
    #expect(
      selection
        == WireSelection(numbers: [12, 3], ids: [id], ranges: [NumberRange(first: 4, last: 6)]))
    #expect(rest == ["10m", "7"])
  }

  @Test(
    "A name that no alarm can have is refused",
    arguments: ["0", "#0", "0-3", "7-3", "99999999999999999999"])
  func impossibleName(_ word: String) {
    #expect(throws: Failure.self) { try WireSelection.read([word]) }
  }
}
