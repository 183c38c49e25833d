/// Writes calendar events in the form that systemd calls normalized.
enum CalendarText {
  static func of(_ fields: CalendarEvent.Fields) -> String {
    let days = fields.weekdays == CalendarEvent.Fields.allWeekdays ? "" : weekdays(fields.weekdays) + " "
    let date =
      list(fields.year, digits: 4) + "-" + list(fields.month) + (fields.daysFromEnd ? "~" : "-")
      + list(fields.day)
    let everySecond = CalendarList(components: [CalendarComponent(start: 0, stop: nil, step: 1_000_000)])
    let seconds = fields.second == everySecond ? "*" : list(fields.second, unit: 1_000_000)
    return "\(days)\(date) \(list(fields.hour)):\(list(fields.minute)):\(seconds)"
  }

  /// `Mon..Wed,Sat`: three or more in a row become a range.
  private static func weekdays(_ bits: UInt8) -> String {
    let days = Weekday.allCases.filter { bits >> $0.rawValue & 1 != 0 }
    return Weekday.names(of: days, through: "..", \.shortName).joined(separator: ",")
  }

  /// - Parameter unit: Of a value; what is left of it is a fraction with six digits.
  private static func list(_ list: CalendarList, digits: Int = 2, unit: Int = 1) -> String {
    guard !list.isAny else { return "*" }
    func text(_ value: Int, digits: Int) -> String {
      let (whole, fraction) = value.quotientAndRemainder(dividingBy: unit)
      return Digits.padded(whole, to: digits) + (fraction > 0 ? "." + Digits.padded(fraction, to: 6) : "")
    }
    return list.components.map { component in
      var item = text(component.start, digits: digits)
      if let stop = component.stop { item += ".." + text(stop, digits: digits) }
      if component.step > 0, component.stop == nil || component.step != unit {
        item += "/" + text(component.step, digits: 1)
      }
      return item
    }.joined(separator: ",")
  }
}
