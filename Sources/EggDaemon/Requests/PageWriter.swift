import Alarms
import EggProtocol

/// Writes alarms as the elements of a JSON array, in order, with all fields unless some are named, until they reach
/// `bytes`: a page that fits a message and a client's patience.
///
/// Confined to the thread of the reader that finds the alarms, as long as it reads one page.
final class PageWriter: @unchecked Sendable {
  private let codings: [WireAlarm.FieldCoding]
  private let wallOf: WallClock
  private let bytes: Int
  private var json = JSONWriter()

  init(fields: Set<WireAlarm.Field>? = nil, wallOf: WallClock, bytes: Int = 256 << 10) {
    codings = WireAlarm.codings(of: fields)
    self.wallOf = wallOf
    self.bytes = bytes
  }

  /// Whether another one has room.
  func add(_ alarm: Alarm) -> Bool {
    json.alarm(alarm, wallOf: wallOf.callAsFunction, codings: codings)
    return json.bytes.count < bytes
  }

  /// All that was added, without the array's brackets.
  var elements: [UInt8] { json.bytes }
}
