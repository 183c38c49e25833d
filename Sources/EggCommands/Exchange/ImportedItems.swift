import Alarms
import EggProtocol
import EggTime
import Gettext
import Glibc
import ICalendar
import Varlink

/// The contents of a file to import, in order.
struct ImportedItems {
  enum Item {
    case alarm(ImportedAlarm, line: Int)
    case group(WireGroup)
    case daysOff(WireDaysOff)
    case problem(ImportProblem)
    /// What the user should know about an alarm that follows.
    case note(String, line: Int)
  }

  private let text: ImportedText
  private let format: ExchangeFormat
  /// The bytes read to recognise the format.
  private let beginning: [UInt8]
  private let surroundings: Surroundings

  init(_ text: ImportedText, format: ExchangeFormat?, in surroundings: Surroundings) throws {
    self.text = text
    self.surroundings = surroundings
    beginning = try text.read()
    // A byte order mark or blank lines may come first.
    let start = beginning.drop { $0 <= 0x20 || $0 >= 0x80 }.prefix(5)
    self.format = format ?? (String(decoding: start, as: UTF8.self).uppercased() == "BEGIN" ? .ics : .jsonl)
  }

  func each(_ body: (Item) throws -> Void) throws {
    switch format {
    case .jsonl: try lines(body)
    case .ics: try calendar(body)
    }
  }

  /// Bytes of the longest accepted line.
  private static let longestLine = 1 << 20
  /// In bytes. A calendar is read whole.
  private static let longestCalendar = 256 << 20

  private func lines(_ body: (Item) throws -> Void) throws {
    var number = 0
    var line: [UInt8] = []
    var isTooLong = false
    func end() throws {
      number += 1
      if isTooLong {
        try body(.problem(ImportProblem(line: number, text: tr("longer than \(Self.longestLine) bytes"))))
      } else if line.contains(where: { $0 > 0x20 }) {
        try body(Self.item(line, number: number))
      }
      line.removeAll(keepingCapacity: true)
      isTooLong = false
    }
    var piece = beginning[...]
    while !piece.isEmpty {
      while let newline = piece.firstIndex(of: UInt8(ascii: "\n")) {
        if !isTooLong { line += piece[..<newline] }
        try end()
        piece = piece[(newline + 1)...]
      }
      if line.count + piece.count > Self.longestLine { isTooLong = true } else { line += piece }
      piece = try text.read()[...]
    }
    if !line.isEmpty || isTooLong { try end() }
  }

  private func calendar(_ body: (Item) throws -> Void) throws {
    let context = ReadingContext(now: surroundings.now(), zone: try surroundings.zone())
    let known = KnownDaysOff(in: surroundings)
    let bytes = try text.calendar(beginning: beginning, upTo: Self.longestCalendar)
    var ids: Set<AlarmID> = []
    for result in ICalendarReader.read(bytes, in: context) {
      switch result {
      case .failure(let problem): try body(.problem(ImportProblem(problem)))
      case .success(var entry):
        try known.load(for: entry.rules)
        entry.adopt { known[$0] != nil }
        for note in entry.notes { try body(.note(note, line: entry.line)) }
        if var alarm = entry.alarm(on: context.zone, at: context.now) {
          // Entries of one UID that are no series are alarms of their own.
          while let id = alarm.alarm.id, !ids.insert(id).inserted {
            alarm.alarm.id = Digest.identity(of: "\(id) again")
          }
          try body(.alarm(alarm, line: entry.line))
        } else {
          try body(.problem(ImportProblem(line: entry.line, text: tr("none of its moments is to come"))))
        }
      }
    }
  }

  private static func item(_ line: [UInt8], number: Int) -> Item {
    let read = Result { try JSON.value(line, as: ExportedList.Line.self) }
    switch read {
    case .success(let line):
      if let alarm = line.alarm {
        return .alarm(ImportedAlarm(alarm: alarm, occurrences: line.occurrences ?? []), line: number)
      }
      if let group = line.group { return .group(group) }
      if let daysOff = line.daysOff { return .daysOff(daysOff) }
      return .problem(ImportProblem(line: number, text: tr("neither an alarm nor a group nor days off")))
    case .failure(DecodingError.dataCorrupted(let context)) where context.codingPath.isEmpty,
      .failure(DecodingError.typeMismatch(_, let context)) where context.codingPath.isEmpty:
      return .problem(ImportProblem(line: number, text: tr("not a JSON object")))
    case .failure(let error):
      return .problem(ImportProblem(line: number, text: tr("not an alarm: \(reason(error))")))
    }
  }

  private static func reason(_ error: any Error) -> String {
    func name(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".").visible }
    return switch error {
    case DecodingError.keyNotFound(let key, let context):
      tr("'\(name(context.codingPath + [key]))' is missing")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
      DecodingError.dataCorrupted(let context):
      tr("the value of '\(name(context.codingPath))' is not valid")
    default: tr("it cannot be read")
    }
  }
}

struct ImportedText {
  private let descriptor: Int32
  private let name: String

  /// Opens a file; `-` is standard input.
  init(file: String) throws {
    name = file == "-" ? tr("standard input") : file
    descriptor = file == "-" ? 0 : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw Failure(.usage, tr("cannot read \(name.visible): \(Gettext.reason(errno))"))
    }
  }

  /// The next piece; empty at the end.
  func read() throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(descriptor, &bytes, bytes.count)
      if count >= 0 { return Array(bytes[..<count]) }
      guard errno == EINTR else {
        throw Failure(.usage, tr("cannot read \(name.visible): \(Gettext.reason(errno))"))
      }
    }
  }

  /// All of it.
  ///
  /// - Parameter bytes: What was read before.
  func calendar(beginning bytes: [UInt8] = [], upTo longest: Int) throws -> [UInt8] {
    var bytes = bytes
    while true {
      let piece = try read()
      if piece.isEmpty { return bytes }
      bytes += piece
      guard bytes.count <= longest else {
        throw Failure(
          .usage, tr("a calendar of more than \(longest >> 20) MiB"),
          hint: tr("export fewer entries at a time, or give the files one by one"))
      }
    }
  }
}
