public enum MonthDay: Hashable, Sendable {
  /// 1 to 31, or -1 (the last) to -31 (the 31st from the end). A month may lack it.
  case day(Int)
  /// The nth such weekday: 1 to 5, or -1 (the last) to -5.
  case weekday(Weekday, Int)
  /// The nth day from Monday to Friday: 1 to 23, or -1 (the last) to -23. A month may lack it.
  case workday(Int)

  var isPossible: Bool {
    switch self {
    case .day(let day): (1...31).contains(abs(day))
    case .weekday(_, let number): (1...5).contains(abs(number))
    case .workday(let number): (1...23).contains(abs(number))
    }
  }

  /// 1 to 31; nil when the month lacks it.
  func day(in month: Int, of year: Int) -> Int? {
    guard isPossible else { return nil }
    let length = CivilDateTime.days(in: month, of: year)
    let day: Int
    switch self {
    case .day(let number): day = number > 0 ? number : length + 1 + number
    case .weekday(let weekday, let number) where number > 0:
      let first = CivilDateTime(year: year, month: month, day: 1).weekday.rawValue
      day = 1 + (weekday.rawValue - first + 7) % 7 + 7 * (number - 1)
    case .weekday(let weekday, let number):
      let last = CivilDateTime(year: year, month: month, day: length).weekday.rawValue
      day = length - (last - weekday.rawValue + 7) % 7 + 7 * (number + 1)
    case .workday(let number):
      let days = (1...length).filter {
        CivilDateTime(year: year, month: month, day: $0).weekday.rawValue < Weekday.saturday.rawValue
      }
      let place = number > 0 ? number - 1 : days.count + number
      guard days.indices.contains(place) else { return nil }
      day = days[place]
    }
    return (1...length).contains(day) ? day : nil
  }
}
