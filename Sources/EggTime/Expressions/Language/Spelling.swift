/// Compares words by their edit distance.
package enum Spelling {
  /// The likely correction: one edit in three to five letters, two in longer words. nil for a candidate
  /// itself and for a word unlike any.
  static func nearest(to word: String, among candidates: [[UInt8]]) -> String? {
    let letters = Array(word.utf8)
    guard (3...12).contains(letters.count) else { return nil }
    let limit = letters.count < 6 ? 1 : 2
    var best: (word: [UInt8], slips: Int)?
    for candidate in candidates where abs(candidate.count - letters.count) <= limit {
      let slips = distance(letters, candidate)
      if slips <= limit, slips < best?.slips ?? .max { best = (candidate, slips) }
    }
    guard let best, best.slips > 0 else { return nil }
    return String(decoding: best.word, as: UTF8.self)
  }

  /// Letters added, removed, replaced, or swapped with their neighbour.
  package static func distance<Letter: Equatable>(_ a: [Letter], _ b: [Letter]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, before[j - 1] + 1) }
        row.append(cost)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
