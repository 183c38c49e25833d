import EggProtocol
import Varlink

/// How much of a call alarms and groups take up.
struct CallWeight {
  /// Fields and elements; no fewer than there are.
  private(set) var values = 0
  /// Bytes of JSON.
  private(set) var bytes = 0

  /// What eggd takes in one call, but for the call's own words.
  static let most = CallWeight(
    values: ServerLimits.standard.valuesPerCall - 64, bytes: ServerLimits.standard.messageBytes - 4_096)
  /// At which a call goes out.
  static let full = CallWeight(values: most.values / 2, bytes: most.bytes / 2)

  func isWithin(_ other: CallWeight) -> Bool { values <= other.values && bytes <= other.bytes }

  static func + (one: CallWeight, other: CallWeight) -> CallWeight {
    CallWeight(values: one.values + other.values, bytes: one.bytes + other.bytes)
  }
}

extension CallWeight {
  /// An occurrence has 11 fields, and is an element.
  private static let occurrenceValues = 12
  /// An alarm has 41 fields, the latest occurrence among them; it and its occurrences are fields of an element.
  private static let alarmValues = 41 + occurrenceValues

  init(of item: ImportedAlarm) {
    var json = JSONWriter()
    json.array { json in
      item.alarm.write(to: &json)
      for occurrence in item.occurrences { occurrence.write(to: &json) }
    }
    values = Self.alarmValues + Self.occurrenceValues * item.occurrences.count
    bytes = json.bytes.count + 64
  }

  init(of group: WireGroup) {
    values = 8
    // Every byte of a text may be escaped.
    bytes = 200 + 6 * (group.name.utf8.count + (group.icon?.utf8.count ?? 0))
  }
}
