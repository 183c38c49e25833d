/// Times of day, in seconds since midnight: each of the hours with each of the minutes and seconds.
struct ClockTimes: Sendable {
  /// Ascending; none is empty.
  private let hours: [Int]
  private let minutes: [Int]
  private let seconds: [Int]

  init(_ hours: some Sequence<Int>, _ minutes: some Sequence<Int>, _ seconds: some Sequence<Int>) {
    self.hours = hours.sorted()
    self.minutes = minutes.sorted()
    self.seconds = seconds.sorted()
  }

  var count: Int { hours.count * minutes.count * seconds.count }

  /// By rank.
  subscript(index: Int) -> Int {
    let (rest, second) = index.quotientAndRemainder(dividingBy: seconds.count)
    let (hour, minute) = rest.quotientAndRemainder(dividingBy: minutes.count)
    return hours[hour] * 3_600 + minutes[minute] * 60 + seconds[second]
  }

  func first(from earliest: Int) -> Int? {
    let (hour, minute, second) = (earliest / 3_600, earliest / 60 % 60, earliest % 60)
    for found in hours where found >= hour {
      if found > hour { return found * 3_600 + minutes[0] * 60 + seconds[0] }
      for later in minutes where later >= minute {
        if later > minute { return found * 3_600 + later * 60 + seconds[0] }
        if let last = seconds.first(where: { $0 >= second }) { return found * 3_600 + later * 60 + last }
      }
    }
    return nil
  }
}
