import Alarms
import EggTestSupport
import EggTime
import Ringing

/// How one alarm stands, as its oracle knows.
struct Standing: Hashable {
  var course = Course()
  /// Occurrences that ring.
  var ringing: Set<Int64> = []
  /// What waited for an answer until another ring replaced it, and when that was.
  var replaced: [Int64: Course.Moment] = [:]
  var replacedAt: Instant?
  var isDone = false
  /// What a one-shot that is marked done waited for.
  var aside: Aside?
  var group: String?
  var key: String?
  /// The latest moment that its latest occurrence knows of: for alarms that are made to recur afterwards.
  var known: Instant?
  var created: Instant?
  var latest: Latest?

  struct Latest: Hashable {
    var occurrence: Int64
    var dueAt: Instant
  }

  struct Aside: Hashable {
    var own: Course.Moment?
    var paused: Course.Paused?
    /// On the wall clock or this boot's, as it was then.
    var then: Course.Moment?
  }

  /// What the column `state` has to hold.
  var stored: String {
    if course.paused != nil { return "paused" }
    return course.moments.isEmpty ? "over" : "scheduled"
  }

  /// The ring of a record, if it has to ring so now; it goes on.
  mutating func ring(
    _ record: RingRecord, _ now: ClockReading, _ zones: OracleZones
  ) -> Course.Due? {
    if record.outcome == .unanswered {
      // The ring that replaces it may be told first.
      let moment = waiting[record.occurrence] ?? (replacedAt == now.wall ? replaced[record.occurrence] : nil)
      guard let at = moment?.instant(now, zones), at <= now.wall else { return nil }
      course.unanswered[record.occurrence] = nil
      replaced[record.occurrence] = nil
      return Course.Due(at: at, elapsed: 1, isMissed: false)
    }
    if record.key.occurrence != 0 {
      guard let at = course.endSnooze(record.key.occurrence, now, zones) else { return nil }
      begin(record.occurrence, now)
      // Its row now tells of the snooze's end when it rang.
      if let latest, latest.occurrence == record.occurrence {
        known = max(latest.dueAt + (now.wall - at), now.wall)
        if course.recurring?.skipped == nil { course.recurring?.last = known }
        course.led?.last = known
      }
      course.rang[record.occurrence] = now.wall
      return Course.Due(at: at, elapsed: 1, isMissed: false)
    }
    guard let due = course.elapse(now, zones) else { return nil }
    known = max(due.at, now.wall)
    latest = Latest(occurrence: record.occurrence, dueAt: due.at)
    if !due.isMissed {
      course.rang[record.occurrence] = now.wall
      (replaced, replacedAt) = (waiting, now.wall)
      ringing = ringing.filter { $0 > record.occurrence }
      begin(record.occurrence, now)
      if course.recurring != nil { isDone = false }
    }
    return due
  }

  private mutating func begin(_ occurrence: Int64, _ now: ClockReading) {
    ringing.insert(occurrence)
    course.unanswered[occurrence] = course.patience.map { .elapsed(now.boot + $0.microseconds) }
  }

  /// When what rings counts as unanswered, by occurrence.
  var waiting: [Int64: Course.Moment] { course.unanswered.filter { ringing.contains($0.key) } }

  mutating func reboot(offset: Int64) {
    course.reboot(offset: offset)
    guard let own = aside?.own, case .elapsed = own.thing else { return }
    let moment = own.reboot(offset: offset)
    aside?.own = moment
    aside?.then = moment
  }

  /// - Parameter latest: What rang later goes on.
  mutating func dismiss(through latest: Int64 = .max) {
    ringing = ringing.filter { $0 > latest }
    course.snoozes = course.snoozes.filter { $0.key > latest }
  }

  /// Whether the same is to come of both.
  func waits(as other: Standing) -> Bool {
    var (mine, others) = (course.paused, other.course.paused)
    if case .every(let due, _) = mine { mine = .every(due: due, at: due) }
    if case .every(let due, _) = others { others = .every(due: due, at: due) }
    // An occurrence that was deleted comes back under another key where its own is taken.
    return mine == others && course.own == other.course.own
      && Set(course.snoozes.values) == Set(other.course.snoozes.values)
      && Set(waiting.values) == Set(other.waiting.values) && ringing.count == other.ringing.count
      && isDone == other.isDone && group == other.group
      && key == other.key
  }

  /// It was changed now, whatever the clock showed at the change before.
  mutating func touch(_ now: ClockReading) {
    let changed = max(created ?? now.wall, now.wall)
    course.recurring?.made = changed
    course.led?.made = changed
  }

  mutating func mark(done: Bool, _ now: ClockReading, _ zones: OracleZones) {
    guard isDone != done else { return }
    isDone = done
    if done {
      dismiss()
      touch(now)
      guard course.recurring == nil else { return }
      var then = course.own
      if case .civil = course.own?.thing { then = course.own.map { .instant($0.instant(now, zones)) } }
      aside = Aside(own: course.own, paused: course.paused, then: then)
      (course.own, course.paused) = (nil, nil)
      return
    }
    if course.recurring == nil, let aside {
      (course.own, course.paused) = (aside.own, aside.paused)
      self.aside = nil
      // What has passed has done so by the clock that it was on.
      if let led = course.led, let own = aside.own, let then = aside.then?.instant(now, zones) {
        // What is still to come waits for its moment again, whatever rang by a clock that was ahead.
        if then <= now.wall || own.instant(now, zones) != then {
          // What has passed goes on from now, also where its last ring was by a clock that was ahead.
          let base = then <= now.wall ? now.wall : max(led.known, now.wall)
          if led.first(before: then + own.lead, after: base) == nil {
            course.own = nil
          } else {
            course.wait(for: own.thing, after: base, now, zones)
          }
        }
      } else if let then = aside.then, then.instant(now, zones) <= now.wall {
        course.own = nil
      }
    }
    // What is past by now was missed.
    if course.paused == nil { _ = course.elapse(now, zones) }
    touch(now)
  }

  mutating func extend(
    by span: TimeSpan, snoozed: Int64?, _ now: ClockReading, _ zones: OracleZones
  ) {
    func later(_ moment: Course.Moment) -> Course.Moment {
      switch moment {
      case .elapsed(let end): .elapsed(end + span.microseconds)
      case .instant(let instant): .instant(instant + span)
      case .civil(_, let zone):
        .civil(zones.zone(zone).civil(at: moment.instant(now, zones) + span), zone: zone)
      case .before(let thing, let lead): .before(later(thing), lead)
      }
    }
    if let snoozed, let end = course.snoozes[snoozed] {
      course.snoozes[snoozed] = later(end)
    } else if case .left(let left, let ahead) = course.paused {
      // As if it went on now.
      let thing = Instant(microseconds: left) + ahead + span
      let lead = course.led?.first(before: thing, after: Instant(microseconds: 0)) ?? .zero
      course.paused = .left((thing - lead).microseconds, ahead: lead)
    } else if let own = course.own {
      course.wait(for: later(own.thing), after: now.wall, now, zones)
    }
  }
}

extension Standing {
  /// Whether the rows say the same; nil where they do, otherwise what they should say.
  ///
  /// - Parameters:
  ///   - boot: The clock of the boot that runs, or ran last.
  ///   - boots: Of earlier ones, how far the wall clock is from them; µs.
  func differs(
    from row: DatabaseView.Row, boot: Int64, boots: [Int64: Int64], _ now: ClockReading, _ zones: OracleZones
  ) -> String? {
    func point(_ moment: Course.Moment) -> DatabaseView.Point {
      if case .elapsed(let end) = moment.thing {
        return DatabaseView.Point(clock: boot, due: end - moment.lead.microseconds)
      }
      return DatabaseView.Point(clock: 0, due: moment.instant(now, zones).microseconds)
    }
    func present(_ clock: Int64, _ due: Int64) -> DatabaseView.Point {
      guard clock != 0, clock != boot, let offset = boots[clock] else {
        return DatabaseView.Point(clock: clock, due: due)
      }
      return DatabaseView.Point(clock: 0, due: due + offset)
    }
    let own = row.due.map { present(row.clock, $0) }
    let snoozes = row.snoozes.mapValues { present($0.clock, $0.due) }
    if own != course.own.map(point) { return "waits for \(shown(course.own.map(point)))" }
    if snoozes != course.snoozes.mapValues(point) {
      return "is snoozed until \(course.snoozes.mapValues(point))"
    }
    let waiting = waiting.mapValues(point)
    let unanswered = row.unanswered.mapValues { present($0.clock, $0.due) }
    if unanswered != waiting { return "waits for an answer until \(waiting)" }
    if row.state != stored { return "is \(stored)" }
    if let left = course.recurring?.left, row.count ?? .max != left { return "counts down from \(left)" }
    if row.key != key { return "has the key \(key ?? "none")" }
    if case .left(let left, _) = course.paused, row.remaining != left { return "has \(left) µs left" }
    return nil
  }

  private func shown(_ point: DatabaseView.Point?) -> String {
    point.map { "\($0.due) on clock \($0.clock)" } ?? "nothing"
  }
}
