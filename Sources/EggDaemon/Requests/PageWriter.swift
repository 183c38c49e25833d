import Alarms
import EggProtocol
import Varlink

/// Writes alarms as elements of a JSON array, in order, until they reach `bytes`, so that a page fits a
/// message and arrives quickly. Writes all fields unless some are named.
///
/// Confined to the reader's thread while it reads a page.
final class PageWriter: @unchecked Sendable {
  private let codings: [WireAlarm.FieldCoding]
  private let wallOf: WallClock
  private let bytes: Int
  /// The alarms so far.
  private(set) var elements = EncodedElements()

  init(fields: Set<WireAlarm.Field>? = nil, wallOf: WallClock, bytes: Int = 256 << 10) {
    codings = WireAlarm.codings(of: fields)
    self.wallOf = wallOf
    self.bytes = bytes
  }

  /// Returns whether another alarm has room.
  func add(_ alarm: Alarm) -> Bool {
    try? elements.append { members in
      try WireAlarm.write(alarm, wallOf: wallOf.callAsFunction, codings: codings, to: &members)
    }
    return elements.bytes.count < bytes
  }
}
