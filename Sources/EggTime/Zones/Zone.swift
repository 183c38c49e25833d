/// A time zone's clock, past and future. Immutable and read from its file once; compare ``digest`` to notice
/// a change of the file.
public final class Zone: Sendable {
  /// `Europe/Paris`; `UTC`; `localtime` for a nameless /etc/localtime; the text of a POSIX `TZ`; `+05:30`.
  public let identifier: String
  /// Changes with the file's bytes.
  public let digest: String
  /// nil when it was not read from a file.
  public let path: String?
  private let timeline: ZoneTimeline

  init(identifier: String, digest: String, path: String?, timeline: ZoneTimeline) {
    self.identifier = identifier
    self.digest = digest
    self.path = path
    self.timeline = timeline
  }

  /// Needs no file.
  public static let utc = Zone(
    identifier: "UTC", digest: "built in", path: nil, timeline: .fixed(offset: 0, abbreviation: "UTC"))

  public func civil(at instant: Instant) -> CivilDateTime {
    let (seconds, microsecond) = Int.floorDivide(Int(instant.microseconds), 1_000_000)
    let offset = timeline.period(at: Int64(seconds)).type.offset
    return CivilDateTime(secondsOnClock: seconds + offset, microsecond: microsecond)
  }

  /// `civil` must be valid.
  public func resolve(_ civil: CivilDateTime) -> CivilResolution {
    let shown = Int64(civil.secondsOnClock)
    func instant(_ seconds: Int64) -> Instant {
      Instant(microseconds: seconds * 1_000_000 + Int64(civil.microsecond))
    }
    // The clock shows this time in this window, if at all.
    var period = timeline.period(at: shown - Self.furthest)
    var first: Int64?
    var gap: CivilResolution?
    while true {
      let seconds = shown - Int64(period.type.offset)
      if period.start <= seconds, seconds < period.end {
        if let first { return .fold(first: instant(first), second: instant(seconds)) }
        first = seconds
      }
      guard period.end <= shown + Self.furthest else { break }
      let next = timeline.period(at: period.end)
      if gap == nil, period.end + Int64(period.type.offset) <= shown,
        shown < period.end + Int64(next.type.offset)
      {
        let length = Int64(next.type.offset - period.type.offset)
        gap = .gap(instant: instant(shown - Int64(period.type.offset)), length: .seconds(length))
      }
      period = next
    }
    // A clock set back soon after a jump may show what it jumped over.
    if let first { return .unique(instant(first)) }
    return gap ?? .unique(instant(shown - Int64(period.type.offset)))
  }

  /// The local time in force at a moment, and its end: the first moment of the next period; nil when it lasts
  /// beyond the year 9999. Adjacent periods may be alike.
  public func period(at instant: Instant) -> (offset: Int, abbreviation: String, end: Instant?) {
    let period = timeline.period(at: Self.seconds(instant))
    let hasEnd = period.end < Instant.latest.microseconds / 1_000_000
    return (
      period.type.offset, period.type.abbreviation,
      hasEnd ? Instant(microseconds: period.end * 1_000_000) : nil
    )
  }

  /// The earliest time after `time` that the clock shows after `base`.
  func nextTime(after time: CivilDateTime, shownAfter base: Instant) -> CivilDateTime {
    // All in microseconds; civil times count as if in UTC.
    let later = Int64(time.secondsOnClock) * 1_000_000 + Int64(time.microsecond) + 1
    let furthest = Self.furthest * 1_000_000
    var begin = max((base + TimeSpan(microseconds: 1)).microseconds, later - furthest)
    var earliest = Int64.max
    while true {
      let period = timeline.period(at: Self.seconds(Instant(microseconds: begin)))
      let offset = Int64(period.type.offset) * 1_000_000
      let isLast = period.end > Instant.latest.microseconds / 1_000_000
      let end = isLast ? Int64.max - furthest : period.end * 1_000_000
      let first = max(begin + offset, later)
      if first < end + offset { earliest = min(earliest, first) }
      // From then on the clock only shows later times.
      if isLast || end - furthest >= earliest { break }
      begin = end
    }
    return Self.utc.civil(at: Instant(microseconds: earliest))
  }

  /// Abbreviations in use now and in the following year with their offsets, in order of first use.
  func abbreviations(around instant: Instant) -> [(name: String, offset: Int)] {
    let now = Self.seconds(instant)
    var found: [(name: String, offset: Int)] = []
    var period = timeline.period(at: now)
    while true {
      if !found.contains(where: { $0.name == period.type.abbreviation }) {
        found.append((period.type.abbreviation, period.type.offset))
      }
      guard period.end <= now + 366 * 86_400 else { return found }
      period = timeline.period(at: period.end)
    }
  }

  /// In seconds: no clock is further from UTC (RFC 9636 §3.2).
  private static let furthest: Int64 = 26 * 3_600

  private static func seconds(_ instant: Instant) -> Int64 {
    Int64(Int.floorDivide(Int(instant.microseconds), 1_000_000).quotient)
  }
}

/// A civil time on a zone's clock.
public enum CivilResolution: Hashable, Sendable {
  case unique(Instant)
  /// The clock jumps over it. `instant` is as far after the jump as the time is into the gap: in a gap of an
  /// hour 02:30 becomes 03:30. `length` is the gap's.
  case gap(instant: Instant, length: TimeSpan)
  /// The clock is set back: it shows the time twice.
  case fold(first: Instant, second: Instant)

  /// When an alarm for that time rings: later by the gap's length, or at the first of a fold.
  public var instant: Instant {
    switch self {
    case .unique(let instant), .gap(let instant, _), .fold(let instant, _): instant
    }
  }
}

public enum ZoneError: Error, Hashable, Sendable {
  /// Not a possible name: empty, too long, `..`, an absolute path, or other characters.
  case invalidIdentifier(String)
  /// Not in the machine's zoneinfo.
  case unknown(String)
  /// The file exists but cannot be read; `code` is an errno.
  case unreadable(path: String, code: Int32)
  /// The file or `TZ` does not follow RFC 9636 or POSIX.
  case malformed(path: String)
}
