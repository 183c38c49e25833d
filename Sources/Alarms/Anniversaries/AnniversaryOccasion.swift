import EggTime
import Gettext

/// A day that people celebrate.
public enum AnniversaryOccasion: Hashable, Sendable {
  case hundredthDay
  case firstBirthday
  /// The second or a later birthday, by age; nil for all of them.
  case birthday(age: Int?)

  /// `100th day`, `first birthday`, `birthday`, `2nd birthday`.
  public var name: Phrase {
    switch self {
    case .hundredthDay: "100th day"
    case .firstBirthday: "first birthday"
    case .birthday(nil): "birthday"
    case .birthday(let age?):
      switch (age % 100, age % 10) {
      case (11...13, _): "\(age)th birthday"
      case (_, 1): "\(age)st birthday"
      case (_, 2): "\(age)nd birthday"
      case (_, 3): "\(age)rd birthday"
      default: "\(age)th birthday"
      }
    }
  }
}

extension Anniversary {
  /// The first occasion on or after a day, with its day at midnight.
  public func nextOccasion(
    from day: CivilDateTime, leapDay: LeapDay
  ) -> (occasion: AnniversaryOccasion, day: CivilDateTime) {
    if day.dayNumber <= hundredthDay.dayNumber { return (.hundredthDay, hundredthDay) }
    var year = max(year(of: day), yearOfBirth + 1)
    if birthday(in: year, leapDay: leapDay).dayNumber < day.dayNumber { year += 1 }
    let age = year - yearOfBirth
    return (age == 1 ? .firstBirthday : .birthday(age: age), birthday(in: year, leapDay: leapDay))
  }
}
