import Alarms

/// What completion offers at the cursor.
struct Offer: Equatable {
  enum Kind: String {
    case words
    /// The shell shows the descriptions of numbers in every case: a number alone says nothing.
    case alarms
    /// Files, found by the shell itself, and the candidates.
    case files
    /// Machines that ssh knows, found by the shell itself.
    case hosts
  }

  struct Candidate: Equatable {
    var value: String
    var description: String?

    init(_ value: String, _ description: String? = nil) {
      self.value = value
      self.description = description
    }
  }

  var kind = Kind.words
  var candidates: [Candidate] = []

  /// The kind, then a line for each candidate: the value, and a tab and its description.
  var text: String {
    var text = "\(kind.rawValue)\n"
    // Another program can write anything into the database. An escaped value would name nothing.
    for candidate in candidates where candidate.value.visible == candidate.value {
      text += candidate.value + (candidate.description.map { "\t\($0.visible)" } ?? "") + "\n"
    }
    return text
  }
}
