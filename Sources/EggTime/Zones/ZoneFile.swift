/// Parses a zone file: RFC 9636, versions 1 to 4. Throws at the first violation; no file can make it read or
/// allocate beyond its own size.
struct ZoneFile {
  private let bytes: [UInt8]
  private var position = 0

  struct Malformed: Error {}

  private struct Header {
    var version: UInt8
    var universalFlags: Int
    var standardFlags: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var letters: Int
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  static func timeline(_ bytes: [UInt8]) throws(Malformed) -> ZoneTimeline {
    var file = ZoneFile(bytes: bytes)
    let header = try file.header()
    guard header.version >= UInt8(ascii: "2") else { return try file.block(header, wide: false) }
    // The first block repeats the data in 32 bits, for version 1 readers.
    try file.skip(
      header.transitions * 5 + header.types * 6 + header.letters + header.leapSeconds * 8
        + header.standardFlags + header.universalFlags)
    let second = try file.header()
    guard second.version == header.version else { throw Malformed() }
    var timeline = try file.block(second, wide: true)
    timeline.rule = try file.footer()
    return timeline
  }

  private mutating func header() throws(Malformed) -> Header {
    guard try take(4).elementsEqual("TZif".utf8) else { throw Malformed() }
    let version = try integer(1)
    try skip(15)
    let header = Header(
      version: UInt8(truncatingIfNeeded: version), universalFlags: try count(), standardFlags: try count(),
      leapSeconds: try count(), transitions: try count(), types: try count(), letters: try count())
    guard header.types > 0, header.types <= 256, header.letters > 0,
      [0, header.types].contains(header.universalFlags), [0, header.types].contains(header.standardFlags)
    else { throw Malformed() }
    return header
  }

  private mutating func block(_ header: Header, wide: Bool) throws(Malformed) -> ZoneTimeline {
    let width = wide ? 8 : 4
    // The file's size bounds the allocation.
    guard bytes.count - position >= header.transitions * (width + 1) else { throw Malformed() }
    var moments: [Int64] = []
    moments.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions {
      let moment = try integer(width)
      if let last = moments.last, moment <= last { throw Malformed() }
      moments.append(moment)
    }
    let indices = try take(header.transitions)
    let types = try localTimeTypes(header)
    let leaps = try leapSeconds(header.leapSeconds, width: width)
    try skip(header.standardFlags + header.universalFlags)
    var following: [LocalTimeType] = []
    following.reserveCapacity(header.transitions)
    for index in indices {
      guard Int(index) < types.count else { throw Malformed() }
      following.append(types[Int(index)])
    }
    return ZoneTimeline(
      transitions: try Self.withoutLeapSeconds(moments, leaps), types: following, initial: types[0])
  }

  private mutating func localTimeTypes(_ header: Header) throws(Malformed) -> [LocalTimeType] {
    let records = try take(header.types * 6)
    let letters = try take(header.letters)
    var types: [LocalTimeType] = []
    for start in stride(from: records.startIndex, to: records.endIndex, by: 6) {
      let offset = Int(Self.integer(records[start..<start + 4]))
      let name = Int(records[start + 5])
      guard abs(offset) <= 26 * 3_600, records[start + 4] <= 1, name < letters.count else {
        throw Malformed()
      }
      let rest = letters.dropFirst(name)
      guard let end = rest.firstIndex(of: 0) else { throw Malformed() }
      types.append(
        LocalTimeType(offset: offset, abbreviation: String(decoding: rest[..<end], as: UTF8.self)))
    }
    return types
  }

  /// Each leap second's moment and the number of leap seconds up to it.
  private mutating func leapSeconds(
    _ count: Int, width: Int
  ) throws(Malformed) -> [(moment: Int64, total: Int64)] {
    guard bytes.count - position >= count * (width + 4) else { throw Malformed() }
    var leaps: [(moment: Int64, total: Int64)] = []
    for _ in 0..<count {
      let moment = try integer(width)
      if let last = leaps.last, moment <= last.moment { throw Malformed() }
      leaps.append((moment, try integer(4)))
    }
    return leaps
  }

  /// The machine's clock counts no leap seconds; files below `right/` do.
  private static func withoutLeapSeconds(
    _ moments: [Int64], _ leaps: [(moment: Int64, total: Int64)]
  ) throws(Malformed) -> [Int64] {
    guard !leaps.isEmpty else { return moments }
    var corrected: [Int64] = []
    corrected.reserveCapacity(moments.count)
    var passed = 0
    for moment in moments {
      while passed < leaps.count, leaps[passed].moment <= moment { passed += 1 }
      let (plain, overflow) = moment.subtractingReportingOverflow(passed == 0 ? 0 : leaps[passed - 1].total)
      guard !overflow, corrected.last.map({ $0 < plain }) ?? true else { throw Malformed() }
      corrected.append(plain)
    }
    return corrected
  }

  /// Between two newlines; nil when empty.
  private mutating func footer() throws(Malformed) -> PosixRule? {
    guard try integer(1) == 0x0A, let end = bytes[position...].firstIndex(of: 0x0A) else { throw Malformed() }
    let text = bytes[position..<end]
    guard !text.isEmpty else { return nil }
    guard let rule = PosixRule(text) else { throw Malformed() }
    return rule
  }

  private mutating func take(_ count: Int) throws(Malformed) -> ArraySlice<UInt8> {
    guard count <= bytes.count - position else { throw Malformed() }
    defer { position += count }
    return bytes[position..<position + count]
  }

  private mutating func skip(_ count: Int) throws(Malformed) { _ = try take(count) }

  private mutating func count() throws(Malformed) -> Int {
    Int(UInt32(truncatingIfNeeded: try integer(4)))
  }

  private mutating func integer(_ width: Int) throws(Malformed) -> Int64 { Self.integer(try take(width)) }

  /// Big-endian, two's complement.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> Int64 {
    let first = bytes.first.map { Int64(Int8(bitPattern: $0)) } ?? 0
    return bytes.dropFirst().reduce(first) { $0 << 8 | Int64($1) }
  }
}
