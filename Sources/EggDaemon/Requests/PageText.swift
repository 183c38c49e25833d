import Alarms
import EggProtocol

/// Alarms as JSON, in portions that fit a message and a client's patience.
struct PageText: Sendable {
  /// The elements of an array, without its brackets.
  let elements: [UInt8]
  /// The last alarm's number.
  let last: Int64

  /// All of them, in order, with all fields; see ``PageWriter``.
  static func portions(of alarms: [Alarm], wallOf: WallClock, bytes: Int) -> [PageText] {
    let writer = PageWriter(wallOf: wallOf, bytes: bytes)
    for alarm in alarms { writer.add(alarm) }
    return writer.portions()
  }
}

/// Writes the alarms of a page, in order, with all fields unless some are named; a portion ends with the alarm that reaches
/// `bytes`, and none is empty.
///
/// Confined to the thread of the reader that finds the alarms, as long as it reads one page.
final class PageWriter: @unchecked Sendable {
  private let fields: Set<WireAlarm.Field>?
  private let isListed: Bool
  private let wallOf: WallClock
  private let bytes: Int
  private var ended: [PageText] = []
  private var json = JSONWriter()
  /// The last alarm of the portion that has not ended.
  private var last: Int64?

  init(fields: Set<WireAlarm.Field>? = nil, wallOf: WallClock, bytes: Int = 256 << 10) {
    self.fields = fields
    self.wallOf = wallOf
    self.bytes = bytes
    isListed = fields == WireAlarm.listed
  }

  func add(_ alarm: Alarm) {
    let wire =
      isListed
      ? WireAlarm(listed: alarm, wallOf: wallOf.callAsFunction)
      : WireAlarm(alarm, wallOf: wallOf.callAsFunction, fields: fields)
    wire.write(to: &json)
    last = alarm.number
    if json.bytes.count >= bytes { endPortion() }
  }

  /// All that was added.
  func portions() -> [PageText] {
    endPortion()
    return ended
  }

  private func endPortion() {
    guard let number = last else { return }
    ended.append(PageText(elements: json.bytes, last: number))
    json = JSONWriter()
    last = nil
  }
}
