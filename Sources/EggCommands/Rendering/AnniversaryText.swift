import Alarms
import EggProtocol
import EggTime

/// What a date of birth comes to on the present day, for people.
struct AnniversaryText {
  private let anniversary: Anniversary
  private let leapDay: Anniversary.LeapDay
  /// The present day on the caller's clock.
  private let today: CivilDateTime

  /// nil for an alarm that is no occasion. When birthdays of a 29 February are kept is told by the alarm's own time.
  init?(_ alarm: WireAlarm, moments: Moments) {
    guard let birth = alarm.anniversary, let anniversary = Anniversary(birth: birth) else { return nil }
    self.anniversary = anniversary
    let time = alarm.calendarEvent ?? alarm.civil?.description ?? ""
    leapDay = ["-03-01 ", "-02-29 "].contains { time.contains($0) } ? .march1 : .february28
    today = moments.zone.civil(at: moments.now)
  }

  /// Adds the lines, all of them computed here; age and days only from the birth on.
  func add(to fields: inout Fields) {
    fields.add("born", DisplayFormat.date(anniversary.birth.midnight))
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
