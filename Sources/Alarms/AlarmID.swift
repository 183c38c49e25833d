import EggTime

/// The permanent identity of an alarm: a UUID (RFC 9562). Users type its number instead.
public struct AlarmID: Hashable, Sendable {
  private let value: UInt128

  /// A new version 7 UUID, with the moment to a quarter of a microsecond (§6.2, method 3). Consecutive ones
  /// are neighbours in an index. A random one would touch another page, which each commit would have to
  /// write.
  public init(madeAt moment: Instant) {
    let (milliseconds, rest) = max(moment.microseconds, 0).quotientAndRemainder(dividingBy: 1_000)
    self.init(high: UInt64(milliseconds) << 16 | 0x7000 | UInt64(rest) * 4_096 / 1_000)
  }

  /// A random version 4 UUID.
  public init() { self.init(high: .random(in: 0 ... .max) & 0xffff_ffff_ffff_0fff | 0x4000) }

  /// The nil UUID (§5.9), for an alarm whose identity was not asked for.
  public static let zero = AlarmID(value: 0)

  /// The other half is random.
  private init(high: UInt64) {
    let low = UInt64.random(in: 0 ... .max) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    self.init(value: UInt128(high) << 64 | UInt128(low))
  }

  private init(value: UInt128) { self.value = value }

  /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    // Generic code over the text's own view is ten times as slow, and this runs for every row read.
    var text = String(text)
    let value = text.withUTF8 { bytes -> UInt128? in
      guard bytes.count == Self.length else { return nil }
      var value: UInt128 = 0
      for index in 0..<36 {
        let digit: UInt8
        switch (index, bytes[index]) {
        case (8, let byte), (13, let byte), (18, let byte), (23, let byte):
          guard byte == UInt8(ascii: "-") else { return nil }
          continue
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")): digit = bytes[index] - UInt8(ascii: "0")
        case (_, UInt8(ascii: "a")...UInt8(ascii: "f")): digit = bytes[index] - UInt8(ascii: "a") + 10
        case (_, UInt8(ascii: "A")...UInt8(ascii: "F")): digit = bytes[index] - UInt8(ascii: "A") + 10
        default: return nil
        }
        value = value << 4 | UInt128(digit)
      }
      return value
    }
    guard let value else { return nil }
    self.value = value
  }
}

extension AlarmID: CustomStringConvertible {
  /// Lower case, with hyphens.
  public var description: String {
    String(unsafeUninitializedCapacity: Self.length) { text in
      write(to: text)
      return Self.length
    }
  }

  /// Length of ``description``, in bytes.
  public static let length = 36

  /// Writes ``description`` to the start of `text`, which must have room for it.
  public func write(to text: UnsafeMutableBufferPointer<UInt8>) {
    var end = 0
    for index in 0..<32 {
      if index == 8 || index == 12 || index == 16 || index == 20 {
        text[end] = UInt8(ascii: "-")
        end += 1
      }
      let digit = UInt8(truncatingIfNeeded: value >> UInt128(124 - index * 4)) & 0xf
      text[end] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      end += 1
    }
  }
}
