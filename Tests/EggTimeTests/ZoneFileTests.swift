import Testing

@testable import EggTime

/// Zone files built byte by byte, each violating one assumption of a reader.
@Suite struct ZoneFileTests {
  /// The parts of an RFC 9636 file. Each test damages one part, then asks for ``bytes``.
  struct Draft {
    var version: UInt8 = 0x32
    var moments: [Int64] = [0, 100_000]
    var indices: [UInt8] = [1, 0]
    var types: [(offset: Int32, isDaylight: UInt8, name: UInt8)] = [(0, 0, 0), (3_600, 1, 4)]
    var letters = Array("UTC\0CEST\0".utf8)
    var leaps: [(Int64, Int32)] = []
    var footer: String? = "\n\n"
    /// Overrides the actual count.
    var claimedTypes: UInt32?
    var claimedTransitions: UInt32?

    var bytes: [UInt8] {
      version == 0 ? block(width: 4) : block(width: 4) + block(width: 8) + Array((footer ?? "").utf8)
    }

    private func block(width: Int) -> [UInt8] {
      var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
      let counts: [UInt32] = [
        0, 0, UInt32(leaps.count), claimedTransitions ?? UInt32(moments.count),
        claimedTypes ?? UInt32(types.count), UInt32(letters.count),
      ]
      for count in counts { bytes += big(Int64(count), 4) }
      for moment in moments { bytes += big(moment, width) }
      bytes += indices
      for type in types { bytes += big(Int64(type.offset), 4) + [type.isDaylight, type.name] }
      bytes += letters
      for leap in leaps { bytes += big(leap.0, width) + big(Int64(leap.1), 4) }
      return bytes
    }

    private func big(_ value: Int64, _ width: Int) -> [UInt8] {
      (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
  }

  @Test("A small file of any version is read", arguments: [0, 0x32, 0x33, 0x34] as [UInt8])
  func versions(version: UInt8) throws {
    var draft = Draft()
    draft.version = version
    let timeline = try ZoneFile.timeline(draft.bytes)
    #expect(timeline.transitions == [0, 100_000])
    #expect(timeline.period(at: -1).type == LocalTimeType(offset: 0, abbreviation: "UTC"))
    #expect(timeline.period(at: 0).type == LocalTimeType(offset: 3_600, abbreviation: "CEST"))
    #expect(timeline.period(at: 99_999).end == 100_000)
    #expect(timeline.period(at: .max).type.offset == 0)
  }

  @Test("Without transitions the footer applies to all time")
  func footerOnly() throws {
    var draft = Draft()
    (draft.moments, draft.indices, draft.footer) = ([], [], "\n<+0330>-3:30\n")
    let timeline = try ZoneFile.timeline(draft.bytes)
    for second in [Int64.min / 2, 0, Int64.max / 2] {
      #expect(timeline.period(at: second).type == LocalTimeType(offset: 12_600, abbreviation: "+0330"))
    }
  }

  static let broken: [(String, @Sendable (inout Draft) -> Void)] = [
    ("no types", { $0.types = [] }),
    ("more types than bytes", { $0.claimedTypes = 200 }),
    ("more types than an index can name", { $0.claimedTypes = 257 }),
    ("four thousand million transitions", { $0.claimedTransitions = .max }),
    ("a transition to a type that is not there", { $0.indices = [1, 2] }),
    ("transitions that go back", { $0.moments = [100_000, 0] }),
    ("two transitions at once", { $0.moments = [5, 5] }),
    ("an offset beyond 26 hours", { $0.types[1].offset = 93_601 }),
    ("the least offset of 32 bits", { $0.types[1].offset = .min }),
    ("a flag that is neither 0 nor 1", { $0.types[1].isDaylight = 2 }),
    ("a name beyond the letters", { $0.types[1].name = 9 }),
    ("a name without an end", { $0.letters = Array("UTC\0CEST".utf8) }),
    ("no letters", { $0.letters = [] }),
    ("no footer", { $0.footer = nil }),
    ("a footer without an end", { $0.footer = "\nCET-1" }),
    ("a footer that is no rule", { $0.footer = "\nyesterday\n" }),
    (
      "a leap second that overflows",
      {
        $0.leaps = [(.min, 1)]; $0.moments[0] = .min
      }
    ),
    ("leap seconds that go back", { $0.leaps = [(50_000, 1), (50_000, 2)] }),
    ("leap seconds that swap transitions", { $0.leaps = [(50_000, .max)] }),
  ]

  @Test("A file that violates RFC 9636 is an error", arguments: broken.indices)
  func refuses(index: Int) {
    let (what, break_) = Self.broken[index]
    var draft = Draft()
    break_(&draft)
    #expect(throws: ZoneFile.Malformed.self, "\(what)") { try ZoneFile.timeline(draft.bytes) }
  }

  @Test("A file truncated anywhere is an error")
  func truncated() {
    var draft = Draft()
    draft.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
    for count in 0..<draft.bytes.count {
      #expect(throws: ZoneFile.Malformed.self) { try ZoneFile.timeline(Array(draft.bytes.prefix(count))) }
    }
  }

  @Test("No change of a single byte traps the reader")
  func mutated() throws {
    var draft = Draft()
    draft.footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n"
    let bytes = draft.bytes
    var read = 0
    for index in bytes.indices {
      for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[index] = value
        guard let timeline = try? ZoneFile.timeline(changed) else { continue }
        let zone = Zone(identifier: "Test", digest: "", path: nil, timeline: timeline)
        for civil in [
          CivilDateTime(year: 1970, month: 1, day: 1), CivilDateTime(year: 9999, month: 12, day: 31),
        ] { _ = zone.resolve(civil) }
        read += 1
      }
    }
    #expect(read > 100)
  }
}
