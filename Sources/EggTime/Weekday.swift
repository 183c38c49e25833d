/// A day of the week; Monday is 0, as in systemd.time(7).
public enum Weekday: Int, CaseIterable, Sendable {
  case monday
  case tuesday
  case wednesday
  case thursday
  case friday
  case saturday
  case sunday

  /// The weekday `dayNumber` days after 1970-01-01, which was a Thursday.
  public init(dayNumber: Int) {
    self = Weekday.allCases[Int.floorDivide(dayNumber + 3, 7).remainder]
  }

  /// The names of ascending days, of which three or more in a row become a range.
  static func names(of days: [Weekday], through dash: String, _ name: (Weekday) -> String) -> [String] {
    var names: [String] = []
    var rest = days[...]
    while let first = rest.first {
      let run = rest.enumerated().prefix { $0.element.rawValue == first.rawValue + $0.offset }.count
      let last = rest[rest.startIndex + run - 1]
      names += run >= 3 ? [name(first) + dash + name(last)] : rest.prefix(run).map(name)
      rest = rest.dropFirst(run)
    }
    return names
  }

  /// `Monday`
  var title: String { name.prefix(1).uppercased() + name.dropFirst() }

  /// English, lower case: `monday`.
  public var name: String {
    switch self {
    case .monday: translatable("monday")
    case .tuesday: translatable("tuesday")
    case .wednesday: translatable("wednesday")
    case .thursday: translatable("thursday")
    case .friday: translatable("friday")
    case .saturday: translatable("saturday")
    case .sunday: translatable("sunday")
    }
  }
}
