import Testing

@testable import EggTime

@Suite struct LexiconTests {
  @Test(
    "Each word of a language beyond ASCII has such a letter, as texts without one are not compared with it")
  func beyondASCII() {
    let languages = Lexicon.languagesBeyondASCII
    let words = languages.flatMap {
      $0.series.reduce($0.table, +).flatMap { $0.forms.split(separator: " ").map(String.init) }
    }
    let phrases = languages.flatMap { $0.moments.lead + $0.moments.except + $0.moments.onlyOn }
    #expect(words.count > 100 && !phrases.isEmpty)
    #expect((words + phrases.map { $0.joined() }).filter { ASCII.isAll($0) } == [])
  }
}
