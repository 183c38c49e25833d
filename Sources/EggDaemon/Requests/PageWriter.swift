import Alarms
import EggProtocol

/// Writes alarms as the elements of a JSON array, in order, with all fields unless some are named, until they reach
/// `bytes`: a page that fits a message and a client's patience.
///
/// Confined to the thread of the reader that finds the alarms, as long as it reads one page.
final class PageWriter: @unchecked Sendable {
  private let fields: Set<WireAlarm.Field>?
  private let isListed: Bool
  private let wallOf: WallClock
  private let bytes: Int
  private var json = JSONWriter()

  init(fields: Set<WireAlarm.Field>? = nil, wallOf: WallClock, bytes: Int = 256 << 10) {
    self.fields = fields
    self.wallOf = wallOf
    self.bytes = bytes
    isListed = fields == WireAlarm.listed
  }

  /// Whether another one has room.
  func add(_ alarm: Alarm) -> Bool {
    let wire =
      isListed
      ? WireAlarm(listed: alarm, wallOf: wallOf.callAsFunction)
      : WireAlarm(alarm, wallOf: wallOf.callAsFunction, fields: fields)
    wire.write(to: &json)
    return json.bytes.count < bytes
  }

  /// All that was added, without the array's brackets.
  var elements: [UInt8] { json.bytes }
}
