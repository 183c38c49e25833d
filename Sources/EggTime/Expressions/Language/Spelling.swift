/// Compares words by their edit distance.
package enum Spelling {
  /// The likely correction: one edit in three to five letters, two in longer words. nil for a candidate
  /// itself and for a word unlike any.
  static func nearest(to word: String, among candidates: [[UInt8]]) -> String? {
    let letters = Array(word.utf8)
    guard (3...12).contains(letters.count) else { return nil }
    let limit = letters.count < 6 ? 1 : 2
    let near = candidates.filter { areWithin(limit, letters[...], $0[...]) }
      .map { (word: $0, slips: distance(letters, $0)) }
    guard let best = near.min(by: { $0.slips < $1.slips }), best.slips > 0 else { return nil }
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
      before = last
      last = row
    }
    return last[b.count]
  }

  /// Whether ``distance(_:_:)`` is at most `limit`, told sooner of words with little in common.
  static func areWithin(
    _ limit: Int, _ a: ArraySlice<UInt8>, _ b: ArraySlice<UInt8>
  ) -> Bool {
    guard abs(a.count - b.count) <= limit else { return false }
    var (a, b) = (a, b)
    while let first = a.first, first == b.first { (a, b) = (a.dropFirst(), b.dropFirst()) }
    if a.isEmpty, b.isEmpty { return true }
    guard limit > 0 else { return false }
    let (aRest, bRest) = (a.dropFirst(), b.dropFirst())
    return areWithin(limit - 1, aRest, bRest) || areWithin(limit - 1, aRest, b)
      || areWithin(limit - 1, a, bRest)
      || a.first == bRest.first && aRest.first == b.first
        && areWithin(limit - 1, aRest.dropFirst(), bRest.dropFirst())
  }
}
