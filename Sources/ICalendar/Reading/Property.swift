import Gettext

/// A parsed content line: RFC 5545 §3.1.
struct Property {
  /// The properties that are read; all others are skipped.
  enum Name: String {
    case begin = "BEGIN"
    case end = "END"
    case version = "VERSION"
    case uid = "UID"
    case summary = "SUMMARY"
    case description = "DESCRIPTION"
    case comment = "COMMENT"
    case start = "DTSTART"
    case finish = "DTEND"
    case due = "DUE"
    case duration = "DURATION"
    case rule = "RRULE"
    case excludedRule = "EXRULE"
    case excludedDates = "EXDATE"
    case dates = "RDATE"
    case recurrence = "RECURRENCE-ID"
    case categories = "CATEGORIES"
    case status = "STATUS"
    case completed = "COMPLETED"
    case zone = "TZID"
    case location = "X-LIC-LOCATION"
    case offsetFrom = "TZOFFSETFROM"
    case offsetTo = "TZOFFSETTO"
    case action = "ACTION"
    case lead = "TRIGGER"
    case repeats = "REPEAT"
    case related = "RELATED-TO"
    case proximity = "PROXIMITY"
    case appleProximity = "X-APPLE-PROXIMITY"
    case eggs = "X-EGGD-EGGS"
    case group = "X-EGGD-GROUP"
    case heading = "X-EGGD-SUMMARY"
    case unlabelled = "X-EGGD-UNLABELLED"
    case event = "X-EGGD-EVENT"
    case interval = "X-EGGD-INTERVAL"
    case from = "X-EGGD-FROM"
    case away = "X-EGGD-MOMENT"
    case until = "X-EGGD-UNTIL"
    case count = "X-EGGD-COUNT"
    case skips = "X-EGGD-SKIP"
    case except = "X-EGGD-EXCEPT"
    case onlyOn = "X-EGGD-ONLY-ON"
    case done = "X-EGGD-DONE"
    case sound = "X-EGGD-SOUND"
    case insist = "X-EGGD-INSIST"
    case wake = "X-EGGD-WAKE"
    case paused = "X-EGGD-PAUSED"
    case skipped = "X-EGGD-SKIPPED"
  }

  var name: Name
  /// Names in upper case; in the order of the line.
  var parameters: [(name: String, value: String)] = []
  /// As written in the file, escapes included.
  var value: String
  /// The line in the file, counted from 1.
  var line: Int
  /// Whether ``value`` was cut.
  var isCut: Bool

  /// Bytes kept of one line. Attachments can be of any size, and are of no use here.
  static let longest = 1 << 16

  /// nil for a property that nothing here reads, whatever its name. Throws if the line has no value.
  init?(_ line: ComponentLines.Line) throws(CalendarProblem) {
    let whole = line.unfolded
    isCut = whole.count > Self.longest
    let bytes = isCut ? Array(whole.prefix(Self.longest)) : whole
    let length = bytes.firstIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ";") } ?? bytes.count
    guard let name = Name(rawValue: Self.uppercased(bytes[..<length])) else {
      guard bytes.contains(UInt8(ascii: ":")) || isCut else { throw Self.malformed(line) }
      return nil
    }
    var position = length
    while position < bytes.count, bytes[position] == UInt8(ascii: ";") {
      guard let parameter = Self.parameter(bytes, &position) else { throw Self.malformed(line) }
      parameters.append(parameter)
    }
    guard position < bytes.count, bytes[position] == UInt8(ascii: ":") else { throw Self.malformed(line) }
    self.name = name
    value = String(decoding: bytes[(position + 1)...], as: UTF8.self)
    self.line = line.number
  }

  func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// A parameter's value in upper case.
  func word(_ name: String) -> String? { parameter(name)?.uppercased() }

  /// Reads `;NAME=value` and moves past it; a list of values keeps its commas. nil for anything else.
  private static func parameter(_ bytes: [UInt8], _ position: inout Int) -> (name: String, value: String)? {
    let start = position + 1
    position = bytes[start...].firstIndex { !isNameByte($0) } ?? bytes.count
    guard position > start, position < bytes.count, bytes[position] == UInt8(ascii: "=") else { return nil }
    let name = uppercased(bytes[start..<position])
    position += 1
    var value: [UInt8] = []
    var isQuoted = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if !isQuoted, byte == UInt8(ascii: ";") || byte == UInt8(ascii: ":") {
        break
      } else {
        value.append(byte)
      }
      position += 1
    }
    return isQuoted ? nil : (name, String(decoding: value, as: UTF8.self))
  }

  private static func malformed(_ line: ComponentLines.Line) -> CalendarProblem {
    CalendarProblem(line: line.number, message: tr("not an iCalendar line: NAME:VALUE expected"))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") < 10 || (byte | 0x20) &- UInt8(ascii: "a") < 26
  }

  /// An ASCII name in upper case.
  private static func uppercased(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { $0 &- UInt8(ascii: "a") < 26 ? $0 & 0xDF : $0 }, as: UTF8.self)
  }
}
