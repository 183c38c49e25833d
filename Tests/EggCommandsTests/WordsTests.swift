import Alarms
import EggProtocol
import EggTime
import Testing

@testable import EggCommands

@Suite struct WordsTests {
  /// Reads a few expressions, so that these tests are about words alone.
  private func split(_ words: String...) throws -> ExpressionWords {
    let expressions = ["tomorrow", "tomorrow 07:30", "07:30", "6m", "6m 30s", "noon", "2026. 12. 24. 18:00"]
    return try ExpressionWords.split(words, verb: "schedule") {
      expressions.contains($0)
        ? nil : .unreadable($0, at: 0, reason: "not understood from here", readings: [])
    }
  }

  @Test("words are joined as far as they read as one expression")
  func joined() throws {
    #expect(try split("tomorrow", "07:30") == ExpressionWords(expression: "tomorrow 07:30"))
    #expect(try split("6m", "30s") == ExpressionWords(expression: "6m 30s"))
    let spaced = ExpressionWords(expression: "2026. 12. 24. 18:00")
    #expect(try split("2026.", "12.", "24.", "18:00") == spaced)
  }

  @Test("one word or quoted text behind the expression is the label")
  func label() throws {
    #expect(try split("6m", "eggs") == ExpressionWords(expression: "6m", label: "eggs"))
    #expect(try split("6m", "two soft ones") == ExpressionWords(expression: "6m", label: "two soft ones"))
    #expect(try split("6m", "30s", "eggs") == ExpressionWords(expression: "6m 30s", label: "eggs"))
  }

  @Test("several bare words behind the expression are refused with the quoted form")
  func severalWords() throws {
    let failure = Failure(
      .usage, "'two soft ones' is several words behind the time '6m'",
      excerpt: "  6m two soft ones\n     ^\n", hint: "eggctl schedule 6m --label \"two soft ones\"")
    #expect(throws: failure) { try split("6m", "two", "soft", "ones") }
  }

  @Test("a word that is a time itself is no label")
  func secondTime() throws {
    let failure = Failure(
      .usage, "'tomorrow noon' does not read as one time; is 'noon' the label?",
      excerpt: "  tomorrow noon\n           ^\n", hint: "eggctl schedule tomorrow --label noon")
    #expect(throws: failure) { try split("tomorrow", "noon") }
  }

  @Test("a word that looks like a time of day but is none cannot be read", arguments: ["25:00", "7:3x"])
  func noTimeOfDay(_ word: String) throws {
    let failure = Failure.unreadable(
      "tomorrow \(word)", at: 0, reason: "not understood from here", readings: [])
    #expect(throws: failure) { try split("tomorrow", word) }
  }

  @Test("where nothing reads, the whole text is what cannot be read")
  func nothingReads() throws {
    let failure = Failure.unreadable(
      "6x eggs", at: 0, reason: "not understood from here", readings: [])
    #expect(throws: failure) { try split("6x", "eggs") }
  }

  @Test("alarms are named by numbers, ranges and UUIDs; other words are left")
  func selection() throws {
    let id = AlarmID()
    let (selection, rest) = try WireSelection.read(["12", "#3", "4-6", "\(id)", "10m", "7"])
    #expect(
      selection
        == WireSelection(numbers: [12, 3], ids: [id], ranges: [NumberRange(first: 4, last: 6)]))
    #expect(rest == ["10m", "7"])
  }

  @Test(
    "a name that no alarm can have is refused",
    arguments: ["0", "#0", "0-3", "7-3", "99999999999999999999"])
  func impossibleName(_ word: String) {
    #expect(throws: Failure.self) { try WireSelection.read([word]) }
  }

  @Test(
    "calendar events are joined like any other expression, whatever the shell made of their words",
    arguments: [
      (["Mon..Fri", "07:30", "wake up"], "Mon..Fri 07:30", "wake up"), (["daily", "tea"], "daily", "tea"),
      (["daily", "Europe/Paris"], "daily Europe/Paris", nil),
      (["every", "friday", "07:30", "x"], "every friday 07:30", "x"),
      (["Sat,Sun", "09:00"], "Sat,Sun 09:00", nil),
      (["*-*-01", "08:00", "UTC", "rent"], "*-*-01 08:00 UTC", "rent"),
      (["07:30", "Europe/Paris", "get up"], "07:30 Europe/Paris", "get up"),
    ] as [([String], String, String?)])
  func calendarEvents(words: [String], expression: String, label: String?) throws {
    let context = ReadingContext(now: Run.now, zone: .utc)
    let found = try ExpressionWords.split(words, verb: "schedule") { text in
      (try? TimeExpression.read(text, in: context)) == nil
        ? .unreadable(text, at: 0, reason: "not read", readings: []) : nil
    }
    #expect(found == ExpressionWords(expression: expression, label: label))
  }
}
