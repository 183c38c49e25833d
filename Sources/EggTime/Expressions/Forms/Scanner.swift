/// Why a class cannot read a text, and where it stopped.
struct Misread: Error {
  /// Bytes from the start of the text.
  var offset: Int
  var reason: ExpressionError.Reason
  /// The text fits this class, but a value is wrong: later classes are not tried.
  var isDecisive = false
  /// Expressions that may have been meant, likeliest first.
  var readings: [String] = []
  /// Days that `range` may name, each in the first year in which it is not over.
  var dates: [(month: Int, day: Int)] = []
  /// The bytes that ``dates`` or ``replacement`` replace.
  var range = 0..<0
  var replacement: String?
}

extension Misread {
  /// A decisive one.
  init(_ reason: ExpressionError.Reason, at offset: Int, readings: [String] = []) {
    self.init(offset: offset, reason: reason, isDecisive: true, readings: readings)
  }
}

/// A position in the bytes of an expression. A copy serves as a bookmark.
struct Scanner {
  let bytes: [UInt8]
  /// The end of the text, without trailing blanks.
  let end: Int
  var position: Int
  /// The first year that a date may name; moments begin in 1970.
  var earliestYear = 1970
  /// Whether a class was asked for. If not, dates in the order of other countries are considered.
  var isForced = false

  /// Skips surrounding blanks; offsets still count from the start of `text`.
  init(_ text: String) {
    bytes = Array(text.utf8)
    end = bytes.lastIndex { !ASCII.isBlank($0) }.map { $0 + 1 } ?? 0
    position = bytes.firstIndex { !ASCII.isBlank($0) } ?? 0
  }

  var atEnd: Bool { position >= end }

  /// nil beyond the end.
  func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < end ? bytes[position + ahead] : nil
  }

  func byte(at place: Int) -> UInt8? { place < end ? bytes[place] : nil }

  func sees(_ character: Unicode.Scalar) -> Bool { peek() == UInt8(ascii: character) }

  var seesDigit: Bool { peek().map(ASCII.isDigit) ?? false }

  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard sees(character) else { return false }
    position += 1
    return true
  }

  /// False when there were none.
  @discardableResult
  mutating func skipBlanks() -> Bool {
    let start = position
    while let byte = peek(), ASCII.isBlank(byte) { position += 1 }
    return position > start
  }

  var digitCount: Int {
    var count = 0
    while let byte = peek(count), ASCII.isDigit(byte) { count += 1 }
    return count
  }

  /// A whole run of digits, if its length (at most 18) is allowed.
  mutating func number(digits lengths: ClosedRange<Int>) -> Int? {
    let count = digitCount
    guard lengths.contains(count) else { return nil }
    var value = 0
    for byte in bytes[position..<position + count] { value = value * 10 + Int(byte - UInt8(ascii: "0")) }
    position += count
    return value
  }

  /// The next run of ASCII letters, in lower case; nil when there is none.
  func word() -> String? {
    var count = 0
    while let byte = peek(count), ASCII.isLetter(byte) { count += 1 }
    guard count > 0 else { return nil }
    return String(decoding: bytes[position..<position + count].map(ASCII.lowercased), as: UTF8.self)
  }

  /// Takes one of these words, in any case.
  mutating func takes(word wanted: String...) -> Bool {
    guard let word = word(), wanted.contains(word) else { return false }
    position += word.utf8.count
    return true
  }

  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The whole text with one part replaced.
  func replacing(_ range: Range<Int>, by text: String) -> String {
    self.text(0..<range.lowerBound) + text + self.text(range.upperBound..<end)
  }

  /// Refuses a part of the text, with what to type in its place.
  func misread(
    _ reason: ExpressionError.Reason, _ range: Range<Int>, instead choices: [String], at offset: Int? = nil
  ) -> Misread {
    Misread(reason, at: offset ?? range.lowerBound, readings: choices.map { replacing(range, by: $0) })
  }

  /// From the next byte on.
  var rest: String { text(position..<end) }

  /// Up to the next byte.
  func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  /// The misread for a text that no class continues like this.
  var stop: Misread { Misread(offset: position, reason: atEnd ? .incomplete : .unexpected) }

  /// Throws unless everything was read.
  func finish() throws(Misread) {
    guard atEnd else { throw stop }
  }
}
