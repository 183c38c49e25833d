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
    /// In the file, counted from 1.
    var number = 1
  }

  /// In upper case.
  var name: String
  /// Without BEGIN and END.
  var parts: [Part] = []
  /// BEGIN, as it stands, and what precedes the outermost component.
  private var begin: [UInt8]
  /// END, as it stands, and what follows the outermost component.
  private var end: [UInt8] = []

  /// The deepest nesting; only broken files go deeper.
  private static let deepest = 32

  /// The file's first component; nil if its BEGIN and END do not match.
  init?(file: [UInt8]) {
    var open: [ComponentLines] = []
    let lines = Self.lines(of: file)
    let start = file.prefix(file.count - lines.reduce(0) { $0 + $1.bytes.count })
    for (place, line) in lines.enumerated() {
      switch line.name {
      case "BEGIN":
        guard open.count < Self.deepest else { return nil }
        open.append(ComponentLines(name: line.value.uppercased(), begin: line.bytes))
      case "END":
        guard var ended = open.popLast(), ended.name == line.value.uppercased() else { return nil }
        ended.end = line.bytes
        guard let last = open.indices.last else {
          self = ended
          begin = start + begin
          end += lines[(place + 1)...].flatMap(\.bytes)
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

  /// A VALARM with these lines, which shows an entry's title.
  init?(alarm lines: String..., title: Line?) {
    let shown = Line(Array("DESCRIPTION:".utf8) + (title?.valueBytes ?? []))
    self.init(
      file: ((["BEGIN:VALARM"] + lines).map { Line($0) } + [shown, Line("END:VALARM")]).flatMap(\.bytes))
  }

  private init(name: String, begin: [UInt8]) { (self.name, self.begin) = (name, begin) }

  var components: [ComponentLines] {
    parts.compactMap { if case .component(let component) = $0 { component } else { nil } }
  }

  var lines: [Line] {
    parts.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  subscript(_ name: String) -> Line? { lines.first { $0.name == name } }

  var bytes: [UInt8] {
    var bytes = begin
    for part in parts {
      switch part {
      case .line(let line): bytes += line.bytes
      case .component(let component): bytes += component.bytes
      }
    }
    return bytes + end
  }

  /// The lines of a file, which may also end with LF alone, without what precedes the first one. Empty ones are skipped.
  static func lines(of file: [UInt8]) -> [Line] {
    var lines: [Line] = []
    var number = 0
    var rest = file[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? rest.endIndex
      let physical = rest[..<end]
      rest = rest[end...]
      number += 1
      let isFold = physical.first == UInt8(ascii: " ") || physical.first == UInt8(ascii: "\t")
      let isBlank = !physical.contains { $0 > UInt8(ascii: " ") }
      if isFold || isBlank {
        if let last = lines.indices.last { lines[last].bytes += physical }
      } else {
        lines.append(Line(name: Line.name(of: physical), bytes: Array(physical), number: number))
      }
    }
    return lines
  }
}

/// Changes, with the line ends of the component.
extension ComponentLines {
  /// Changes each line of this name, or removes it.
  mutating func edit(_ name: String, _ change: (Line) -> Line?) {
    parts = parts.compactMap { part in
      guard case .line(let line) = part, line.name == name else { return part }
      return change(line).map { .line(ended($0)) }
    }
  }

  mutating func editComponents(_ change: (ComponentLines) -> ComponentLines?) {
    parts = parts.compactMap { part in
      guard case .component(let component) = part else { return part }
      return change(component).map { .component($0) }
    }
  }

  /// Gives the first line of this name another value, or adds the line; its parameters stay. nil removes it.
  mutating func set(_ name: String, _ value: String?) {
    var isFirst = true
    edit(name) { line in
      defer { isFirst = false }
      guard isFirst else { return line }
      return value.map(line.with)
    }
    if isFirst, let value { add(Line("\(name):\(value)")) }
  }

  /// Puts other lines in the place of those of this name that are meant. Equal ones stay.
  mutating func put(_ name: String, _ lines: [Line], where isMeant: (Line) -> Bool = { _ in true }) {
    let old = self.lines.filter { $0.name == name && isMeant($0) }
    guard old.map(\.unfolded) != lines.map(\.unfolded) else { return }
    var rest = lines[...]
    edit(name) { isMeant($0) ? rest.popFirst() : $0 }
    for line in rest { add(line) }
  }

  /// Adds a line before the inner components.
  mutating func add(_ line: Line) {
    let place = parts.firstIndex { if case .component = $0 { true } else { false } } ?? parts.endIndex
    parts.insert(.line(ended(line)), at: place)
  }

  /// Adds a component at the end, or before another one.
  mutating func add(_ component: ComponentLines, before isNext: (ComponentLines) -> Bool = { _ in false }) {
    let place = parts.firstIndex { if case .component(let next) = $0 { isNext(next) } else { false } }
    parts.insert(.component(ended(component)), at: place ?? parts.endIndex)
  }

  private func ended(_ component: ComponentLines) -> ComponentLines {
    var component = component
    component.parts = component.parts.map { part in
      switch part {
      case .line(let line): .line(ended(line))
      case .component(let inner): .component(ended(inner))
      }
    }
    (component.begin, component.end) = (ended(component.begin), ended(component.end))
    return component
  }

  private func ended(_ line: Line) -> Line { Line(name: line.name, bytes: ended(line.bytes)) }

  private func ended(_ bytes: [UInt8]) -> [UInt8] {
    begin.contains(0x0D) ? bytes : bytes.filter { $0 != 0x0D }
  }
}

extension ComponentLines.Line {
  /// A line of `NAME:VALUE`, folded.
  init(_ text: String) { self.init(Array(text.utf8)) }

  init(_ content: [UInt8]) {
    self.init(name: Self.name(of: content[...]), bytes: ContentWriter.folded(content))
  }

  static func name(of line: ArraySlice<UInt8>) -> String {
    let name = line.prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: ";") && $0 > 0x20 }
    return String(decoding: name, as: UTF8.self).uppercased()
  }

  /// Without folds and the line end. A character that was split by a fold is put together again.
  var unfolded: [UInt8] {
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
    return unfolded
  }

  /// Behind the first colon that no parameter quotes; as written otherwise.
  var value: String { String(decoding: split.value, as: UTF8.self) }

  var valueBytes: ArraySlice<UInt8> { split.value }

  /// What the property says, where it is one that is read.
  var property: Property? { (try? Property(self)).flatMap(\.self) }

  /// The same property and parameters with another value.
  func with(_ value: String) -> Self { value == self.value ? self : with(Array(value.utf8)) }

  /// - Parameters:
  ///   - dropped: The parameter that goes. ALTREP gives the old text in another form.
  ///   - added: Parameters that come.
  func with(_ value: [UInt8], without dropped: String = "ALTREP", adding added: String = "") -> Self {
    var isQuoted = false
    let parameters = split.head.split { byte in
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      return byte == UInt8(ascii: ";") && !isQuoted
    }
    let kept = parameters.filter {
      String(decoding: $0, as: UTF8.self).uppercased().prefix { $0 != "=" } != dropped
    }
    if value[...] == split.value, added.isEmpty, kept.count == parameters.count { return self }
    return Self(Array(kept.joined(separator: ";".utf8)) + Array((added + ":").utf8) + value)
  }

  private var split: (head: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    let unfolded = unfolded
    var isQuoted = false
    for (index, byte) in unfolded.enumerated() {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ":"), !isQuoted { return (unfolded[..<index], unfolded[(index + 1)...]) }
    }
    return (unfolded[...], [])
  }
}

extension Property {
  /// Quoted if it has to be, like a POSIX TZ text with its commas.
  static func quoted(_ value: String) -> String {
    value.contains { ",;:".contains($0) } ? "\"\(value)\"" : value
  }
}
