/// Numbers padded with zeros, and what consists of them. Without a formatter: thousands are written for one list.
enum Digits {
  static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: max(width - digits.utf8.count, 0))
    return (number < 0 ? "-" : "") + zeros + digits
  }

  /// `YYYY-MM-DD`; with what comes between date and time, also `HH:mm:SS`.
  static func text(
    of civil: CivilDateTime, date dash: StaticString = "-", then middle: StaticString? = nil,
    time colon: StaticString = ":"
  ) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(32)
    func add(_ separator: StaticString, _ number: Int) {
      text += UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount)
      guard 0..<100 ~= number else { return text += padded(number, to: 2).utf8 }
      text.append(UInt8(ascii: "0") + UInt8(number / 10))
      text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
    text += padded(civil.year, to: 4).utf8
    add(dash, civil.month)
    add(dash, civil.day)
    if let middle {
      add(middle, civil.hour)
      add(colon, civil.minute)
      add(colon, civil.second)
    }
    return String(decoding: text, as: UTF8.self)
  }
}
