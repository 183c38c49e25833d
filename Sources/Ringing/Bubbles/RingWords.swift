import Alarms

/// The title and the body of alarms without their own. A class, as each of thousands of rings refers to it.
package final class RingWords: Sendable {
  package let title: String
  package let body: String

  /// Without a configuration.
  package static let standard = RingWords(title: "Wait!", body: "Your eggs are almost done!")

  package init(title: String, body: String) {
    self.title = title.visible
    self.body = body.visibleLines
  }
}

extension RingWords: Hashable {
  package static func == (a: RingWords, b: RingWords) -> Bool {
    a === b || a.title == b.title && a.body == b.body
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(title)
    hasher.combine(body)
  }
}

extension Notice {
  /// The same, with these words where the alarm has none of its own.
  package func saying(_ words: RingWords) -> Notice {
    var copy = self
    copy.words = words
    return copy
  }

  /// The notification's first line.
  package var shownSummary: String { card.summary?.visible ?? words.title }
  /// The body without label and late lines.
  package var shownBody: String { card.body?.visibleLines ?? words.body }
}
