extension Meaning {
  /// What a word may be joined to in a language that writes words together.
  enum Link: Hashable {
    case number, place, unit, mark, counter, half, tail, approximation, weekday, day, part, ordinal, opener,
      particle, other

    var isNumber: Bool { self == .number || self == .place }

    /// Whether it begins no run of words.
    var needsBefore: Bool {
      switch self {
      case .unit, .mark, .counter, .tail, .approximation, .particle: true
      default: false
      }
    }

    func follows(_ link: Link) -> Bool {
      switch (link, self) {
      case (.number, .place), (.number, .unit), (.number, .mark), (.number, .counter), (.place, .counter):
        true
      case (.place, .number), (.place, .place), (.place, .unit), (.place, .mark): true
      case (.unit, .number), (.unit, .place), (.mark, .number), (.mark, .place): true
      case (.unit, .tail), (.mark, .tail), (.tail, .tail), (.half, .tail), (.approximation, .tail): true
      case (.unit, .half), (.mark, .half), (.half, .unit), (.half, .approximation): true
      case (.unit, .approximation), (.mark, .approximation), (.tail, .approximation), (.part, .approximation),
        (.counter, .approximation):
        true
      case (.weekday, .weekday), (.weekday, .part): true
      case (.day, .part), (.day, .number), (.day, .place), (.part, .number), (.part, .place), (.part, .part):
        true
      case (.opener, .unit), (.opener, .mark), (.opener, .weekday), (.opener, .day), (.ordinal, .unit),
        (.ordinal, .weekday):
        true
      case (.unit, .weekday), (.unit, .day), (.day, .weekday), (.day, .day): true
      case (.number, .particle), (.place, .particle), (.opener, .particle), (.other, _): false
      case (_, .particle): true
      default: false
      }
    }
  }

  var link: Link {
    switch self {
    case .number, .few: .number
    case .place: .place
    case .unit, .one: .unit
    case .dateMark, .hourMark: .mark
    case .times: .counter
    case .half: .half
    case .later, .ago, .before, .end, .during, .more: .tail
    case .weekday: .weekday
    case .day, .weekdays, .holiday, .week, .monthFromNow, .yearFromNow, .everyUnit, .everyOtherUnit, .lastDay:
      .day
    case .partOfDay, .meridiem, .time: .part
    case .next, .afterNext, .this, .last, .coming, .lunar: .opener
    case .ordinal: .ordinal
    case .about, .around: .approximation
    case .nothing, .topic, .until, .starting, .eachBehind, .to, .and, .or: .particle
    default: .other
    }
  }
}
