/// The words of a language: all that is to be written for a further one, but for its line in ``Lexicon``.
struct Language: Sendable {
  /// Each way to write a word, in lower case, and what it can mean. Several forms stand with blanks between
  /// them.
  let table: [(forms: String, meanings: [Meaning])]
}
