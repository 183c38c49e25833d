/// The lasting identity of an alarm: a random UUID (RFC 9562, version 4). What people type is the number.
public struct AlarmID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A new random identity.
  public init() {
    var random = SystemRandomNumberGenerator()
    high = random.next() & 0xffff_ffff_ffff_0fff | 0x4000
    low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
  }

  /// Reads `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`, either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    var digits: [UInt64] = []
    for (index, byte) in text.utf8.enumerated() {
      switch (index, byte) {
      case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")):
        continue
      case (_, UInt8(ascii: "0")...UInt8(ascii: "9")): digits.append(UInt64(byte - UInt8(ascii: "0")))
      case (_, UInt8(ascii: "a")...UInt8(ascii: "f")): digits.append(UInt64(byte - UInt8(ascii: "a") + 10))
      case (_, UInt8(ascii: "A")...UInt8(ascii: "F")): digits.append(UInt64(byte - UInt8(ascii: "A") + 10))
      default: return nil
      }
    }
    guard digits.count == 32, text.utf8.count == 36 else { return nil }
    high = digits[..<16].reduce(0) { $0 << 4 | $1 }
    low = digits[16...].reduce(0) { $0 << 4 | $1 }
  }
}

extension AlarmID: CustomStringConvertible {
  /// Lower case, with hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: 36) { text in
      var length = 0
      for index in 0..<32 {
        if index == 8 || index == 12 || index == 16 || index == 20 {
          text[length] = UInt8(ascii: "-")
          length += 1
        }
        let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4)) & 0xf
        text[length] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
        length += 1
      }
      return length
    }
  }
}
