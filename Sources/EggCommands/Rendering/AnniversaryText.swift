import Alarms
import EggTime

/// What a date of birth comes to on the present day, for people.
struct AnniversaryText {
  let anniversary: Anniversary
  let leapDay: Anniversary.LeapDay
  /// The present day on the caller's clock.
  let today: CivilDateTime

  /// Adds the lines, all of them computed here; age and days only from the birth on.
  func add(to fields: inout Fields) {
    fields.add("born", DisplayFormat.date(anniversary.birth))
    fields.add("age", anniversary.age(on: today, leapDay: leapDay).map { counted(Int64($0), "year") })
    fields.add("days", anniversary.dayCount(on: today).map { "\($0), the day of birth counted" })
    fields.add("occasion", occasion)
    fields.add("star sign", anniversary.starSign)
    fields.add("zodiac", anniversary.animal)
    fields.add("birthstone", anniversary.birthstone)
  }

  /// `3rd birthday (생일) on 2027. 02. 28., in 99 days`.
  private var occasion: String {
    let next = anniversary.nextOccasion(from: today, leapDay: leapDay)
    let when =
      switch next.day.dayNumber - today.dayNumber {
      case 0: "today"
      case 1: "tomorrow"
      case let days: "in \(days) days"
      }
    return "\(next.occasion.name) on \(DisplayFormat.date(next.day)), \(when)"
  }
}
