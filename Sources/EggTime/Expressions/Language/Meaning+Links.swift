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
      switch self {
      case .number: [.place, .unit, .mark, .day, .part].contains(link)
      case .place: [.number, .place, .unit, .mark, .day, .part].contains(link)
      case .unit: [.number, .place, .half, .opener, .ordinal].contains(link)
      case .mark: [.number, .place, .opener].contains(link)
      case .counter: [.number, .place].contains(link)
      case .half: [.unit, .mark].contains(link)
      case .tail: [.unit, .mark, .tail, .half, .approximation].contains(link)
      case .approximation: [.half, .unit, .mark, .tail, .part, .counter].contains(link)
      case .weekday: [.weekday, .opener, .ordinal, .unit, .day].contains(link)
      case .day: [.opener, .unit, .day].contains(link)
      case .part: [.weekday, .day, .part].contains(link)
      case .particle: ![.number, .place, .opener, .other].contains(link)
      case .ordinal, .opener, .other: false
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
