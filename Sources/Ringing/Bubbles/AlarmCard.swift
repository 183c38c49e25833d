import Alarms

/// What bubble and journal say of an alarm.
package struct AlarmCard: HasManner, Hashable, Sendable {
  package var id: AlarmID
  package var label: String?
  /// With the group's icon for an alarm without its own, and the beginning of the note, see ``excerpt(of:)``.
  package var manner: Manner
  /// The entered text. It decides whether the bubble offers Again.
  package var expression: String
  /// Again would make a second alarm that recurs.
  package var recurs: Bool
  package var category: Category
  package var group: String?

  package init(
    id: AlarmID, label: String? = nil, manner: Manner = Manner(), expression: String, recurs: Bool = false,
    category: Category = .other, group: String? = nil
  ) {
    self.id = id
    self.label = label
    self.manner = manner
    self.manner.note = manner.note.map(Self.excerpt)
    self.expression = expression
    self.recurs = recurs
    self.category = category
    self.group = group
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

  package var shownLabel: String? { label?.visible }
}
