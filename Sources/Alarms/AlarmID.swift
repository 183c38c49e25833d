import EggTime

/// The permanent identity of an alarm: a UUID (RFC 9562). Users type its number instead.
public struct AlarmID: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// A new version 7 UUID, with the moment to a quarter of a microsecond (§6.2, method 3). Consecutive ones
  /// are neighbours in an index. A random one would touch another page, which each commit would have to
  /// write.
  public init(madeAt moment: Instant) {
    let (milliseconds, rest) = max(moment.microseconds, 0).quotientAndRemainder(dividingBy: 1_000)
    high = UInt64(milliseconds) << 16 | 0x7000 | UInt64(rest) * 4_096 / 1_000
    var random = SystemRandomNumberGenerator()
    low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
  }

  /// A random version 4 UUID.
  public init() {
    var random = SystemRandomNumberGenerator()
    high = random.next() & 0xffff_ffff_ffff_0fff | 0x4000
    low = random.next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
  }

  /// The nil UUID (§5.9), for an alarm whose identity was not asked for.
  public static let zero = AlarmID(high: 0, low: 0)

  private init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

  /// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in either case; nil for anything else.
  public init?(_ text: some StringProtocol) {
    // Generic code over the text's own view is ten times as slow, and this runs for every row read.
    var text = String(text)
    let halves = text.withUTF8 { bytes -> (UInt64, UInt64)? in
      guard bytes.count == 36 else { return nil }
      var halves: (UInt64, UInt64) = (0, 0)
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
        if index < 18 {
          halves.0 = halves.0 << 4 | UInt64(digit)
        } else {
          halves.1 = halves.1 << 4 | UInt64(digit)
        }
      }
      return halves
    }
    guard let halves else { return nil }
    (high, low) = halves
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
      let digit = UInt8(truncatingIfNeeded: (index < 16 ? high : low) >> UInt64(60 - index % 16 * 4)) & 0xf
      text[end] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
      end += 1
    }
  }
}
