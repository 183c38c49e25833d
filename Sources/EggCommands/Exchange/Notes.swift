import Gettext

/// Notes on alarms or lines: each text is printed once, with the number of its subjects.
struct Notes {
  /// In order, each with its first subject.
  private var notes: [(text: String, subject: String, count: Int64)] = []
  /// How many further texts were dropped.
  private var others = 0

  /// `subject` is `line 12` or the like.
  mutating func add(_ text: String, of subject: String) {
    if let known = notes.firstIndex(where: { $0.text == text }) {
      notes[known].count += 1
    } else if notes.count < Output.mostNotes {
      notes.append((text, subject, 1))
    } else {
      others += 1
    }
  }

  func tell(_ output: Output) throws {
    let texts = notes.map { note in
      let others =
        note.count > 1
        ? tr(
          one: " and \(note.count - 1) other", many: " and \(note.count - 1) others", count: note.count - 1)
        : ""
      return "\(note.subject)\(others): \(note.text)"
    }
    try output.notes(texts, others: others)
  }
}
