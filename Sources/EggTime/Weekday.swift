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

  static func names(of days: [Weekday], through dash: String, _ name: (Weekday) -> String) -> [String] {
    days.map(\.rawValue).named(through: dash) { name(allCases[$0]) }
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

extension [Int] {
  /// The names of ascending numbers, of which three or more in a row become a range.
  package func named(through dash: String, _ name: (Int) -> String) -> [String] {
    var names: [String] = []
    var rest = self[...]
    while let first = rest.first {
      let run = zip(rest, first...).prefix { $0 == $1 }.count
      names += run > 2 ? [name(first) + dash + name(first + run - 1)] : rest.prefix(run).map(name)
      rest = rest.dropFirst(run)
    }
    return names
  }
}
