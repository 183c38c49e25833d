import Alarms
import EggProtocol
import EggTime
import Gettext

/// Marks recurring alarms where there is no room for their rule: one cell wide, readable without colours.
enum RecurringSign {
  static let text = "↻"

  /// The sign before the label; the sign alone without a label.
  static func text(before label: String) -> String { label.isEmpty ? text : "\(text) \(label)" }
}

extension WireAlarm {
  var isRecurring: Bool { kind == .every || recurrence != nil }

  /// Its event, interval or rule, as eggd wrote it; nil for a one-shot.
  var recurrence: String? { calendarEvent ?? interval ?? rule }

  /// Its event, interval or rule; nil for a one-shot, or if this eggctl cannot read it.
  var recurringTime: RecurringTime? {
    RecurringTime(event: calendarEvent, interval: interval, rule: rule)
  }

  /// Whether it rings on named dates, as lunar birthdays do.
  var hasDates: Bool {
    if case .rule(let set) = recurringTime { set.rule == nil } else { false }
  }

  /// `every Mon–Fri 07:30`, with the zone unless that is the caller's; nil for a one-shot.
  func rule(in zone: Zone) -> String? {
    guard isRecurring else { return nil }
    if anniversary != nil, hasDates { return tr("each lunar birthday") }
    if let birth = anniversary, (birth.month, birth.day) == (2, 29),
      calendarEvent?.contains("-03-01 ") ?? false
    {
      return tr("every 1 March of years without a 29 February")
    }
    guard let time = recurringTime else {
      return recurrence.map { tr("every \($0.visible)") }
    }
    let clock = isElapsed || time.zoneName != nil || zone.identifier == "localtime" ? nil : self.zone
    return time.words(in: tr, zone: clock == zone.identifier ? nil : clock?.visible)
  }

  /// Whether it counts elapsed time, so that it depends on no zone.
  var isElapsed: Bool {
    if case .interval(let interval) = recurringTime { interval.isElapsed } else { false }
  }
}
