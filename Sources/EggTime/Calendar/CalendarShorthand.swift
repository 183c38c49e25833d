/// The named events of systemd.time(7).
enum CalendarShorthand {
  /// What they stand for.
  private static let events = [
    "minutely": "*-*-* *:*", "hourly": "*-*-* *:00", "daily": "*-*-* 00:00", "weekly": "Mon *-*-* 00:00",
    "monthly": "*-*-01 00:00", "quarterly": "*-01,04,07,10-01 00:00", "semiannually": "*-01,07-01 00:00",
    "semi-annually": "*-01,07-01 00:00", "biannually": "*-01,07-01 00:00", "bi-annually": "*-01,07-01 00:00",
    "yearly": "*-01-01 00:00", "annually": "*-01-01 00:00", "anually": "*-01-01 00:00",
  ]

  static let names = Array(events.keys)

  static func event(_ name: String) -> CalendarEvent.Fields? {
    guard var text = events[name].map({ Scanner($0) }),
      case .calendar(let fields, _, _, _)? = try? text.calendarEvent()
    else { return nil }
    return fields
  }

  private static let units: [PersonUnit: String] = [
    .minute: "minutely", .hour: "hourly", .day: "daily", .week: "weekly", .month: "monthly", .year: "yearly",
  ]

  static func event(every unit: PersonUnit) -> CalendarEvent.Fields? { units[unit].flatMap(event) }
}
