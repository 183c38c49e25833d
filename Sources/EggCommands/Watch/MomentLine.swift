import EggTime

/// An entered line, apart from what it says of rings and days off: `15 minutes before`, `except holidays`.
struct MomentLine {
  /// nil if it says nothing of them.
  let moments: MomentWords?
  /// The other words; the line as it is if there are only those.
  let text: String

  /// - Parameter isTimeOptional: The line may say nothing else.
  init(_ line: String, in context: ReadingContext, isTimeOptional: Bool = false) {
    let words = line.split(separator: " ").map(String.init)
    let said = MomentWords(words, as: nil, in: context, isTimeOptional: isTimeOptional)
    (moments, text) = said.isEmpty ? (nil, line) : (said, TypedWords.spaced(said.rest[...]))
  }
}
