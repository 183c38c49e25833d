import Alarms
import EggTime

/// What bubble and journal say of an alarm.
package struct AlarmCard: Hashable, Sendable {
  package var id: AlarmID
  package var label: String?
  /// nil: ``RingWords/title``.
  package var summary: String?
  /// nil: ``RingWords/body``.
  package var body: String?
  /// nil: `eggd`.
  package var icon: String?
  /// The entered text. It decides whether the bubble offers Again.
  package var expression: String
  /// Again would make a second alarm that recurs.
  package var recurs: Bool
  package var category: Category
  /// The group's name.
  package var group: String?
  /// The beginning of the note, see ``excerpt(of:)``.
  package var note: String?
  /// nil: eggd's usual sound.
  package var sound: AlarmSound?
  /// How often bubble and sound are repeated until the ring is answered; nil for never.
  package var insist: TimeSpan?
  /// What runs when it rings.
  package var run: AlarmCommand?

  package init(
    id: AlarmID, label: String?, summary: String?, body: String?, icon: String?, expression: String,
    recurs: Bool = false, category: Category = .other, group: String? = nil, note: String? = nil,
    sound: AlarmSound? = nil, insist: TimeSpan? = nil, run: AlarmCommand? = nil
  ) {
    self.id = id
    self.label = label
    self.summary = summary
    self.body = body
    self.icon = icon
    self.expression = expression
    self.recurs = recurs
    self.category = category
    self.group = group
    self.note = note
    self.sound = sound
    self.insist = insist
    self.run = run
  }
}

extension AlarmCard {
  /// What a bubble has room for, in characters.
  private static let noteLength = 200

  /// As much of a note as a bubble shows, with `…` where it is cut. The head holds thousands of these.
  package static func excerpt(of note: String) -> String {
    let beginning = note.prefix(noteLength)
    return beginning.endIndex == note.endIndex ? note : beginning.dropLast() + "…"
  }

  /// The label, where there is one.
  package var shownLabel: String? { label?.visible }
}
