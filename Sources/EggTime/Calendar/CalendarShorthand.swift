/// The named events of systemd.time(7).
enum CalendarShorthand {
  private static let events: [(name: String, fields: CalendarEvent.Fields)] = {
    let minutely = fields { ($0.hour, $0.minute) = (.any, .any) }
    let hourly = fields { $0.hour = .any }
    let weekly = fields { $0.weekdays = 1 }
    let monthly = fields { $0.day = CalendarList(1) }
    let quarterly = fields { ($0.month, $0.day) = (CalendarList(1, 4, 7, 10), CalendarList(1)) }
    let semiannually = fields { ($0.month, $0.day) = (CalendarList(1, 7), CalendarList(1)) }
    let yearly = fields { ($0.month, $0.day) = (CalendarList(1), CalendarList(1)) }
    return [
      ("minutely", minutely), ("hourly", hourly), ("daily", fields { _ in }), ("weekly", weekly),
      ("monthly", monthly), ("quarterly", quarterly), ("semiannually", semiannually),
      ("semi-annually", semiannually), ("biannually", semiannually), ("bi-annually", semiannually),
      ("yearly", yearly), ("annually", yearly), ("anually", yearly),
    ]
  }()

  static let names = events.map(\.name)

  static func event(_ name: String) -> CalendarEvent.Fields? { events.first { $0.name == name }?.fields }

  /// `daily` for `day`.
  static func name(ofUnit word: String) -> String? {
    switch word {
    case "minute": "minutely"
    case "hour": "hourly"
    case "day": "daily"
    case "week": "weekly"
    case "month": "monthly"
    case "quarter": "quarterly"
    case "year": "yearly"
    default: nil
    }
  }

  /// Starts from daily.
  private static func fields(_ change: (inout CalendarEvent.Fields) -> Void) -> CalendarEvent.Fields {
    var fields = CalendarEvent.Fields()
    change(&fields)
    return fields
  }
}
