import EggTime

extension Course {
  /// How one goes on. What it waits for is fixed until it rings or its zone changes.
  package struct Recurring: Hashable, Sendable {
    package var time: RecurringTime
    /// nil: the machine's.
    package var zone: String?
    /// The first moment at which it may elapse.
    package var from: Instant?
    /// How often it elapses yet.
    package var left: Int64
    package var until: Instant
    /// It was made or resumed; whichever the clock showed later.
    package var made: Instant
    /// The last elapse, or when it rang if that was later.
    package var last: Instant?
    /// The last elapse where that was left out.
    package var skipped: Instant?
    /// The first elapse of those that passed while it was paused, where these are the last.
    package var passedOver: Instant?
    /// How long before a thing it rings, as elapsed time; at the thing alone if empty.
    package var leads: [TimeSpan] = []
    package var quiet = Quiet()

    /// All fields.
    package init(
      time: RecurringTime, zone: String?, from: Instant? = nil, left: Int64, until: Instant, made: Instant,
      last: Instant? = nil, skipped: Instant? = nil
    ) {
      (self.time, self.zone, self.from, self.left, self.until) = (time, zone, from, left, until)
      (self.made, self.last, self.skipped) = (made, last, skipped)
    }

    var known: Instant { max(made, last ?? made) }

    /// The first elapse after a moment.
    func next(after base: Instant, in zone: Zone) -> Instant? { walk(after: base, to: base, in: zone).next }

    /// The first thing after a moment, on whichever day. An interval is walked along from its start, day by day.
    func thing(after base: Instant, in zone: Zone) -> Instant? {
      let moment = TimeSpan(microseconds: 1)
      let base = max(base, from.map { $0 - moment } ?? base)
      switch time {
      case .event(let event): return event.next(after: base, in: zone)
      case .interval(let interval):
        guard case .elapsed(let span) = interval.step, var elapse = interval.elapsesFrom else {
          return Walk(interval.step, from: interval.start).next(after: base, in: zone)
        }
        let far = (base - elapse).microseconds / span.microseconds - 1_000
        if far > 0 { elapse = elapse + TimeSpan(microseconds: far * span.microseconds) }
        while elapse <= base { elapse = elapse + span }
        return elapse
      case .rule(let set): return RuleWalk(set).next(after: base, in: zone)
      }
    }
  }

  /// The days of an interval, one after the other, told by what changes from each day to the next.
  private struct Walk {
    private let step: RecurringInterval.Step
    /// The day that it stands at, at the time of day of them all.
    private var time: CivilDateTime
    /// Days, weeks and months that began since the start.
    private var days = 0
    private var weeks = 0
    private var months = 0

    init(_ step: RecurringInterval.Step, from start: CivilDateTime) { (self.step, time) = (step, start) }

    func next(after base: Instant, in zone: Zone) -> Instant? {
      var walk = self
      // What the clock shows from then on. No clock is set by more than a day and two hours.
      let shown = zone.civil(at: base + TimeSpan(microseconds: 1))
      let first = shown.adding(days: -2)
      // A day that never comes again would be walked for all times.
      let last = shown.adding(days: 4_000)
      while walk.time <= max(last, time.adding(days: 4_000)) {
        if walk.time >= first, walk.isNamed, let elapse = walk.time.elapse(after: base, shown, in: zone) {
          return elapse
        }
        walk.goOn()
      }
      return nil
    }

    private mutating func goOn() {
      time = time.adding(days: 1)
      days += 1
      if time.weekday == .monday { weeks += 1 }
      if time.day == 1 { months += 1 }
    }

    private var isNamed: Bool {
      switch step {
      case .elapsed: return false
      case .days(let count): return days % count == 0
      case .weeks(let count, let names): return weeks % count == 0 && names.contains(time.weekday)
      case .months(let count, .day(let day)):
        guard months % count == 0 else { return false }
        return day > 0 ? time.day == day : isLast(-day)
      case .months(let count, .weekday(let weekday, let number)):
        guard months % count == 0, time.weekday == weekday else { return false }
        let others = (1...4).filter { time.adding(days: (number > 0 ? -7 : 7) * $0).month == time.month }
        return others.count + 1 == abs(number)
      case .months(let count, .workday(let number)):
        guard months % count == 0, Self.isWorkday(time) else { return false }
        let others = (1...30).filter { days in
          let other = time.adding(days: number > 0 ? -days : days)
          return other.month == time.month && Self.isWorkday(other)
        }
        return others.count + 1 == abs(number)
      }
    }

    private static func isWorkday(_ time: CivilDateTime) -> Bool {
      time.weekday != .saturday && time.weekday != .sunday
    }

    /// Whether so many days of its month are left, itself included.
    private func isLast(_ count: Int) -> Bool {
      time.adding(days: count - 1).month == time.month && time.adding(days: count).month != time.month
    }
  }

  /// Steps through a rule that names some hours of every nth day, or every nth minute; with its dates.
  private struct RuleWalk {
    private let set: RecurrenceSet

    init(_ set: RecurrenceSet) { self.set = set }

    func next(after base: Instant, in zone: Zone) -> Instant? {
      let shown = zone.civil(at: base + TimeSpan(microseconds: 1))
      let excluded = Set(set.excluded.map(\.civil))
      let days = set.rule?.frequency == .daily ? (before: 3, after: 60) : (before: 1, after: 1)
      let first = max(shown, set.start)
      let near = (shown.adding(days: -days.before), first.adding(days: days.after))
      let times = set.dates + (set.rule.map { self.times($0, near) } ?? [])
      return times.filter { !excluded.contains($0) }.compactMap { $0.elapse(after: base, shown, in: zone) }
        .min()
    }

    private func times(_ rule: RecurrenceRule, _ near: (CivilDateTime, CivilDateTime)) -> [CivilDateTime] {
      var times: [CivilDateTime] = []
      var time = set.start
      let length = rule.interval * (rule.frequency == .daily ? 86_400 : 60)
      let far = (near.0.secondsOnClock - time.secondsOnClock) / length - 100
      if far > 0 { time = CivilDateTime(secondsOnClock: time.secondsOnClock + far * length) }
      while time < near.1 {
        if time >= near.0 {
          for hour in rule.hours ?? [time.hour] {
            var named = time
            named.hour = hour
            if named >= set.start { times.append(named) }
          }
        }
        time = CivilDateTime(secondsOnClock: time.secondsOnClock + length)
      }
      return times
    }
  }
}

extension CivilDateTime {
  /// When the clock shows it, if that is after `base`. Of two times the first; who looks on in the second hour of a
  /// fold sees that one.
  fileprivate func elapse(after base: Instant, _ shown: CivilDateTime, in zone: Zone) -> Instant? {
    switch zone.resolve(self) {
    case .gap: return nil
    case .unique(let instant): return instant > base ? instant : nil
    case .fold(let first, let second):
      if first > base { return first }
      return second > base && shown <= self ? second : nil
    }
  }
}
