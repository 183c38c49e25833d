/// Writes calendar events in the form that systemd calls normalized.
enum CalendarText {
  static func of(_ fields: CalendarEvent.Fields) -> String {
    let days = fields.weekdays == CalendarEvent.Fields.allWeekdays ? "" : weekdays(fields.weekdays) + " "
    let date =
      list(fields.year, digits: 4) + "-" + list(fields.month) + (fields.daysFromEnd ? "~" : "-")
      + list(fields.day)
    return "\(days)\(date) \(list(fields.hour)):\(list(fields.minute)):\(seconds(fields.second))"
  }

  /// `Mon..Wed,Sat`: three or more in a row become a range.
  private static func weekdays(_ bits: UInt8) -> String {
    let days = Weekday.allCases.filter { bits >> $0.rawValue & 1 != 0 }
    return Weekday.names(of: days, through: "..", \.shortName).joined(separator: ",")
  }

  private static func list(_ list: CalendarList, digits: Int = 2) -> String {
    guard !list.isAny else { return "*" }
    return list.components.map { component in
      var text = Digits.padded(component.start, to: digits)
      if let stop = component.stop { text += ".." + Digits.padded(stop, to: digits) }
      if component.step > (component.stop == nil ? 0 : 1) { text += "/\(component.step)" }
      return text
    }.joined(separator: ",")
  }

  private static func seconds(_ list: CalendarList) -> String {
    if list == CalendarList(components: [CalendarComponent(start: 0, stop: nil, step: 1_000_000)]) {
      return "*"
    }
    func text(_ value: Int, digits: Int = 2) -> String {
      let (second, fraction) = value.quotientAndRemainder(dividingBy: 1_000_000)
      let tail = fraction > 0 ? "." + Digits.padded(fraction, to: 6) : ""
      return Digits.padded(second, to: digits) + tail
    }
    return list.components.map { component in
      var item = text(component.start)
      if let stop = component.stop { item += ".." + text(stop) }
      if component.step > 0, component.stop == nil || component.step != 1_000_000 {
        item += "/" + text(component.step, digits: 1)
      }
      return item
    }.joined(separator: ",")
  }
}
