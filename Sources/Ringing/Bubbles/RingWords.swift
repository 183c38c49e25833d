import Alarms
import EggTime
import Gettext

/// The title and the body of alarms without their own.
package struct RingWords: Hashable, Sendable {
  package let title: String
  package let body: String

  /// Without a configuration.
  package static let standard = RingWords(title: "Wait!", body: "Your eggs are almost done!")

  package init(title: String, body: String) {
    self.title = title.visible
    self.body = body.visibleLines
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

/// The parts of a bubble's text that depend on the machine's zone and on time expressions.
package struct NoticeWording {
  /// A due moment in the display format.
  package var moment: (Instant) -> String
  /// The time of day of the first moment, if the second has the same date: `04:50:38`, `07:30`.
  package var sameDay: (Instant, Instant) -> String?
  /// A span in words, `6 min 30 s`.
  package var span: (TimeSpan) -> String
  /// Whether the entered text, read again, can lie ahead. It decides whether the bubble offers Again.
  package var offersAgain: (String) -> Bool

  /// Everything else, in the user's language.
  package var say: Wording
  /// The usual length first. Several are buttons with their lengths.
  package var snoozes: [SnoozeLength?] = []

  package init(
    moment: @escaping (Instant) -> String,
    sameDay: @escaping (Instant, Instant) -> String? = { _, _ in nil },
    span: @escaping (TimeSpan) -> String, offersAgain: @escaping (String) -> Bool,
    say: @escaping Wording = Phrase.english
  ) {
    self.say = say
    self.moment = moment
    self.sameDay = sameDay
    self.span = span
    self.offersAgain = offersAgain
  }
}

extension NoticeWording {
  /// A moment, without its date if that is today's.
  func text(_ moment: Instant, at now: Instant) -> String { sameDay(moment, now) ?? self.moment(moment) }

  /// The words that people see: moments in that format on the clock of `zone`, which is asked each time.
  package init(
    _ format: MomentFormat = .dotted, zone: @escaping () -> Zone, snoozes: [SnoozeLength] = [],
    say: @escaping Wording = Phrase.english
  ) {
    let units = SpanUnits(in: say)
    self.init(
      moment: { format.text($0, in: zone()) },
      sameDay: { moment, other in
        let (civil, other) = (zone().civil(at: moment), zone().civil(at: other))
        guard civil.dayNumber == other.dayNumber else { return nil }
        let time = format.time(civil)
        return format.format != .locale && civil.second == 0 ? String(time.dropLast(3)) : time
      }, span: { SpanText.left($0, in: units) }, offersAgain: { TimeExpression.canLieAhead($0) }, say: say)
    self.snoozes = snoozes
  }
}
