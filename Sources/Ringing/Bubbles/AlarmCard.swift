import Alarms

/// What bubble and journal say of an alarm.
package struct AlarmCard: Hashable, Sendable {
  package var id: AlarmID
  package var label: String?
  /// nil: `Wait!`.
  package var summary: String?
  /// nil: `Your eggs are almost done!`.
  package var body: String?
  /// nil: `eggd`.
  package var icon: String?
  /// The entered text. It decides whether the bubble offers Again.
  package var expression: String
  /// Again would make a second alarm that recurs.
  package var recurs: Bool
  /// nil: eggd's usual sound.
  package var sound: AlarmSound?

  package init(
    id: AlarmID, label: String?, summary: String?, body: String?, icon: String?, expression: String,
    recurs: Bool = false, sound: AlarmSound? = nil
  ) {
    self.id = id
    self.label = label
    self.summary = summary
    self.body = body
    self.icon = icon
    self.expression = expression
    self.recurs = recurs
    self.sound = sound
  }
}

extension AlarmCard {
  /// For alarms without a summary of their own.
  package static let defaultSummary = "Wait!"
  /// For alarms without a body of their own.
  package static let defaultBody = "Your eggs are almost done!"

  /// The notification's first line.
  package var shownSummary: String { summary?.visible ?? Self.defaultSummary }
  /// The body without label and late lines.
  package var shownBody: String { body?.visibleLines ?? Self.defaultBody }
  /// The label, where there is one.
  package var shownLabel: String? { label?.visible }
}
