/// A component of an iCalendar file with its lines as they stand, folds and line ends included: what is not
/// changed is written back byte for byte.
struct ComponentLines {
  enum Part {
    case line(Line)
    case component(ComponentLines)
  }

  struct Line {
    /// In upper case.
    var name: String
    var bytes: [UInt8]
  }

  /// In upper case.
  var name: String
  /// Without BEGIN and END.
  var parts: [Part] = []

  /// The deepest nesting; only broken files go deeper.
  private static let deepest = 32

  init(name: String) { self.name = name }

  /// The file's first component; nil if its BEGIN and END do not match.
  init?(file: [UInt8]) {
    var open: [ComponentLines] = []
    for line in Self.lines(of: file) {
      switch line.name {
      case "BEGIN":
        guard open.count < Self.deepest else { return nil }
        open.append(ComponentLines(name: line.value.uppercased()))
      case "END":
        guard let ended = open.popLast(), ended.name == line.value.uppercased() else { return nil }
        guard let last = open.indices.last else {
          self = ended
          return
        }
        open[last].parts.append(.component(ended))
      default:
        guard let last = open.indices.last else { return nil }
        open[last].parts.append(.line(line))
      }
    }
    return nil
  }

  var components: [ComponentLines] {
    parts.compactMap { if case .component(let component) = $0 { component } else { nil } }
  }

  var lines: [Line] {
    parts.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  subscript(_ name: String) -> Line? { lines.first { $0.name == name } }

  var bytes: [UInt8] {
    var bytes = Array("BEGIN:\(name)\r\n".utf8)
    for part in parts {
      switch part {
      case .line(let line): bytes += line.bytes
      case .component(let component): bytes += component.bytes
      }
    }
    return bytes + "END:\(name)\r\n".utf8
  }

  private static func lines(of file: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var rest = file[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let physical = rest[..<end]
      rest = rest[end...]
      let isFold = physical.first == UInt8(ascii: " ") || physical.first == UInt8(ascii: "\t")
      if isFold, let last = lines.indices.last {
        lines[last].bytes += physical
      } else if physical.contains(where: { $0 > UInt8(ascii: " ") }) {
        let name = physical.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") && $0 > 0x20 }
        lines.append(Line(name: String(decoding: name, as: UTF8.self).uppercased(), bytes: Array(physical)))
      }
    }
    // The last line may have no end.
    if let last = lines.indices.last, lines[last].bytes.last != UInt8(ascii: "\n") {
      lines[last].bytes += [0x0D, 0x0A]
    }
    return lines
  }
}

extension ComponentLines.Line {
  /// Unfolded, behind the first colon that no parameter quotes; as written otherwise.
  var value: String {
    var unfolded: [UInt8] = []
    var isFold = false
    for byte in bytes where byte != 0x0D {
      if byte == 0x0A {
        isFold = true
      } else if isFold {
        isFold = false
      } else {
        unfolded.append(byte)
      }
    }
    var isQuoted = false
    for (index, byte) in unfolded.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted {
        return String(decoding: unfolded[(index + 1)...], as: UTF8.self)
      }
    }
    return ""
  }
}
