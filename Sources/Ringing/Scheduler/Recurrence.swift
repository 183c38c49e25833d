import Alarms
import EggTime

/// What a recurring alarm needs to advance from memory, without the store or zone files.
package final class Recurrence: Sendable {
  package let time: RecurringTime
  /// The zone in which it elapses.
  package let zone: Zone
  /// The first moment at which it may elapse.
  package let from: Instant?
  /// The last moment at which it may elapse.
  package let until: Instant?
  /// The elapses left, including the one it waits for.
  package let count: Int64?

  package init(
    time: RecurringTime, zone: Zone, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil
  ) {
    self.time = time
    self.zone = zone
    self.from = from
    self.until = until
    self.count = count
  }

  /// Elapses are counted up to this, then reported as "more than".
  package static let mostCounted: Int64 = 1_000

  /// An elapse further ahead comes from a wrong clock.
  package static let farAhead = TimeSpan.seconds(86_400)

  /// The elapses up to some time, and the next one.
  package struct Course: Hashable, Sendable {
    /// The number of elapses including the first; ``Recurrence/mostCounted`` + 1 for more.
    package var elapsed: Int64
    /// The last of them; where there were more than were counted, one that is no later than it.
    package var last: Instant
    /// nil when the last was final.
    package var next: Instant?
  }

  /// The course from the elapse at `due` to `now`. At most 1 000 steps.
  package func course(from due: Instant, to now: Instant) -> Course {
    var course = Course(elapsed: 1, last: due, next: nil)
    while count.map({ course.elapsed < $0 }) ?? true, let next = next(after: course.last) {
      guard next <= now else {
        course.next = next
        break
      }
      course.elapsed += 1
      course.last = next
      if course.elapsed > Self.mostCounted {
        course.next = self.next(after: now)
        break
      }
    }
    return course
  }

  /// The first elapse after `base` within the alarm's bounds.
  package func next(after base: Instant) -> Instant? {
    let base = from.map { max(base, $0 - TimeSpan(microseconds: 1)) } ?? base
    guard let next = time.next(after: base, in: zone), until.map({ next <= $0 }) ?? true else { return nil }
    return next
  }

  /// Whether it elapsed at most `span` before `now`, given the course up to then.
  func hasElapsed(within span: TimeSpan, of now: Instant, _ course: Course) -> Bool {
    if now - course.last <= span { return true }
    guard course.elapsed > Self.mostCounted else { return false }
    return next(after: now - span - TimeSpan(microseconds: 1)).map { $0 <= now } ?? false
  }

  /// The recurrence after `elapsed` more elapses.
  func after(_ elapsed: Int64) -> Recurrence {
    guard let count else { return self }
    return Recurrence(
      time: time, zone: zone, from: from, until: until, count: max(count - elapsed, 0))
  }
}

extension Recurrence: Hashable {
  package static func == (a: Recurrence, b: Recurrence) -> Bool {
    a.time == b.time && a.zone.identifier == b.zone.identifier && a.zone.digest == b.zone.digest
      && a.from == b.from && a.until == b.until && a.count == b.count
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(time)
    hasher.combine(zone.digest)
    hasher.combine(from)
    hasher.combine(until)
    hasher.combine(count)
  }
}
