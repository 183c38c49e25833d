/// A recurrence set of RFC 5545 §3.8.5: a rule, dates that are added, and dates that are left out.
///
/// All its times are on one clock: that of its zone. A time in a gap does not elapse and does not count for
/// COUNT (§3.3.10); a time in an overlap elapses the first time.
public struct RecurrenceSet: Sendable {
  /// DTSTART. Elapses itself only if the rule or a date names it.
  public let start: CivilDateTime
  /// nil where only dates are named; the start is then one of them.
  public let rule: RecurrenceRule?
  /// RDATE, ascending.
  public let dates: [CivilDateTime]
  /// EXDATE, ascending. A date without a time leaves out the whole day.
  public let excluded: [BasicDateTime]
  /// How far from each time the alarm rings, on the clock; its TRIGGER.
  public let lead: CalendarDistance
  /// The zone it names and is evaluated in (an IANA name, or UTC); nil for the evaluator's zone.
  public let zoneName: String?
  /// The canonical form, see ``init(_:)``.
  public let description: String

  private let search: RuleSearch?
  /// In seconds on the clock, ascending.
  private let added: [Int]
  private let excludedTimes: Set<Int>
  /// Since 1970-01-01.
  private let excludedDays: Set<Int>
  /// The last time by COUNT, none of them being in a gap.
  private let counted: Int?

  /// Times by COUNT are counted up to this.
  public static let mostCounted = 10_000
  /// Of the canonical form with its zone: two hundred dates.
  public static let longest = 4_096
  private static let mostCompared = 100
  /// Kept for the zone, so that a set can get one.
  private static let zoneBytes = 256

  /// Throws when it never elapses, or takes too long to count or to keep.
  public init(
    start: CivilDateTime, rule: RecurrenceRule?, dates: [CivilDateTime] = [], excluded: [BasicDateTime] = [],
    lead: CalendarDistance = .zero, zoneName: String? = nil
  ) throws(RuleProblem) {
    self.start = start
    self.rule = rule
    self.lead = lead
    self.zoneName = zoneName
    self.dates = Set(dates).sorted()
    self.excluded = Set(excluded).sorted { ($0.civil, $0.isDay ? 0 : 1) < ($1.civil, $1.isDay ? 0 : 1) }
    search = rule.map { RuleSearch($0, from: start) }
    added = (rule == nil ? Set(dates + [start]).sorted() : self.dates).map(\.secondsOnClock)
    excludedTimes = Set(excluded.filter { !$0.isDay }.map(\.civil.secondsOnClock))
    excludedDays = Set(excluded.filter(\.isDay).map(\.civil.dayNumber))
    description = RecurrenceText.of(self.start, rule, self.dates, self.excluded, lead, zoneName)
    let zone = zoneName?.utf8.count ?? 0
    guard description.utf8.count - zone <= Self.longest - Self.zoneBytes, zone < Self.zoneBytes - 8 else {
      throw .tooLong
    }
    if let count = rule?.count, let search {
      guard count <= Self.mostCounted else { throw .longCount(limit: Self.mostCounted) }
      var last = search.first(from: search.start)
      for _ in 1..<count {
        guard let time = last, let next = search.first(from: time + 1) else { break }
        last = next
      }
      counted = last
    } else {
      counted = nil
    }
    guard time(from: .min / 2, through: counted) != nil else { throw .never }
  }

  /// The same times with the first of its rule as the start, if that says the same: calendars expect a rule to name its
  /// start, and may not ring otherwise.
  public var begun: RecurrenceSet {
    guard let rule, let search, let first = search.first(from: search.start),
      first != start.secondsOnClock,
      let begun = try? RecurrenceSet(
        start: CivilDateTime(secondsOnClock: first), rule: rule, dates: dates, excluded: excluded, lead: lead,
        zoneName: zoneName), begun.counted == counted
    else { return self }
    var time = first
    for _ in 0..<Self.mostCompared {
      guard let next = search.first(from: time + 1) else { break }
      guard begun.search?.first(from: time + 1) == next else { return self }
      time = next
    }
    return begun
  }

  /// The first time from `earliest` on, in seconds on the clock.
  ///
  /// - Parameter end: The rule's last.
  private func time(from earliest: Int, through end: Int?) -> Int? {
    var earliest = earliest
    while true {
      let named = search?.first(from: earliest).flatMap { $0 <= end ?? $0 ? $0 : nil }
      // There are few dates.
      let date = added.first { $0 >= earliest }
      guard let found = [named, date].compactMap(\.self).min() else { return nil }
      let day = Int.floorDivide(found, 86_400).quotient
      if !excludedTimes.contains(found), !excludedDays.contains(day) { return found }
      earliest = excludedDays.contains(day) ? (day + 1) * 86_400 : found + 1
    }
  }
}

extension RecurrenceSet: Hashable, CustomStringConvertible {
  /// Equal when the canonical forms are.
  public static func == (a: RecurrenceSet, b: RecurrenceSet) -> Bool { a.description == b.description }

  public func hash(into hasher: inout Hasher) { hasher.combine(description) }
}

extension RecurrenceSet {
  /// The set's times on the clock of one zone.
  private struct Series: WallClockSeries {
    let set: RecurrenceSet
    /// In seconds on the clock.
    let end: Int?

    func match(from start: CivilDateTime) -> CivilDateTime? {
      let lead = set.lead.secondsOnClock
      let earliest = start.secondsOnClock + (start.microsecond > 0 ? 1 : 0) - lead
      return set.time(from: earliest, through: end).map { CivilDateTime(secondsOnClock: $0 + lead) }
        .flatMap { $0.isValid ? $0 : nil }
    }
  }

  private func series(in zone: Zone) -> Series {
    guard let until = rule?.until else {
      return Series(set: self, end: counted.map { lastCounted($0, in: zone) })
    }
    if until.isDay { return Series(set: self, end: (until.civil.dayNumber + 1) * 86_400 - 1) }
    guard until.isUTC, case .unique(let moment) = Zone.utc.resolve(until.civil) else {
      return Series(set: self, end: until.civil.secondsOnClock)
    }
    return Series(set: self, end: zone.civil(at: moment).secondsOnClock)
  }

  /// The last time by COUNT: later than `counted`, by as many times as lie in gaps.
  private func lastCounted(_ counted: Int, in zone: Zone) -> Int {
    guard let search else { return counted }
    var last = counted
    var period = zone.period(at: zone.resolve(start).instant)
    while let change = period.end {
      let seconds = Int(change.microseconds / 1_000_000)
      let before = seconds + period.offset
      guard before <= last else { break }
      period = zone.period(at: change)
      var earliest = before
      while let time = search.first(from: earliest), time < seconds + period.offset, time <= last {
        guard let next = search.first(from: last + 1) else { return last }
        last = next
        earliest = time + 1
      }
    }
    return last
  }

  /// The first elapse strictly after `base` on the clock of `zone`; nil when there is none. The caller loads
  /// the set's own zone.
  public func next(after base: Instant, in zone: Zone) -> Instant? {
    series(in: zone).elapse(after: base, in: zone).flatMap { $0 <= .latest ? $0 : nil }
  }

  /// See ``RecurringTime/firstSkipped(after:before:within:in:)``.
  func firstSkipped(
    after base: Instant, before end: Instant, within count: Int64 = .max, in zone: Zone
  ) -> SkippedTime? {
    series(in: zone).firstSkipped(after: base, before: end, within: count, in: zone)
  }

  /// Whether two elapses can lie closer together than `span`, which is above zero and at most a minute. Only
  /// the rule counts.
  public func isDenser(than span: TimeSpan) -> Bool {
    guard let rule, span > .seconds(1) else { return false }
    if rule.frequency == .secondly, rule.seconds?.count != 1 { return .seconds(Int64(rule.interval)) < span }
    return rule.seconds.map { $0.count > 1 } ?? false
  }
}
