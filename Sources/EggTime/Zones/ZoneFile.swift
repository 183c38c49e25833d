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
    for _ in 0..<header.transitions { try Self.append(try integer(width), to: &moments) }
    let indices = try take(header.transitions)
    let types = try localTimeTypes(header)
    let transitions = try withoutLeapSeconds(moments, header, width: width)
    try skip(header.standardFlags + header.universalFlags)
    guard indices.allSatisfy({ Int($0) < types.count }) else { throw Malformed() }
    return ZoneTimeline(transitions: transitions, types: indices.map { types[Int($0)] }, initial: types[0])
  }

  /// Moments ascend.
  private static func append(_ moment: Int64, to moments: inout [Int64]) throws(Malformed) {
    if let last = moments.last, moment <= last { throw Malformed() }
    moments.append(moment)
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

  /// The machine's clock counts no leap seconds; files below `right/` do.
  private mutating func withoutLeapSeconds(
    _ moments: [Int64], _ header: Header, width: Int
  ) throws(Malformed) -> [Int64] {
    guard bytes.count - position >= header.leapSeconds * (width + 4) else { throw Malformed() }
    var leaps: [Int64] = []
    // The number of leap seconds up to each.
    var totals: [Int64] = []
    for _ in 0..<header.leapSeconds {
      try Self.append(try integer(width), to: &leaps)
      totals.append(try integer(4))
    }
    var corrected: [Int64] = []
    var passed = 0
    for moment in moments {
      while passed < leaps.count, leaps[passed] <= moment { passed += 1 }
      let (plain, overflow) = moment.subtractingReportingOverflow(passed == 0 ? 0 : totals[passed - 1])
      guard !overflow else { throw Malformed() }
      try Self.append(plain, to: &corrected)
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
