/// Why a class does not read a text, and where it stopped.
struct Misread: Error {
  /// Bytes from the start of the text.
  var offset: Int
  var reason: ExpressionError.Reason
  /// The text has the form of this class and only a value in it is wrong: no later class is tried.
  var isDecisive = false
  /// Texts that may have been meant, the likeliest first.
  var readings: [String] = []
  /// Days of months that a part of the text may name, each in the first year in which it is not over.
  var dates: [(month: Int, day: Int)] = []
  /// Where that part stands.
  var range = 0..<0
  /// What may have been meant in that place.
  var replacement: String?
}

/// A place in the bytes of an expression. A copy is a bookmark.
struct Scanner {
  let bytes: [UInt8]
  /// Where the text ends, blanks after it left out.
  let end: Int
  /// The next byte.
  var position: Int
  /// The first year that a date may name; what rings lies in the epoch.
  var earliestYear = 1970
  /// Whether the text was typed as the class that reads it. Without that the dates of other countries are looked out for.
  var isForced = false

  /// The text without blanks around it; offsets still count from its start.
  init(_ text: String) {
    bytes = Array(text.utf8)
    end = bytes.lastIndex { !ASCII.isBlank($0) }.map { $0 + 1 } ?? 0
    position = bytes.firstIndex { !ASCII.isBlank($0) } ?? 0
  }

  var atEnd: Bool { position >= end }

  /// The byte that many after the next one; nil beyond the end.
  func peek(_ ahead: Int = 0) -> UInt8? {
    position + ahead < end ? bytes[position + ahead] : nil
  }

  /// The byte at a place; nil beyond the end.
  func byte(at place: Int) -> UInt8? { place < end ? bytes[place] : nil }

  func sees(_ character: Unicode.Scalar) -> Bool { peek() == UInt8(ascii: character) }

  var seesDigit: Bool { peek().map(ASCII.isDigit) ?? false }

  /// Moves over the character if it is next.
  mutating func takes(_ character: Unicode.Scalar) -> Bool {
    guard sees(character) else { return false }
    position += 1
    return true
  }

  /// Moves over blanks; whether there were any.
  @discardableResult
  mutating func skipBlanks() -> Bool {
    let start = position
    while let byte = peek(), ASCII.isBlank(byte) { position += 1 }
    return position > start
  }

  /// How many digits come next.
  var digitCount: Int {
    var count = 0
    while let byte = peek(count), ASCII.isDigit(byte) { count += 1 }
    return count
  }

  /// A run of digits of one of these lengths (at most 18), neither more nor fewer.
  mutating func number(digits lengths: ClosedRange<Int>) -> Int? {
    let count = digitCount
    guard lengths.contains(count) else { return nil }
    var value = 0
    for byte in bytes[position..<position + count] { value = value * 10 + Int(byte - UInt8(ascii: "0")) }
    position += count
    return value
  }

  /// The run of ASCII letters that comes next, in lower case; nil when there is none.
  func word() -> String? {
    var count = 0
    while let byte = peek(count), ASCII.isLetter(byte) { count += 1 }
    guard count > 0 else { return nil }
    return String(decoding: bytes[position..<position + count].map(ASCII.lowercased), as: UTF8.self)
  }

  /// Moves over one of these words, in any case.
  mutating func takes(word wanted: String...) -> Bool {
    guard let word = word(), wanted.contains(word) else { return false }
    position += word.utf8.count
    return true
  }

  /// The text between two places.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The whole text with a part of it replaced.
  func replacing(_ range: Range<Int>, by text: String) -> String {
    self.text(0..<range.lowerBound) + text + self.text(range.upperBound..<end)
  }

  /// The text from a place up to the next byte.
  func text(from start: Int) -> String { String(decoding: bytes[start..<position], as: UTF8.self) }

  /// No class goes on like this, here.
  var stop: Misread { Misread(offset: position, reason: atEnd ? .incomplete : .unexpected) }

  /// Throws unless everything was read.
  func finish() throws(Misread) {
    guard atEnd else { throw stop }
  }
}
