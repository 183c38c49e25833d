import Alarms
import EggTime

extension Course {
  /// When an alarm was asked for, by what the clock showed, and what was typed.
  package struct Call: Hashable, Sendable {
    package var at: Instant
    package var text: String
    package var zone: String
    /// A countdown.
    package var isSpan: Bool

    package init(at: Instant, text: String, zone: String, isSpan: Bool = false) {
      (self.at, self.text, self.zone, self.isSpan) = (at, text, zone, isSpan)
    }

    package init(at: Instant, _ timing: Timing, text: String, zone: String) {
      self.init(at: at, text: text, zone: zone, isSpan: timing.kind == .in)
    }

    /// Texts that count from when they are typed.
    package static func texts(isFast: Bool) -> [String] {
      let times = [
        "07:30", "tomorrow 08:00", "every other tuesday", "every 2 days at 08:00", "FREQ=DAILY;BYHOUR=9,20",
      ]
      return times + (isFast ? ["every 30s", "every 10min"] : ["every 20min", "every 3h", "every 35h"])
    }

    /// What the text means at its call, or later; nil where it means nothing.
    package func reading(_ zones: OracleZones, later span: TimeSpan = .zero) -> ExpressionReading? {
      let context = ReadingContext(now: at + span, zone: zones.zone(zone)) { name throws(ZoneError) in
        try Zone.named(name)
      }
      return try? TimeExpression.read(text, in: context).reading
    }
  }

  /// The clock was set back to `now`, by `step` if eggd knows that: what was asked for while it was ahead goes back.
  package mutating func setRight(_ now: Instant, _ step: TimeSpan, _ zones: OracleZones) {
    moveSnoozes(now, step)
    guard let call else { return }
    let known = step <= .seconds(-60) ? step : .zero
    guard let shift = Self.shift(call.at, now, known) ?? (isElapsed && known < .zero ? known : nil) else {
      return
    }
    let isElapsed = isElapsed
    let stored = call.reading(zones)
    let read = call.reading(zones, later: shift)
    self.call?.at = call.at + shift
    if recurring != nil {
      setRecurringRight(now, shift, isExact: shift == known, (stored, read, isElapsed), zones)
    }
    if call.isSpan, let own, case .instant(let end) = own.thing, end - own.lead > now {
      self.own = own.moved(to: .instant(end + shift))
    }
    if case .civil(let civil, let zone) = own, zones.zone(zone).resolve(civil).instant > now,
      case .civil(civil, _)? = stored, case .civil(let new, _)? = read
    {
      own = .civil(new, zone: zone)
    }
  }

  /// It is elapsed time, counted from its call.
  package var isElapsed: Bool {
    guard let call, let recurring else { return false }
    return recurring.from == nil && recurring.time.starts(at: call.at)
  }

  private mutating func setRecurringRight(
    _ now: Instant, _ shift: TimeSpan, isExact: Bool,
    _ read: (old: ExpressionReading?, new: ExpressionReading?, isElapsed: Bool), _ zones: OracleZones
  ) {
    guard var alarm = recurring else { return }
    let skipped = alarm.skipped ?? alarm.passedOver
    (alarm.last, alarm.skipped, alarm.passedOver) = (nil, nil, nil)
    isSetRight = true
    var waits: Instant?
    if case .instant(let due) = own { waits = due }
    if case .every(let due, _) = paused { waits = due }
    if let due = waits, due > now {
      if read.isElapsed {
        alarm.time = alarm.time.moved(by: shift)
      } else if case .recurring(alarm.time)? = read.old, case .recurring(let time)? = read.new {
        alarm.time = time
      }
      var next = alarm.next(after: now, in: zones.zone(alarm.zone))
      if read.isElapsed, isExact, due + shift > now, skipped != nil || alarm.quiet.isNone {
        next = alarm.next(after: due + shift - TimeSpan(microseconds: 1), in: zones.zone(alarm.zone))
      } else if let first = next, first == skipped {
        next = alarm.next(after: first, in: zones.zone(alarm.zone))
      }
      if let next, next <= alarm.until {
        if own != nil { own = .instant(next) }
        if case .every(_, let at) = paused { paused = .every(due: next, at: at) }
      }
    }
    recurring = alarm
  }

  private mutating func moveSnoozes(_ now: Instant, _ step: TimeSpan) {
    for (occurrence, moment) in snoozes {
      guard case .instant(let end) = moment, let rang = rang[occurrence], end > rang,
        let shift = Self.shift(rang, now, step)
      else { continue }
      snoozes[occurrence] = .instant(end + shift)
      self.rang[occurrence] = rang + shift
    }
  }

  /// By how much a moment by a clock that was ahead goes back.
  package static func shift(_ moment: Instant, _ now: Instant, _ step: TimeSpan) -> TimeSpan? {
    let latest = now + .seconds(60)
    guard moment > latest else { return nil }
    return step <= .seconds(-60) && moment + step <= latest ? step : now - moment
  }
}

extension RecurringTime {
  /// Whether it is elapsed time from that moment on.
  fileprivate func starts(at moment: Instant) -> Bool {
    guard case .interval(let interval) = self else { return false }
    return interval.elapsesFrom == moment
  }

  fileprivate func moved(by span: TimeSpan) -> RecurringTime {
    guard case .interval(let interval) = self, case .elapsed(let length) = interval.step,
      let start = interval.elapsesFrom
    else { return self }
    return RecurringInterval(every: length, from: start + span).map { .interval($0) } ?? self
  }
}
