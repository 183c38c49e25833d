import EggProtocol
import EggTime

/// What marks recurring alarms where there is no room for their rule; one cell wide, readable without colours.
enum RecurringSign {
  /// Stands before the label.
  static let text = "↻"

  /// The label behind the sign; the sign alone where there is no label.
  static func text(before label: String) -> String { label.isEmpty ? text : "\(text) \(label)" }
}

extension WireAlarm {
  /// Whether it rings again and again.
  var isRecurring: Bool { kind == .every || calendarEvent != nil || interval != nil }

  /// Its event or interval; nil for what rings once, and for what this eggctl cannot read.
  var recurringTime: RecurringTime? {
    if let interval { return RecurringInterval(interval).map(RecurringTime.interval) }
    return calendarEvent.flatMap { CalendarEvent($0) }.map(RecurringTime.event)
  }

  /// `every Mon–Fri 07:30`, with the zone where that is not the one of the caller; nil for what rings once.
  func rule(in zone: Zone) -> String? {
    guard isRecurring else { return nil }
    guard let time = recurringTime else { return (calendarEvent ?? interval).map { "every \($0.visible)" } }
    let clock = isElapsed || time.zoneName != nil || zone.identifier == "localtime" ? nil : self.zone
    guard let clock, clock != zone.identifier else { return time.words }
    return "\(time.words) \(clock.visible)"
  }

  /// Whether it counts elapsed time, which is on no clock.
  var isElapsed: Bool {
    if case .interval(let interval) = recurringTime { interval.isElapsed } else { false }
  }
}
