/// The words of a language. A new language needs only this and its line in ``Lexicon``.
struct Language: Sendable {
  /// Forms of a word in lower case, separated by blanks, with all their meanings.
  let table: [(forms: String, meanings: [Meaning])]
  /// What only asks for an alarm, before a time or a label, the longest first: `remind me to`.
  var framesBefore: [[String]] = []
  /// Likewise behind them: `알려줘`.
  var framesBehind: [[String]] = []
}
