/// Texts in which marks join special characters into one Character with what stands beside them: such a Character equals
/// none of the special ones, and its bytes hold one all the same.
package enum MarkedTexts {
  /// Those that join what stands before them, and those that join what follows.
  private static let marks = [
    "\u{301}", "\u{20dd}", "\u{fe0f}", "\u{200d}", "\u{600}", "\u{d4e}", "\u{110bd}",
  ]

  /// Each of the characters with each mark before it, behind it, or both, among letters; then random texts of these.
  package static func around(_ specials: String) -> [String] {
    let specials = specials.unicodeScalars.map { String($0) }
    var pieces = specials
    for special in specials {
      for mark in marks {
        pieces.append(special + mark)
        pieces.append(mark + special)
        pieces.append(mark + special + mark)
        pieces.append(special + mark + special)
      }
    }
    var random = SeededGenerator(seed: 35)
    let letters = specials + marks + ["a"]
    let mixed = (0..<400).map { _ in
      (0..<Int.random(in: 1...8, using: &random))
        .map { _ in letters[Int.random(in: letters.indices, using: &random)] }.joined()
    }
    return pieces + pieces.map { "a\($0);touch pwned;\($0)" } + mixed
  }
}
