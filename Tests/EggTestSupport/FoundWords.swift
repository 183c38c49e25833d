import EggTime

/// What a command line's words mean to a person: the moments, three where they recur, and the label.
package struct FoundWords {
  package let time: TimeExpression
  /// Civil times, without seconds that are 0: `2026-12-02 14:20, 2026-12-03 14:20`.
  package let text: String
  package let label: String?

  /// nil for what is refused. A label has at most 30 characters.
  package init?(_ words: [String], in context: ReadingContext) {
    guard let found = TypedWords(words, as: nil, in: context), found.suspect == nil,
      (try? found.time.instant(in: context)) != nil, found.label?.count ?? 0 <= 30
    else { return nil }
    let moments = (try? found.time.moments(in: context, count: 3)) ?? []
    (time, label) = (found.time, found.label)
    let times = moments.map { "\(context.zone.civil(at: $0))" }
    text = times.map { $0.hasSuffix(":00") ? String($0.dropLast(3)) : $0 }.joined(separator: ", ")
  }
}
