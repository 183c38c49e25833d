import Testing

@testable import EggCommands

/// Without eggd: what it answers is asked in `search.sh`.
@Suite("what a search box finds")
struct SearchBoxTests {
  private let box = SearchBox(
    .test(output: Output(colours: (false, false)) { _, _ in }, directory: "/nonexistent"))

  private func names(_ text: String) -> [String] { box.results(for: text).map(\.name) }

  @Test(
    "words behind egg give the moment that eggctl schedule would answer",
    arguments: [
      ("egg 6m30s soft", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
      ("  Eggs\t6m30s", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
      ("egg 10m \"2 eggs\"", "2026. 11. 20. 21:44:30  in 10 min"),
      ("egg call mom tomorrow 7am", "2026. 11. 21. 07:00:00  in 9 h 25 min 30 s"),
      (
        "egg weekdays 7:00 get up",
        "2026. 11. 23. 07:00:00  on Monday  in 2 d 9 h 25 min 30 s  every Mon–Fri 07:00"
      ),
      ("계란 6분 30초 반숙", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
    ])
  func moment(text: String, name: String) { #expect(names(text) == [name]) }

  @Test("label, time and what is said of the rings stand with what Enter does")
  func detail() {
    let results = box.results(for: "egg tomorrow 14:30 meeting 15 minutes before")
    #expect(
      results.map(\.detail) == [
        "meeting · tomorrow 14:30 · 15 min before, at the moment · Enter schedules it"
      ])
  }

  @Test(
    "a text with two readings gives both, with the label that each has",
    arguments: [
      ("egg tomorrow 7", ["schedule\n\ntomorrow 07:00", "schedule\n\ntomorrow 19:00"]),
      ("egg tomorrow 7 tea", ["schedule\ntea\ntomorrow 07:00", "schedule\ntea\ntomorrow 19:00"]),
    ])
  func readings(text: String, ids: [String]) { #expect(box.results(for: text).map(\.id) == ids) }

  @Test(
    "other texts, refused times and endless texts give nothing",
    arguments: [
      "", "6m30s", "eggplant 6m", "hard-boiled egg 6m", "egg soft", "egg yesterday", "egg 25:99", "egg",
      "egg 6m " + String(repeating: "long", count: 10), "egg 6m " + String(repeating: " ", count: 1_000),
      "egg 6m" + String(repeating: " a", count: 60),
    ])
  func nothing(text: String) { #expect(names(text).isEmpty) }

  @Test(
    "an id alone gives its result again",
    arguments: ["egg 6m30s soft", "egg tomorrow 7 tea", "egg 10m \"2 eggs\""])
  func again(text: String) {
    let results = box.results(for: text)
    #expect(!results.isEmpty && results == results.map { box.result(of: $0.id) })
  }

  @Test(
    "an id that no result has gives nothing, and changes nothing",
    arguments: ["", "x", "schedule", "schedule\n", "schedule\n\n", "dismiss", "dismiss\nx", "list\n"])
  func unknown(id: String) {
    #expect(box.result(of: id) == nil)
    #expect(box.perform(id) != .done && box.perform(id) != .failed(Self.away))
  }

  @Test("without eggd Enter says why nothing was scheduled")
  func away() {
    #expect(box.perform("schedule\n\n6m") == .failed(Self.away))
    #expect(box.perform("list") == .list)
  }

  private static let away =
    "eggd is not running, or uses another XDG_RUNTIME_DIR: there is no /nonexistent/eggd/eggd.sock"
}
