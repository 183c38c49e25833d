import EggTime

/// A VTIMEZONE while its lines are being read: RFC 5545 §3.6.5.
struct ZoneDraft {
  /// TZID.
  private(set) var name: String?
  /// X-LIC-LOCATION.
  private(set) var location: String?
  private var observances: [Observance] = []

  /// STANDARD or DAYLIGHT.
  private struct Observance {
    var start: CivilDateTime?
    var rule: RecurrenceRule?
    var dates: [CivilDateTime] = []
    /// In seconds from UTC.
    var from: Int?
    var to: Int?
  }

  private struct Change: Equatable {
    var moment: Instant
    var from: Int
    var to: Int
  }

  /// Bounds what a hostile file can take.
  private static let most = 200
  /// The year 1.
  private static let earliest = Instant(microseconds: -62_135_596_800_000_000)
  /// The years around the present in which a zone has to agree.
  private static let before = TimeSpan.seconds(366 * 86_400)
  private static let after = TimeSpan.seconds(5 * 366 * 86_400)

  /// - Parameter component: VTIMEZONE, STANDARD or DAYLIGHT.
  mutating func begin(_ component: String) {
    if component != "VTIMEZONE", observances.count < Self.most { observances.append(Observance()) }
  }

  mutating func take(_ property: Property) {
    let last = observances.endIndex - 1
    switch property.name {
    case .zone: name = ContentText.unescaped(property.value)
    case .location: location = ContentText.unescaped(property.value)
    case .start where last >= 0: observances[last].start = BasicDateTime(property.value)?.civil
    case .rule where last >= 0: observances[last].rule = try? RecurrenceRule(property.value)
    case .dates where last >= 0:
      observances[last].dates += property.value.split(separator: ",").compactMap { BasicDateTime($0)?.civil }
    case .offsetFrom where last >= 0: observances[last].from = Self.offset(property.value)
    case .offsetTo where last >= 0: observances[last].to = Self.offset(property.value)
    default: break
    }
  }

  /// The first of these zones that shows the same time, from a year ago to five years ahead.
  func match(of zones: [Zone], at now: Instant) -> Zone? {
    let window = now - Self.before...now + Self.after
    guard !observances.isEmpty, let changes = changes(within: window) else { return nil }
    let moments = changes.map(\.moment).filter { window.contains($0) }
    func offset(at moment: Instant) -> Int? {
      changes.last { $0.moment <= moment }?.to ?? changes.first?.from
    }
    return zones.first { zone in
      var times = [window.lowerBound, now, window.upperBound] + moments
      var end = zone.period(at: window.lowerBound).end
      while let change = end, window.contains(change) {
        times.append(change)
        end = zone.period(at: change).end
      }
      return times.allSatisfy { time in
        [time, time - .seconds(1)].allSatisfy { zone.period(at: $0).offset == offset(at: $0) }
      }
    }
  }

  /// Ascending: those within the window, and the last one before it of each observance.
  private func changes(within window: ClosedRange<Instant>) -> [Change]? {
    var changes: [Change] = []
    for observance in observances {
      guard let start = observance.start, let from = observance.from, let to = observance.to,
        let set = try? RecurrenceSet(start: start, rule: observance.rule, dates: observance.dates)
      else { return nil }
      // Its times are on the clock that the change ends.
      func change(_ onset: Instant) -> Change {
        Change(moment: onset - .seconds(Int64(from)), from: from, to: to)
      }
      let day = TimeSpan.seconds(86_400)
      var base = window.lowerBound - .seconds(2 * 366 * 86_400)
      if let first = set.next(after: Self.earliest, in: .utc), first <= base {
        changes.append(change(first))
      }
      while let next = set.next(after: base, in: .utc), next <= window.upperBound + day,
        changes.count < Self.most * 10
      {
        changes.append(change(next))
        base = next
      }
    }
    return changes.sorted { $0.moment < $1.moment }
  }

  /// `+0530`, or `-001515` with seconds.
  private static func offset(_ text: String) -> Int? {
    guard let sign = text.first, sign == "+" || sign == "-", [4, 6].contains(text.dropFirst().utf8.count),
      let number = Int(text.dropFirst())
    else { return nil }
    let seconds = text.utf8.count == 7 ? number : number * 100
    let size = seconds / 10_000 * 3_600 + seconds / 100 % 100 * 60 + seconds % 100
    return sign == "-" ? -size : size
  }
}
