import Alarms
import EggTime

/// What an alarm needs to advance from memory, without the store or zone files: how it recurs, with its leads and the days
/// on which it keeps quiet.
///
/// The timing gives the moments of the thing that the alarm is for. It rings at each of them less each of its leads. A
/// thing with all its leads is left out where its own moment lies outside the bounds or on a quiet day. Its last ring uses
/// it up: that counts, and so do the things left out between two that are not (RFC 5545 §3.8.5.1: EXDATE and COUNT).
package final class Recurrence: Sendable {
  package let timing: Timing
  /// The zone in which it elapses, and whose days count.
  package let zone: Zone
  /// The first moment of a thing.
  package let from: Instant?
  /// The last moment of a thing.
  package let until: Instant?
  /// The things left, including those left out among them, from the one that it waits for on.
  package let count: Int64?
  /// Ascending, not empty.
  package let leads: [Lead]
  package let quiet: QuietDays

  package enum Timing: Hashable, Sendable {
    case every(RecurringTime)
    /// A one-shot, on whichever clock it runs. Only one with leads needs this.
    case once(Instant)

    func next(after base: Instant, in zone: Zone) -> Instant? {
      switch self {
      case .every(let time): time.next(after: base, in: zone)
      case .once(let moment): moment > base ? moment : nil
      }
    }
  }

  package init(
    _ timing: Timing, zone: Zone, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    leads: [Lead] = [], quiet: QuietDays = .none
  ) {
    self.timing = timing
    self.zone = zone
    self.from = from
    self.until = until
    self.count = count
    self.leads = leads.isEmpty ? [.zero] : leads
    self.quiet = quiet
  }

  /// Elapses are counted up to this, then reported as "more than".
  package static let mostCounted: Int64 = 1_000
  /// Things left out between two rings are counted up to this.
  private static let mostLeftOut = 4_096

  /// An elapse further ahead comes from a wrong clock.
  package static let farAhead = TimeSpan.seconds(86_400)

  /// A ring, and the moment of the thing that it is for.
  package struct Moment: Hashable, Sendable {
    package var ring: Instant
    package var thing: Instant

    package var ahead: TimeSpan { thing - ring }

    package init(ring: Instant, ahead: TimeSpan = .zero) { (self.ring, thing) = (ring, ring + ahead) }
  }

  /// The elapses up to some time, and the next ring.
  package struct Course: Hashable, Sendable {
    /// The number of things that rang, including the first; ``Recurrence/mostCounted`` + 1 for more.
    package var elapsed: Int64
    /// How many of ``Recurrence/count`` are used up.
    package var used: Int64
    /// The last ring; where there were more than were counted, one that is no later than it.
    package var last: Instant
    /// nil when the last was final.
    package var next: Moment?
  }

  /// Whether it is a one-shot: on the clock of its entry, all others are on the wall clock.
  package var isOnce: Bool {
    if case .once = timing { true } else { false }
  }

  private var isPlain: Bool { leads == [.zero] }

  /// The course from the ring at `due` to `now`. At most 1 000 things.
  package func course(from due: Instant, to now: Instant) -> Course {
    var walk = Walk(self, to: now, course: Course(elapsed: 1, used: 0, last: due, next: nil))
    if isPlain {
      walk.course.used = 1
      walk.hasBegun = true
      walk.go(after: due)
    } else {
      walk.go(after: due - TimeSpan(microseconds: 1))
    }
    if walk.course.elapsed > Self.mostCounted { walk.course.next = next(after: now) }
    return walk.course
  }

  /// The first ring after `base`.
  package func next(after base: Instant) -> Moment? {
    walked(after: base).course.next
  }

  /// The first thing that is not left out and has rings after `base`.
  package func firstThing(after base: Instant) -> Instant? {
    walked(after: base).first
  }

  private func walked(after base: Instant) -> Walk {
    var walk = Walk(self, to: base)
    walk.go(after: base)
    return walk
  }

  /// How many things lie from one to another, those left out among them; below zero if `end` is before `start`. Counts
  /// as far as it counts what is left out.
  package func things(from start: Instant, to end: Instant) -> Int64 {
    guard start <= end else { return -things(from: end, to: start) }
    var (base, count) = (start - TimeSpan(microseconds: 1), 0)
    while count < Self.mostLeftOut, let thing = timing.next(after: base, in: zone), thing < end {
      base = thing
      count += 1
    }
    return Int64(count)
  }

  /// The same, without an end by count.
  package var uncounted: Recurrence {
    Recurrence(timing, zone: zone, from: from, until: until, leads: leads, quiet: quiet)
  }

  /// One pass over the things with rings after some moment, in the order of the things.
  private struct Walk {
    let recurrence: Recurrence
    let now: Instant
    /// The ring with which it begins counts once, whichever things it is of.
    var course: Course
    private let due: Instant
    /// The first thing that is not left out was seen.
    var hasBegun = false
    var first: Instant?
    /// Some thing rings after `now`: it and those after it are left.
    private var isLeft = false

    init(_ recurrence: Recurrence, to now: Instant, course: Course? = nil) {
      self.recurrence = recurrence
      self.now = now
      self.course = course ?? Course(elapsed: 0, used: 0, last: now, next: nil)
      due = self.course.last
    }

    private var goesOn: Bool {
      recurrence.count.map { course.used + (isLeft ? left : 0) < $0 } ?? true
    }
    /// Things after the first that is left.
    private var left: Int64 = 0

    /// - Parameter start: Rings up to this are over.
    mutating func go(after start: Instant) {
      let (zone, leads) = (recurrence.zone, recurrence.leads)
      let slack = leads.contains { $0.days != 0 } ? Lead.slack : .zero
      let longest = leads.last?.span ?? .zero
      var base = start + (leads.first?.span ?? .zero) - slack
      if let from = recurrence.from { base = max(base, from - TimeSpan(microseconds: 1)) }
      var leftOut = 0
      // Each later thing rings after `base` less the longest lead.
      while goesOn, course.elapsed <= Recurrence.mostCounted,
        course.next.map({ base - longest - slack < $0.ring }) ?? true,
        let thing = recurrence.timing.next(after: base, in: zone),
        recurrence.until.map({ thing <= $0 }) ?? true
      {
        base = thing
        let rings = leads.map { $0.ring(before: thing, in: zone) }
        guard rings.contains(where: { $0 > start }) else { continue }
        guard let day = recurrence.quiet.firstDay(from: thing, in: zone) else { return }
        guard day <= thing else {
          if recurrence.count == nil || !hasBegun || leftOut == Recurrence.mostLeftOut {
            base = day - TimeSpan(microseconds: 1)
          } else {
            leftOut += 1
            use()
          }
          continue
        }
        if !hasBegun { first = thing }
        hasBegun = true
        take(rings, of: thing, after: start)
      }
    }

    private mutating func take(_ rings: [Instant], of thing: Instant, after start: Instant) {
      var (last, next): (Instant?, Instant?)
      for ring in rings where ring > start {
        if ring <= now { last = max(last ?? ring, ring) } else { next = min(next ?? ring, ring) }
      }
      if let last {
        if !rings.contains(due) { course.elapsed += 1 }
        course.last = max(course.last, last)
      }
      if let next {
        isLeft = true
        if course.next.map({ next < $0.ring }) ?? true {
          course.next = Moment(ring: next, ahead: thing - next)
        }
      }
      use()
    }

    private mutating func use() {
      if isLeft { left += 1 } else { course.used += 1 }
    }
  }

  /// Whether it elapsed at most `span` before `now`, given the course up to then.
  func hasElapsed(within span: TimeSpan, of now: Instant, _ course: Course) -> Bool {
    if now - course.last <= span { return true }
    guard course.elapsed > Self.mostCounted else { return false }
    return next(after: now - span - TimeSpan(microseconds: 1)).map { $0.ring <= now } ?? false
  }

  /// The recurrence after `used` more things.
  package func after(_ used: Int64) -> Recurrence {
    guard let count else { return self }
    return Recurrence(
      timing, zone: zone, from: from, until: until, count: max(count - used, 0), leads: leads, quiet: quiet)
  }
}

extension Recurrence: Equatable {
  package static func == (a: Recurrence, b: Recurrence) -> Bool {
    a.timing == b.timing && a.zone.identifier == b.zone.identifier && a.zone.digest == b.zone.digest
      && a.from == b.from && a.until == b.until && a.count == b.count && a.leads == b.leads
      && a.quiet == b.quiet
  }
}
