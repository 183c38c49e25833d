import EggTime

/// A day that people celebrate.
public enum AnniversaryOccasion: Hashable, Sendable {
  case hundredthDay
  case firstBirthday
  /// The second or a later birthday, by age; nil for all of them.
  case birthday(age: Int?)

  /// English with the Korean word: `100th day (백일)`, `first birthday (돌)`, `2nd birthday (생일)`.
  public var name: String {
    switch self {
    case .hundredthDay: "100th day (\(word))"
    case .firstBirthday: "first birthday (\(word))"
    case .birthday(nil): "birthday (\(word))"
    case .birthday(let age?): "\(age)\(Self.ordinalSuffix(age)) birthday (\(word))"
    }
  }

  /// In Korean.
  public var word: String {
    switch self {
    case .hundredthDay: "백일"
    case .firstBirthday: "돌"
    case .birthday: "생일"
    }
  }

  private static func ordinalSuffix(_ number: Int) -> String {
    switch (number % 100, number % 10) {
    case (11...13, _): "th"
    case (_, 1): "st"
    case (_, 2): "nd"
    case (_, 3): "rd"
    default: "th"
    }
  }
}

extension Anniversary {
  /// `day` is at midnight.
  public typealias DatedOccasion = (occasion: AnniversaryOccasion, day: CivilDateTime)

  /// The first occasion on or after a day.
  public func nextOccasion(from day: CivilDateTime, leapDay: LeapDay) -> DatedOccasion {
    if day.dayNumber <= hundredthDay.dayNumber { return (.hundredthDay, hundredthDay) }
    var year = max(day.year, birth.year + 1)
    if birthday(in: year, leapDay: leapDay).dayNumber < day.dayNumber { year += 1 }
    let age = year - birth.year
    return (age == 1 ? .firstBirthday : .birthday(age: age), birthday(in: year, leapDay: leapDay))
  }
}
