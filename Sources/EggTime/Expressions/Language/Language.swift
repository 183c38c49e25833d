/// The words of a language. A new language needs only this and its line in ``Lexicon``.
struct Language: Sendable {
  /// Forms of a word in lower case, separated by blanks, with all their meanings.
  let table: [(forms: String, meanings: [Meaning])]
  /// What only asks for an alarm, before a time or a label, the longest first: `remind me to`.
  var framesBefore: [[String]] = []
  /// Likewise, before a number only: `set a 10-minute timer`, but not `set a table`.
  var framesBeforeDigits: [[String]] = []
  /// Likewise behind them: `알려줘`.
  var framesBehind: [[String]] = []
  /// Before one of ``framesBefore``: `could you`.
  var polite: [[String]] = []
  /// Of ``MomentWords``.
  var moments = MomentPhrases()
}

/// What stands around a span or a name of days off, word by word, the longest first.
struct MomentPhrases: Sendable {
  /// Behind a span: `before`.
  var lead: [[String]] = []
  /// Before or behind a name: `except`.
  var except: [[String]] = []
  /// Likewise: `only on`.
  var onlyOn: [[String]] = []
  /// A name comes first, a last word may be written together with its phrase, and phrases may stand anywhere.
  var isBehindNames = false
}
