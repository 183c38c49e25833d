import Alarms
import EggTime
import Ringing

/// What is to come of one alarm, worked out in the plainest way from what was asked for and what the clocks and zone
/// files show. No head, no horizon, no timer, no database.
package struct Course: Hashable, Sendable {
  /// When something is to ring.
  package enum Moment: Hashable, Sendable {
    /// CLOCK_BOOTTIME, µs.
    case elapsed(Int64)
    case instant(Instant)
    /// On the clock of that zone; nil: of the machine's.
    case civil(CivilDateTime, zone: String?)
    /// So long before another, as elapsed time.
    indirect case before(Moment, TimeSpan)

    /// On the wall clock as it now stands.
    package func instant(_ now: ClockReading, _ zones: OracleZones) -> Instant {
      switch self {
      case .elapsed(let end): Instant(microseconds: end + now.bootOffset)
      case .instant(let instant): instant
      case .civil(let civil, let name): zones.zone(name).resolve(civil).instant
      case .before(let moment, let span): moment.instant(now, zones) - span
      }
    }

    /// The moment that it is so long before, or itself.
    package var thing: Moment {
      if case .before(let moment, _) = self { moment } else { self }
    }

    package var lead: TimeSpan {
      if case .before(_, let span) = self { span } else { .zero }
    }

    /// So long before another.
    package func moved(to thing: Moment) -> Moment {
      if case .before(_, let span) = self { .before(thing, span) } else { thing }
    }

    /// The machine was switched off: a countdown goes on, on the wall clock.
    package func reboot(offset: Int64) -> Moment {
      guard case .elapsed(let end) = thing else { return self }
      return moved(to: .instant(Instant(microseconds: end + offset)))
    }
  }

  /// What stands still.
  package enum Paused: Hashable, Sendable {
    /// Until the ring so long before the moment; µs.
    case left(Int64, ahead: TimeSpan)
    case every(due: Instant, at: Instant)
  }

  /// The own moment.
  package var own: Moment?
  /// Ends of snoozes, by occurrence.
  package var snoozes: [Int64: Moment] = [:]
  /// How long a ring waits for an answer; nil for ever.
  package var patience: TimeSpan?
  /// When rings count as unanswered, by occurrence; of those that ring no more it says nothing.
  package var unanswered: [Int64: Moment] = [:]
  /// How it goes on; stays when it is over.
  package var recurring: Recurring?
  package var paused: Paused?
  /// What a one-shot has that does not ring at its moment alone.
  package var led: Led?
  /// How late it may still ring; nil: however late.
  package var mostLate: TimeSpan?
  /// When it was asked for, and how.
  package var call: Call?
  /// The clock was ahead and was set right since: what elapsed before says nothing.
  package var isSetRight = false
  /// When what is snoozed rang, by occurrence.
  package var rang: [Int64: Instant] = [:]

  /// Nothing is to come.
  package init() {}

  /// A one-shot.
  package init(_ moment: Moment) { own = moment }

  /// One that recurs, from when it was made on.
  package init(every recurring: Recurring, _ zones: OracleZones) {
    let zone = zones.zone(recurring.zone)
    var recurring = recurring
    let made = recurring.made
    recurring.move(
      from: recurring.thing(after: made, in: zone), to: recurring.firstThing(after: made, in: zone), in: zone)
    self.recurring = recurring
    own = recurring.next(after: made, in: zone).map { .instant($0) }
  }

  /// All that is to come of it.
  package var moments: [Moment] { [own].compactMap { $0 } + snoozes.values }

  private static func isWrong(_ moment: Instant, _ now: Instant) -> Bool {
    moment - now > .seconds(86_400)
  }
}

extension Course {
  /// What has to ring, or to be missed.
  package struct Due: Hashable, Sendable {
    package var at: Instant
    /// For how many elapses.
    package var elapsed: Int64
    package var isMissed: Bool

    /// All fields.
    package init(at: Instant, elapsed: Int64, isMissed: Bool) {
      (self.at, self.elapsed, self.isMissed) = (at, elapsed, isMissed)
    }
  }

  /// The own moment came: what is to be told of it, if it has come. It goes on.
  package mutating func elapse(_ now: ClockReading, _ zones: OracleZones) -> Due? {
    guard let thing = own?.thing, let at = own?.instant(now, zones), at <= now.wall else { return nil }
    own = nil
    var due = Due(at: at, elapsed: 1, isMissed: false)
    var last = at
    if var alarm = recurring {
      (due.elapsed, last) = goOn(at, now, &alarm, zones)
      recurring = alarm
    } else if let led {
      last = led.leads.map { thing.instant(now, zones) - $0 }.filter { $0 <= now.wall }.max() ?? at
      self.led?.last = max(at, now.wall)
      wait(for: thing, after: now.wall, now, zones)
    }
    if let mostLate, now.wall - last > mostLate { due.isMissed = true }
    return due
  }

  /// The end of that snooze came: when it was.
  package mutating func endSnooze(
    _ occurrence: Int64, _ now: ClockReading, _ zones: OracleZones
  ) -> Instant? {
    guard let at = snoozes[occurrence]?.instant(now, zones), at <= now.wall else { return nil }
    snoozes[occurrence] = nil
    return at
  }

  /// All that elapsed from `first` until now is over.
  ///
  /// - Returns: How many elapses, and the last of them.
  private mutating func goOn(
    _ first: Instant, _ now: ClockReading, _ alarm: inout Recurring, _ zones: OracleZones
  ) -> (Int64, Instant) {
    var elapsed: Int64 = 0
    var last = first
    var next: Instant? = first
    if alarm.leads.isEmpty {
      while let moment = next, moment <= now.wall, moment <= alarm.until, alarm.left > 0,
        elapsed <= Recurrence.mostCounted
      {
        elapsed += 1
        last = moment
        next = alarm.next(after: moment, in: zones.zone(alarm.zone))
        alarm.use(from: moment, to: next, in: zones.zone(alarm.zone))
      }
    } else {
      let walk = alarm.walk(
        after: first - TimeSpan(microseconds: 1), to: now.wall, in: zones.zone(alarm.zone))
      // What begins it counts once, for whichever things.
      elapsed = min(1 + Int64(walk.others(than: first)), Recurrence.mostCounted + 1)
      (last, next) = (walk.rings.map(\.at).max() ?? first, walk.next)
      if alarm.left != .max { alarm.left -= walk.used }
    }
    // It goes on from now, and is late by what elapsed lately: in the second hour of a fold these are other moments than
    // after the last elapse.
    if elapsed > Recurrence.mostCounted {
      let zone = zones.zone(alarm.zone)
      next = alarm.next(after: now.wall, in: zone)
      if let mostLate,
        let lately = alarm.next(after: now.wall - mostLate - TimeSpan(microseconds: 1), in: zone),
        lately <= min(now.wall, alarm.until)
      {
        last = max(last, lately)
      }
    }
    (alarm.last, alarm.skipped, alarm.passedOver) = (max(first, now.wall), nil, nil)
    own = alarm.left > 0 ? next.flatMap { $0 <= alarm.until ? .instant($0) : nil } : nil
    return (elapsed, last)
  }

  /// The next moment is left out.
  package mutating func skip(_ now: ClockReading, _ zones: OracleZones) {
    guard let due = own?.instant(now, zones) else { return }
    own = nil
    guard var alarm = recurring else { return }
    let zone = zones.zone(alarm.zone)
    var waits: Instant?
    if alarm.leads.isEmpty {
      waits = alarm.next(after: due, in: zone)
      alarm.use(from: due, to: waits, in: zone)
    } else {
      // With it go its other rings, and none of another thing.
      let base = due - TimeSpan(microseconds: 1)
      let thing = alarm.firstThing(after: base, in: zone)
      var later = alarm
      later.from = thing.map { $0 + TimeSpan(microseconds: 1) }
      let next = later.firstThing(after: base, in: zone)
      alarm.move(from: thing, to: next ?? later.from, in: zone)
      alarm.from = later.from
      waits = alarm.next(after: base, in: zone)
    }
    (alarm.skipped, alarm.passedOver) = (waits.map { $0 <= due ? now.wall : due } ?? due, nil)
    recurring = alarm
    if alarm.left > 0, let waits, waits <= alarm.until { own = .instant(waits) }
  }

  /// Other days are quiet from now on: it waits for what is left.
  package mutating func keepQuiet(
    _ now: ClockReading, _ zones: OracleZones, _ change: (inout Quiet) -> Void
  ) {
    guard var alarm = recurring else { return }
    var waits = own?.instant(now, zones)
    if case .every(let due, _) = paused { waits = due }
    let zone = zones.zone(alarm.zone)
    let before = waits.map { $0 - TimeSpan(microseconds: 1) }
    let thing = before.flatMap { alarm.firstThing(after: $0, in: zone) }
    change(&alarm.quiet)
    defer { recurring = alarm }
    // What is left stays left where all of it is on quiet days: it is over until fewer are.
    let left = alarm.left
    if paused != nil, let before {
      guard left > 0 else { return }
      alarm.move(from: thing, to: alarm.firstThing(after: before, in: zone), in: zone)
      if alarm.left == 0 { alarm.left = left }
      return
    }
    guard waits.map({ $0 > now.wall }) ?? true else { return }
    let isUnknown = Self.isWrong(alarm.known, now.wall) || countsFromNow
    let base = [isUnknown ? nil : alarm.known, alarm.skipped, now.wall].compactMap { $0 }.max() ?? now.wall
    alarm.move(from: thing, to: alarm.firstThing(after: base, in: zone), in: zone)
    let isUsedUp = alarm.left == 0
    if isUsedUp { alarm.left = left }
    let next = isUsedUp ? nil : alarm.next(after: base, in: zone).map { Moment.instant($0) }
    if next != own { alarm.made = max(alarm.made, now.wall) }
    own = next
  }

  /// It has not elapsed since its clock was set right: where zones change, it waits for what comes after now.
  package var countsFromNow: Bool {
    isSetRight && recurring.map { $0.last == nil && $0.skipped == nil } ?? false
  }

  package mutating func pause(_ now: ClockReading, _ zones: OracleZones) {
    guard let moment = own else { return }
    own = nil
    let due = moment.instant(now, zones)
    paused =
      recurring == nil
      ? .left(max((due - now.wall).microseconds, 0), ahead: moment.lead) : .every(due: due, at: now.wall)
  }

  /// - Returns: Whether anything elapsed meanwhile.
  @discardableResult
  package mutating func resume(_ now: ClockReading, _ zones: OracleZones) -> Bool {
    defer { paused = nil }
    switch paused {
    case .left(let left, let ahead):
      let thing = Moment.elapsed(now.boot + left + ahead.microseconds)
      own = led == nil ? thing : .before(thing, ahead)
    case .every(let due, let at):
      guard var alarm = recurring else { break }
      defer { recurring = alarm }
      let zone = zones.zone(alarm.zone)
      let base = Self.isWrong(at, now.wall) ? now.wall : due - TimeSpan(microseconds: 1)
      own = alarm.next(after: base, in: zone).flatMap { $0 <= alarm.until ? .instant($0) : nil }
      // By other rules it may come sooner.
      let elapse = alarm.last.flatMap { Self.isWrong($0, now.wall) ? nil : $0 }
      let last = [now.wall, elapse, alarm.skipped].compactMap { $0 }.max() ?? now.wall
      if own.map({ $0.instant(now, zones) > now.wall }) ?? true,
        let next = alarm.next(after: last, in: zone),
        next <= alarm.until
      {
        own = .instant(min(next, own.map { $0.instant(now, zones) } ?? next))
      }
      alarm.made = max(alarm.made, now.wall)
      if let first = own.map({ $0.instant(now, zones) }), first <= now.wall {
        _ = goOn(first, now, &alarm, zones)
        alarm.passedOver = first
        return true
      }
    case nil: break
    }
    return false
  }

  /// The machine's zone or the data of one is another.
  package mutating func followZones(from old: OracleZones, to zones: OracleZones, at now: Instant) {
    if let led, case .civil(let civil, let name)? = own?.thing, zones.isChanged(name, since: old) {
      let moment = zones.zone(name).resolve(civil).instant
      // Where the moment lies before its last lead, it rings now.
      let lead = led.first(before: moment, after: led.known) ?? .zero
      own = .before(.civil(civil, zone: name), lead)
    }
    guard own != nil, let alarm = recurring, zones.isChanged(alarm.zone, since: old) else { return }
    var base = Self.isWrong(alarm.known, now) || countsFromNow ? now : alarm.known
    if countsFromNow, case .instant(let due) = own {
      base = min(now, due - TimeSpan(microseconds: 1))
    }
    let next = alarm.next(after: max(base, alarm.skipped ?? base), in: zones.zone(alarm.zone))
    guard let next, next <= alarm.until else { return }
    // The clock was set back since: what it waits for comes sooner, and is an elapse there too.
    if case .instant(let due) = own, due < next,
      alarm.next(after: due - TimeSpan(microseconds: 1), in: zones.zone(alarm.zone)) == due
    {
      return
    }
    own = .instant(next)
  }

  /// The clock was set: what rang more than a day ahead of it rang by a wrong one.
  package mutating func followClock(_ now: Instant, _ zones: OracleZones) {
    let leftOut = recurring?.skipped ?? recurring?.passedOver
    guard let alarm = recurring, Self.isWrong(leftOut == nil ? alarm.known : alarm.made, now),
      case .instant(let due) = own, Self.isWrong(due, now),
      var next = alarm.next(after: now, in: zones.zone(alarm.zone))
    else { return }
    if next == leftOut { next = alarm.next(after: next, in: zones.zone(alarm.zone)) ?? due }
    own = .instant(min(next, due))
  }

  /// The machine was switched off: what was left of countdowns goes on, on the wall clock.
  ///
  /// - Parameter offset: Wall clock minus CLOCK_BOOTTIME, as it was last known of that boot; µs.
  package mutating func reboot(offset: Int64) {
    own = own?.reboot(offset: offset)
    snoozes = snoozes.mapValues { $0.reboot(offset: offset) }
    unanswered = unanswered.mapValues { $0.reboot(offset: offset) }
  }
}
