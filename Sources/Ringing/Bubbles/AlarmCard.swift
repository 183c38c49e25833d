import Alarms

/// What bubble and journal say of an alarm. A class: the head, the rings and the bubbles of an alarm share one.
package final class AlarmCard: HasManner, Equatable, Sendable {
  package let id: AlarmID
  package let label: String?
  /// With the group's icon for an alarm without its own, and the beginning of the note, see ``excerpt(of:)``.
  package let manner: Manner
  /// The entered text. It decides whether the bubble offers Again.
  package let expression: String
  /// Again would make a second alarm that recurs.
  package let recurs: Bool
  package let category: Category
  package let group: String?

  package init(
    id: AlarmID, label: String? = nil, manner: Manner = Manner(), expression: String, recurs: Bool = false,
    category: Category = .other, group: String? = nil
  ) {
    self.id = id
    self.label = label
    var manner = manner
    manner.note = manner.note.map(Self.excerpt)
    self.manner = manner
    self.expression = expression
    self.recurs = recurs
    self.category = category
    self.group = group
  }

  package static func == (one: AlarmCard, other: AlarmCard) -> Bool {
    one === other
      || one.id == other.id && one.label == other.label && one.manner == other.manner
        && one.expression == other.expression && one.recurs == other.recurs && one.category == other.category
        && one.group == other.group
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
