import Gettext

extension RecurringTime {
  /// For people: `every Mon–Fri 07:30`, `every 2 weeks on Mon, Thu 07:30`, `the last Fri of every month
  /// 17:00`. Omits zero seconds and the start of an interval. An event too complex for words is `every` and
  /// its canonical form.
  ///
  /// - Parameter zone: Follows the time of day, where the time itself names none.
  public func words(in wording: @escaping Wording, zone: String? = nil) -> String {
    let zone = zone.map { " " + $0 } ?? ""
    return switch self {
    case .event(let event): (EventWords.of(event, in: wording) ?? wording("every \(event)")) + zone
    case .interval(let interval): interval.words(in: wording) + zone
    case .rule(let set): set.words(in: wording, zone: zone)
    }
  }
}

/// Days and times of day in words.
public struct TimeWords {
  let wording: Wording

  public init(in wording: @escaping Wording) { self.wording = wording }

  /// `every Mon–Fri`
  func every(_ days: [Weekday]) -> String { wording(Phrase("every \(weekdays(days))", context: "weekdays")) }

  /// `Mon–Fri`, `Mon, Thu`: three or more in a row become a range.
  func weekdays(_ days: [Weekday]) -> String {
    Weekday.names(of: days, through: "–", name).joined(separator: ", ")
  }

  /// `the last Fri`
  func numbered(_ name: String, _ number: Int) -> String { wording("the \(ordinal(number)) \(name)") }

  /// `Mon`
  public func name(_ weekday: Weekday) -> String {
    switch weekday {
    case .monday: wording("Mon")
    case .tuesday: wording("Tue")
    case .wednesday: wording("Wed")
    case .thursday: wording("Thu")
    case .friday: wording("Fri")
    case .saturday: wording("Sat")
    case .sunday: wording("Sun")
    }
  }

  /// `first` to `fifth`, `10th`, `last`, `second last` to `fifth last`.
  private func ordinal(_ number: Int) -> String {
    let name =
      switch abs(number) {
      case 1: wording("first")
      case 2: wording("second")
      case 3: wording("third")
      case 4: wording("fourth")
      case 5: wording("fifth")
      default: inDigits(abs(number))
      }
    return number > 0 ? name : number == -1 ? wording("last") : wording("\(name) last")
  }

  /// `the 15th`, `the last day`, `the 3rd last day`.
  func day(_ day: Int) -> String {
    if day == -1 { return wording("the last day") }
    let name = inDigits(abs(day))
    return day < 0 ? wording("the \(name) last day") : wording("the \(name)")
  }

  /// `15th`
  private func inDigits(_ number: Int) -> String {
    switch (number, number % 10) {
    case (11...13, _): wording("\(number)th")
    case (_, 1): wording("\(number)st")
    case (_, 2): wording("\(number)nd")
    case (_, 3): wording("\(number)rd")
    default: wording("\(number)th")
    }
  }

  /// `24 Dec`
  func date(_ day: Int, _ month: Int) -> String { wording("\(day) \(self.month(month))") }

  /// `24 Dec`, with its year outside the 365 days from a month ago on, in which the day and the month name one date.
  public func date(_ date: CivilDate, today: Int) -> String {
    let text = self.date(date.day, date.month)
    return (-31..<334).contains(date.dayNumber - today)
      ? text : wording(Phrase("\(text) \(date.year)", context: "year"))
  }

  /// `24 Dec – 1 Jan`
  public func days(_ range: DayRange, today: Int) -> String {
    let first = date(range.first, today: today)
    return range.days.count == 1 ? first : "\(first) – \(date(range.last, today: today))"
  }

  func month(_ month: Int) -> String {
    switch month {
    case 1: wording("Jan")
    case 2: wording("Feb")
    case 3: wording("Mar")
    case 4: wording("Apr")
    case 5: wording("May")
    case 6: wording("Jun")
    case 7: wording("Jul")
    case 8: wording("Aug")
    case 9: wording("Sep")
    case 10: wording("Oct")
    case 11: wording("Nov")
    default: wording("Dec")
    }
  }
}

extension RecurringInterval {
  /// See ``RecurringTime/words(in:)``.
  func words(in wording: @escaping Wording) -> String {
    let days = days(TimeWords(in: wording))
    return isElapsed ? days : "\(days) \(TimeOfDay(start).text)" + (zoneName.map { " " + $0 } ?? "")
  }

  private func days(_ words: TimeWords) -> String {
    let say = words.wording
    switch step {
    case .elapsed(let span): return Self.words(of: span, in: say)
    case .days(1): return say("every day")
    case .days(let count): return say("every \(count) days")
    case .weeks(let count, let days):
      let names = Weekday.allCases.filter(days.contains)
      return count == 1 ? words.every(names) : say("every \(count) weeks on \(words.weekdays(names))")
    case .months(let count, .day(let day)) where count % 12 == 0 && day > 0:
      return years(count / 12, on: words.date(Int(day), start.month), say)
    case .months(let count, .day(let day)): return months(count, on: words.day(Int(day)), say)
    case .months(let count, .weekday(let weekday, let number)):
      return months(count, on: words.numbered(words.name(weekday), number), words)
    case .months(let count, .workday(let number)):
      return months(count, on: words.numbered(say("workday"), number), words)
    }
  }

  private func months(_ count: Int, on day: String, _ words: TimeWords) -> String {
    let say = words.wording
    if count == 1 { return say("\(day) of every month") }
    guard count % 12 == 0 else { return months(count, on: day, say) }
    return years(count / 12, on: say("\(day) of \(words.month(start.month))"), say)
  }

  private func months(_ count: Int, on day: String, _ say: Wording) -> String {
    count == 1 ? say("every month on \(day)") : say("every \(count) months on \(day)")
  }

  private func years(_ count: Int, on day: String, _ say: Wording) -> String {
    count == 1 ? say("every year on \(day)") : say("every \(count) years on \(day)")
  }

  /// `every 20 min`, `every 1 h 30 min`, `every hour`: every unit that is not zero.
  private static func words(of span: TimeSpan, in wording: Wording) -> String {
    switch span {
    case .seconds(1): return wording("every second")
    case .seconds(60): return wording("every minute")
    case .seconds(3_600): return wording("every hour")
    default:
      let own = SpanUnits(in: wording)
      let units: [(length: Int64, name: String)] = [
        (3_600_000_000, own.hour), (60_000_000, own.minute), (1_000_000, own.second), (1_000, " ms"),
        (1, " µs"),
      ]
      return wording(Phrase("every \(SpanText.text(span, in: units))", context: "span"))
    }
  }
}
