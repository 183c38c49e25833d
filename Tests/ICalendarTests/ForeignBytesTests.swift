import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import ICalendar

/// What a file holds beside the lines of an alarm's fields is not eggd's, whatever its bytes are. Read in Paris, as of
/// 2026-11-20 21:34:30 UTC.
@Suite struct ForeignBytesTests {
  /// Added at the begin of each entry: a fold inside a character, Latin-1, no character at all, lines that hold
  /// nothing, and long ones of each.
  private static let foreign: [[UInt8]] = [
    Array("LOCATION:M\u{FC}nchen".utf8.prefix(11)) + crlf + [0x20, 0xBC] + Array("nchen".utf8),
    Array("X-PLACE;X-IN=M".utf8) + [0xFC] + Array("nchen:Stra".utf8) + [0xDF] + Array("e".utf8),
    Array("X-NONE:".utf8) + [0x80, 0xFF, 0xC3], Array("X-EMPTY:".utf8) + crlf,
    Array("X-TAB:a".utf8) + crlf + [9, 9],
    Array("X-LONG:".utf8) + Array(repeating: 0xE9, count: 100),
    Array("X-SHORT:".utf8) + Array(repeating: 0xBF, count: 200),
  ]

  private static let crlf: [UInt8] = [0x0D, 0x0A]

  /// The same file with what is no field of an alarm.
  private static func decorated(_ file: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + crlf + [0x20] + crlf
    for line in file.split(separator: 0x0A, omittingEmptySubsequences: false) {
      bytes += line + [0x0A]
      if [Array("BEGIN:VEVENT\r".utf8), Array("BEGIN:VTODO\r".utf8)].contains(Array(line)) {
        bytes += foreign.flatMap { $0 + crlf }
      }
    }
    // Without the end of the last line.
    return bytes.dropLast(3)
  }

  private static func withoutReturns(_ bytes: [UInt8]) -> [UInt8] { bytes.filter { $0 != 0x0D } }

  private static func fields() -> [CalendarContent.Field?] { CalendarContent.Field.allCases + [nil] }

  /// nil for an answer.
  private static func edited(_ bytes: [UInt8], _ field: CalendarContent.Field?, of entry: ForeignEntry) throws
    -> [UInt8]?
  {
    guard let field else {
      let context = try CalendarFixture.context()
      let answer = CalendarAnswer(at: context.now, snoozedUntil: context.now + .seconds(300))
      return try CalendarItem(bytes, in: context).bytes(answered: answer, of: nil)
    }
    let result = try ForeignEntryTests.edited(bytes, try ForeignEntryTests.change(field, of: entry))
    return result.wanted == result.old ? nil : result.edited.bytes
  }

  @Test("An edit leaves every byte that is not eggd's", arguments: ForeignEntry.all, fields())
  func edits(entry: ForeignEntry, field: CalendarContent.Field?) throws {
    let plain = try Self.edited(entry.bytes, field, of: entry)
    let changed = try Self.edited(Self.decorated(entry.bytes), field, of: entry)
    #expect(changed == plain.map(Self.decorated))
    let lines = Self.withoutReturns(Self.decorated(entry.bytes))
    #expect(try Self.edited(lines, field, of: entry) == plain.map { Self.withoutReturns(Self.decorated($0)) })
  }

  @Test("Words in Latin-1 stay beside one that is changed, and a new alarm shows a title in it") func words()
    throws
  {
    func file(_ categories: String, _ alarm: String = "") -> [UInt8] {
      let text =
        "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:a\nDTSTART:20270301T090000Z\nSUMMARY:B\u{FC}ro\n"
        + "CATEGORIES:\(categories),T\u{FC}r\\,B\u{E9}\n\(alarm)END:VEVENT\nEND:VCALENDAR"
      return text.unicodeScalars.map { UInt8($0.value) }
    }
    let (changed, _, _) = try ForeignEntryTests.edited(file("soft")) { $0.category = .hard }
    let lines = try #require(changed.bytes).split(separator: 0x0A)
    for line in file("hard").split(separator: 0x0A) { #expect(lines.contains(line)) }
    let answer = CalendarAnswer(at: try CalendarFixture.context().now, snoozedUntil: .latest)
    let item = try CalendarItem(file("hard"), in: try CalendarFixture.context())
    #expect(
      item.bytes(answered: answer, of: nil).split(separator: 0x0A).contains(
        Array("DESCRIPTION:B\u{FC}ro".unicodeScalars.map { UInt8($0.value) })[...]))
  }
}
