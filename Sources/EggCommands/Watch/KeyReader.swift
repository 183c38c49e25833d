/// Makes keys of the bytes that a terminal sends: UTF-8, the sequences of xterm and its kin, bracketed paste.
struct KeyReader {
  private var bytes: [UInt8] = []
  /// What has come of a text from the clipboard; nil outside of one.
  private var pasted: [UInt8]?

  private static let escape: UInt8 = 0x1b
  private static let pasteEnd: [UInt8] = [escape] + Array("[201~".utf8)
  /// Bytes of the longest sequence that is waited for.
  private static let longest = 32

  /// What the first bytes are.
  private enum Piece {
    case key(Key)
    case meaningless
    case pasteBegins
  }

  /// Whether what has come may be the Escape key as well as the beginning of a sequence.
  var isWaiting: Bool { pasted == nil && !bytes.isEmpty }

  /// The keys that these bytes complete.
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

  /// The keys of what has come, after time enough for the rest of a sequence.
  mutating func flush() -> [Key] {
    guard isWaiting else { return [] }
    guard bytes.removeFirst() == Self.escape else { return read([]) }
    return [.escape] + read([])
  }

  /// The text up to its end; nil where that has not come whole.
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

  /// What stands first and how many bytes it takes; nil where more must come.
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

  /// A CSI or SS3 sequence (ECMA-48). Any other byte behind Escape is a key of its own.
  private static func sequence(_ bytes: [UInt8]) -> (Piece, Int)? {
    guard bytes.count > 1 else { return nil }
    switch bytes[1] {
    case UInt8(ascii: "O"):
      return bytes.count > 2 ? (piece(bytes[2], ""), 3) : nil
    case UInt8(ascii: "["):
      // the Linux console's function keys
      if bytes.count > 2, bytes[2] == UInt8(ascii: "[") { return bytes.count > 3 ? (.meaningless, 4) : nil }
      guard let end = bytes.dropFirst(2).firstIndex(where: { (0x40...0x7e).contains($0) }) else {
        return bytes.count > longest ? (.meaningless, bytes.count) : nil
      }
      return (piece(bytes[end], String(decoding: bytes[2..<end], as: UTF8.self)), end + 1)
    default: return (.key(.escape), 1)
    }
  }

  /// What a sequence means by its last byte and the number that stands first in it; modifiers are not looked at.
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
