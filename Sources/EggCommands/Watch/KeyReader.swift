/// Reads keys from a terminal's bytes: UTF-8, sequences of xterm and similar terminals, bracketed paste.
struct KeyReader {
  private var bytes: [UInt8] = []
  /// The pasted text so far; nil outside of a paste.
  private var pasted: [UInt8]?

  private static let escape: UInt8 = 0x1b
  private static let pasteEnd: [UInt8] = [escape] + Array("[201~".utf8)
  /// Bytes of the longest sequence that is waited for.
  private static let longest = 32

  private enum Piece {
    case key(Key)
    case meaningless
    case pasteBegins
  }

  /// Whether the bytes so far may be the Escape key or the beginning of a sequence.
  var isWaiting: Bool { pasted == nil && !bytes.isEmpty }

  /// The keys completed by these bytes.
  mutating func read(_ new: some Sequence<UInt8>) -> [Key] {
    bytes += new
    var keys: [Key] = []
    while !bytes.isEmpty {
      if pasted != nil {
        guard let text = takePasted() else { break }
        if !text.isEmpty { keys.append(.pasted(text)) }
        continue
      }
      guard let (piece, count) = Self.first(of: bytes) else { break }
      bytes.removeFirst(count)
      switch piece {
      case .key(let key): keys.append(key)
      case .meaningless: break
      case .pasteBegins: pasted = []
      }
    }
    return keys
  }

  /// The keys of the bytes so far, once the rest of a sequence would have come.
  mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    guard bytes.removeFirst() == Self.escape else { return read([]) }
    return [.escape] + read([])
  }

  /// The text up to the end of the paste; nil if that has not come.
  private mutating func takePasted() -> String? {
    guard let end = bytes.firstRange(of: Self.pasteEnd) else {
      let count = max(0, bytes.count - Self.pasteEnd.count + 1)
      pasted? += bytes.prefix(count)
      bytes.removeFirst(count)
      return nil
    }
    let text = String(decoding: (pasted ?? []) + bytes[..<end.lowerBound], as: UTF8.self)
    bytes.removeFirst(end.upperBound)
    pasted = nil
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.properties.generalCategory != .control {
        plain.append(scalar)
      } else if "\n\r\t".unicodeScalars.contains(scalar) {
        plain.append(" ")
      }
    }
    return String(plain)
  }

  /// The first piece and its length in bytes; nil if more bytes are needed.
  private static func first(of bytes: [UInt8]) -> (Piece, Int)? {
    switch bytes[0] {
    case escape: sequence(bytes)
    case 0x0d, 0x0a: (.key(.enter), 1)
    case 0x09: (.key(.tab), 1)
    case 0x08, 0x7f: (.key(.backspace), 1)
    case 0x01...0x1a: (.key(.control(Character(Unicode.Scalar(bytes[0] + 0x60)))), 1)
    case 0x00..<0x20: (.meaningless, 1)
    default: character(bytes)
    }
  }

  private static func character(_ bytes: [UInt8]) -> (Piece, Int)? {
    let count =
      switch bytes[0] {
      case 0xc2...0xdf: 2
      case 0xe0...0xef: 3
      case 0xf0...0xf4: 4
      default: 1
      }
    let text = bytes.prefix(count)
    guard text.dropFirst().allSatisfy({ $0 & 0xc0 == 0x80 }) else { return (.meaningless, 1) }
    guard text.count == count else { return nil }
    guard let scalar = String(validating: text, as: UTF8.self)?.unicodeScalars.first,
      scalar.properties.generalCategory != .control
    else { return (.meaningless, 1) }
    return (.key(.character(Character(scalar))), count)
  }

  /// A CSI or SS3 sequence (ECMA-48). Escape followed by any other byte is a key by itself.
  private static func sequence(_ bytes: [UInt8]) -> (Piece, Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "O"):
      return bytes.count > 2 ? (piece(bytes[2], ""), 3) : nil
    case UInt8(ascii: "["):
      // The Linux console's function keys.
      if bytes.count > 2, bytes[2] == UInt8(ascii: "[") { return bytes.count > 3 ? (.meaningless, 4) : nil }
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
        return bytes.count > longest ? (.meaningless, bytes.count) : nil
      }
      return (piece(bytes[end], String(decoding: bytes[2..<end], as: UTF8.self)), end + 1)
    default: return (.key(.escape), 1)
    }
  }

  /// The meaning of a sequence, from its last byte and its first number. Modifiers are ignored.
  private static func piece(_ final: UInt8, _ parameters: String) -> Piece {
    let number = parameters.split(separator: ";").first.map(String.init) ?? ""
    switch (Unicode.Scalar(final), number) {
    case ("A", _): return .key(.up)
    case ("B", _): return .key(.down)
    case ("C", _): return .key(.right)
    case ("D", _): return .key(.left)
    case ("H", _), ("~", "1"), ("~", "7"): return .key(.home)
    case ("F", _), ("~", "4"), ("~", "8"): return .key(.end)
    case ("M", ""): return .key(.enter)
    case ("~", "3"): return .key(.delete)
    case ("~", "5"): return .key(.pageUp)
    case ("~", "6"): return .key(.pageDown)
    case ("~", "200"): return .pasteBegins
    default: return .meaningless
    }
  }
}

enum Key: Equatable {
  /// A character; a combining mark is a key of its own.
  case character(Character)
  /// Control and a letter in lower case.
  case control(Character)
  /// Pasted text, without control characters.
  case pasted(String)
  case enter, escape, tab, backspace, delete
  case up, down, left, right, home, end, pageUp, pageDown
}
