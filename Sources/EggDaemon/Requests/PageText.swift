import Alarms
import EggProtocol

/// Alarms as JSON, in portions that fit a message and a client's patience.
struct PageText: Sendable {
  /// The elements of an array, without its brackets.
  let elements: [UInt8]
  /// The last alarm's number.
  let last: Int64

  /// All of them, in order; a portion ends with the alarm that reaches `bytes`, and none is empty.
  static func portions(
    of alarms: [Alarm], fields: Set<WireAlarm.Field>, wallOf: WallClock, bytes: Int = 256 << 10
  ) -> [PageText] {
    var portions: [PageText] = []
    var json = JSONText()
    var last: Int64?
    for alarm in alarms {
      WireAlarm(alarm, wallOf: wallOf.callAsFunction, fields: fields).write(to: &json)
      last = alarm.number
      if json.bytes.count >= bytes {
        portions.append(PageText(elements: json.bytes, last: alarm.number))
        json = JSONText()
        last = nil
      }
    }
    if let last { portions.append(PageText(elements: json.bytes, last: last)) }
    return portions
  }
}
