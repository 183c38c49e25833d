import Alarms
import EggProtocol
import EggTime
import Gettext

/// What an anniversary means today: age, days, next occasion.
struct AnniversaryText {
  private let anniversary: Anniversary
  /// The leap day rules that are possible for this alarm.
  private let leapDays: [Anniversary.LeapDay]
  private let moments: Moments
  /// The current date and time in the caller's zone.
  private let today: CivilDateTime

  /// nil for an alarm without an anniversary. Only a birthday's own time shows its leap day rule; that of the
  /// 100th day does not.
  init?(_ alarm: WireAlarm, moments: Moments) {
    guard let birth = alarm.anniversary,
      let anniversary = Self.lunar(alarm, birth) ?? Anniversary(birth: birth)
    else { return nil }
    self.anniversary = anniversary
    let time = alarm.calendarEvent ?? alarm.civil?.description ?? ""
    if !anniversary.isLeapDay || ["-02-28 ", "-02~01 "].contains(where: { time.contains($0) }) {
      leapDays = [.february28]
    } else {
      leapDays = ["-03-01 ", "-02-29 "].contains { time.contains($0) } ? [.march1] : [.february28, .march1]
    }
    self.moments = moments
    today = moments.zone.civil(at: moments.now)
  }

  /// nil unless the alarm is one of a lunar birthday: a list of dates, or the first birthday by that calendar.
  private static func lunar(_ alarm: WireAlarm, _ birth: CivilDate) -> Anniversary? {
    guard let date = LunarDate(birth.midnight), let anniversary = Anniversary(lunar: date) else { return nil }
    if alarm.hasDates { return anniversary }
    guard let day = alarm.civil?.dayNumber, let first = date.celebrated(in: date.year + 1),
      day == first.dayNumber, (first.month, first.day) != (birth.month, birth.day)
    else { return nil }
    return anniversary
  }

  var isLunar: Bool { anniversary.lunar != nil }

  /// `Mina birthday: 30 years` if that is today, and whether the occasion is the alarm's own. A birthday
  /// alarm also reports the 100th day, whose own alarm may not exist.
  func today(of alarm: WireAlarm) -> (text: String, isOwn: Bool)? {
    let next = leapDays.map { anniversary.nextOccasion(from: today, leapDay: $0) }
    let isHundredth = alarm.kind == .at && alarm.civil?.dayNumber == anniversary.hundredthDay.dayNumber
    guard let occasion = next.first(where: { $0.day.dayNumber == today.dayNumber })?.occasion,
      occasion == .hundredthDay || !isHundredth
    else { return nil }
    let who = alarm.label?.visible ?? "#\(alarm.number)"
    if case .birthday = occasion, let age { return (tr("\(who): \(age)"), true) }
    guard occasion == .hundredthDay, !isHundredth else { return (who, true) }
    return (tr("\(who): \(tr(occasion.name))"), false)
  }

  /// Adds the fields; age and days only from the birth on.
  func add(to fields: inout Fields) {
    fields.add(tr("born"), moments.date(anniversary.birth.midnight))
    if let lunar = anniversary.lunar {
      let month = lunar.isLeapMonth ? tr("leap month \(lunar.month)") : tr("month \(lunar.month)")
      fields.add(tr("lunar"), tr("year \(lunar.year), \(month), day \(lunar.day)"))
      if lunar.isLeapMonth {
        fields.add(tr("kept"), tr("in the leap month of years that have it, else in month \(lunar.month)"))
      }
      if lunar.day == 30 { fields.add(tr("kept"), tr("on the 29th where the month has no 30th")) }
    }
    fields.add(tr("age"), age)
    fields.add(tr("days"), anniversary.dayCount(on: today).map { tr("\($0), the day of birth counted") })
    fields.add(tr("occasion"), occasion)
    fields.add(tr("star sign"), tr(received: anniversary.starSign))
    fields.add(tr("zodiac"), anniversary.animal.map { tr(received: $0) })
    fields.add(tr("birthstone"), tr(received: anniversary.birthstone))
  }

  /// `2 years`; `2 or 3 years` if the leap day rule is unknown and matters today.
  private var age: String? {
    let ages = leapDays.compactMap { anniversary.age(on: today, leapDay: $0) }
    guard let youngest = ages.min(), let oldest = ages.max() else { return nil }
    let years = tr(one: "\(oldest) year", many: "\(oldest) years", count: Int64(oldest))
    return youngest < oldest ? tr("\(youngest) or \(years)") : years
  }

  /// `3rd birthday on 2027. 02. 28., in 99 days`; both days, without how far they are, if the leap day
  /// rule is unknown.
  private var occasion: String {
    let all = leapDays.map { anniversary.nextOccasion(from: today, leapDay: $0) }
    guard let next = all.first, let other = all.last else { return "" }
    guard next.day == other.day else {
      let otherDay = moments.date(other.day)
      let otherOccasion =
        next.occasion == other.occasion ? otherDay : tr("\(tr(other.occasion.name)) on \(otherDay)")
      return tr("\(tr(next.occasion.name)) on \(moments.date(next.day)) or \(otherOccasion)")
    }
    let when =
      switch next.day.dayNumber - today.dayNumber {
      case 0: tr("today")
      case 1: tr("tomorrow")
      case let days: tr("in \(days) days")
      }
    return tr("\(tr(next.occasion.name)) on \(moments.date(next.day)), \(when)")
  }
}
