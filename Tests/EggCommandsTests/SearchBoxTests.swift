import EggTime
import Testing

@testable import EggCommands

/// What stands behind `egg`, without eggd: what it answers is asked in `search.sh`.
@Suite("what a search box finds")
struct SearchBoxTests {
  private static func box(directory: String = "/nonexistent", now: Instant = Run.now) -> SearchBox {
    var surroundings = Surroundings.test(
      output: Output(colours: (false, false)) { _, _ in }, directory: directory)
    surroundings.now = { now }
    return SearchBox(surroundings)
  }

  private let box = Self.box()

  private func names(_ text: String) -> [String] { box.results(for: text).map(\.name) }

  @Test(
    "words behind egg give the moment that eggctl schedule would answer",
    arguments: [
      (" 6m30s soft", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
      ("\t6m30s", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
      (" 10m \"2 eggs\"", "2026. 11. 20. 21:44:30  in 10 min"),
      (" call mom tomorrow 7am", "2026. 11. 21. 07:00:00  in 9 h 25 min 30 s"),
      (
        " weekdays 7:00 get up",
        "2026. 11. 23. 07:00:00  on Monday  in 2 d 9 h 25 min 30 s  every Mon–Fri 07:00"
      ),
      (" 6분 30초 반숙", "2026. 11. 20. 21:41:00  in 6 min 30 s"),
    ])
  func moment(text: String, name: String) { #expect(names(text) == [name]) }

  @Test("label, time and what is said of the rings stand with what Enter does")
  func detail() {
    let results = box.results(for: "tomorrow 14:30 meeting 15 minutes before")
    #expect(
      results.map(\.detail) == [
        "meeting · tomorrow 14:30 · 15 min before, at the moment · Enter schedules it"
      ])
  }

  @Test(
    "a text with two readings gives both, with the label that each has, and the moment that is shown",
    arguments: [
      (
        "tomorrow 7",
        ["schedule\n\n1795244400000000\ntomorrow 07:00", "schedule\n\n1795287600000000\ntomorrow 19:00"]
      ),
      (
        "tomorrow 7 tea",
        [
          "schedule\ntea\n1795244400000000\ntomorrow 07:00",
          "schedule\ntea\n1795287600000000\ntomorrow 19:00",
        ]
      ),
    ])
  func readings(text: String, ids: [String]) { #expect(box.results(for: text).map(\.id) == ids) }

  @Test(
    "refused times and endless texts give nothing",
    arguments: [
      "soft", "yesterday", "25:99", "", "6m " + String(repeating: "long", count: 130),
      "6m" + String(repeating: " a", count: 60),
    ])
  func nothing(text: String) { #expect(names(text).isEmpty) }

  @Test(
    "an id alone gives its result again",
    arguments: ["6m30s soft", "tomorrow 7 tea", "10m \"2 eggs\"", "1 month rent", "every 20m"])
  func again(text: String) {
    let results = box.results(for: text)
    #expect(!results.isEmpty && results == results.map { box.result(of: $0.id) })
  }

  @Test(
    "Enter schedules what was shown, though the words name another moment by then; a span counts from Enter",
    arguments: [
      ("21:34:31", "2026-11-20 21:34:31"), ("tomorrow 7:30 tea", "tomorrow 7:30"), ("6m30s soft", "6m30s"),
      ("1 month", "1 month"), ("every day 21:34:31", "every day 21:34:31"),
    ])
  func shown(text: String, sent: String) throws {
    let daemon = try ScriptedDaemon()
    defer { daemon.end() }
    let id = try #require(box.results(for: text).first).id
    let later = Self.box(directory: daemon.directory, now: Run.now + .seconds(2))
    #expect(later.enter(id) != nil)
    #expect(daemon.calls.last?.contains("\"expression\":\"\(sent)\"") == true, "\(daemon.calls)")
  }

  @Test("a moment that has passed since is shown no more")
  func passed() throws {
    let id = try #require(box.results(for: "21:34:31").first).id
    #expect(Self.box(now: Run.now + .seconds(2)).result(of: id) == nil)
  }

  @Test(
    "an id that no result has gives nothing, and changes nothing",
    arguments: [
      "", "x", "schedule", "schedule\n", "schedule\n\n", "schedule\n\n\n", "schedule\n\nx\n6m",
      "schedule\n\n-1\n6m", "schedule\n\n\(Int64.max)\n6m", "dismiss", "dismiss\nx", "list\n",
    ])
  func unknown(id: String) {
    #expect(box.result(of: id) == nil)
    #expect(box.enter(id).map { $0.message != Self.away } == true)
  }

  private static let away =
    "eggd is not running, or uses another XDG_RUNTIME_DIR: there is no /nonexistent/eggd/eggd.sock"

  @Test("eggd-search is told the parts of each result, with a NUL behind each")
  func answer() {
    #expect(
      Run.alone("search-box", "find", " 6m30s soft")
        == .said(
          """
          schedule\n\n\n6m30s\nsoft\0\
          2026. 11. 20. 21:41:00  in 6 min 30 s\0soft · 6m30s · Enter schedules it\0
          """))
    #expect(Run.alone("search-box", "find", "") == .said(""))
    #expect(Run.alone("search-box") == .said(""))
  }

  @Test("and why Enter did nothing, with the next command, as markup")
  func refusal() {
    #expect(
      Run.alone("search-box", "enter", "schedule\n\n\n6m")
        == .said("\(Self.away)\nsystemctl --user enable --now eggd.socket\0"))
    #expect(Run.alone("search-box", "enter", "schedule\n\n\n6m <b>7x").output.contains("&lt;b&gt;"))
  }
}
