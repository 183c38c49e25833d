import EggProtocol
import Varlink

/// The size of alarms and groups in a call.
struct CallWeight {
  /// Fields and elements, rounded up.
  private(set) var values = 0
  /// Bytes of JSON.
  private(set) var bytes = 0

  /// What eggd accepts in one call, less the call's own fields.
  static let most = CallWeight(
    values: ServerLimits.standard.valuesPerCall - 64, bytes: ServerLimits.standard.messageBytes - 4_096)
  /// A call is sent at this weight.
  static let full = CallWeight(values: most.values / 2, bytes: most.bytes / 2)

  func isWithin(_ other: CallWeight) -> Bool { values <= other.values && bytes <= other.bytes }

  static func + (one: CallWeight, other: CallWeight) -> CallWeight {
    CallWeight(values: one.values + other.values, bytes: one.bytes + other.bytes)
  }
}

extension CallWeight {
  /// An occurrence has 12 fields, and is an element itself.
  private static let occurrenceValues = 13
  /// An alarm has 47 fields, one of which is the latest occurrence.
  private static let alarmValues = 47 + occurrenceValues

  /// - Parameter bytes: Of its JSON.
  init(of item: ImportedAlarm, bytes: Int) {
    let lists = (item.alarm.leads?.count ?? 0) + (item.alarm.skips?.count ?? 0)
    let names = (item.alarm.except?.count ?? 0) + (item.alarm.onlyOn?.count ?? 0)
    values = Self.alarmValues + lists + names + Self.occurrenceValues * item.occurrences.count
    self.bytes = bytes + 64
  }

  init(of days: WireDaysOff) {
    values = 8 + (days.days?.count ?? 0)
    bytes = 200 + 6 * days.name.utf8.count + 26 * (days.days?.count ?? 0)
  }

  init(of group: WireGroup) {
    values = 8
    // Every byte of a text may need an escape.
    bytes = 200 + 6 * (group.name.utf8.count + (group.icon?.utf8.count ?? 0))
  }
}
