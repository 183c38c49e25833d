import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

extension SchedulerFixture {
  /// A recurring alarm in UTC, waiting for its first elapse after now; 21:34:30 unless the clock was moved.
  func every(
    _ number: Int64, _ text: String, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    ifMissed: MissedPolicy = .ring
  ) throws -> HeadEntry {
    let event = RecurringTime(event: text, interval: nil)
    let time = try #require(event ?? RecurringTime(event: nil, interval: text))
    let recurrence = Recurrence(.every(time), zone: .utc, from: from, until: until, count: count)
    var entry = entry(number, .wall(try #require(recurrence.next(after: now.wall)).ring))
    entry.recurrence = recurrence
    entry.ifMissed = ifMissed
    return entry
  }

  /// The row after these rings are recorded.
  func row(_ entry: HeadEntry, after rings: RingRecord...) throws -> HeadEntry {
    var row = entry
    for ring in rings { row = row.next(at: try #require(ring.next), after: ring.elapsed) }
    return row
  }

  /// Fires the armed timer until `span` has passed; returns the rings in order.
  func run(_ span: TimeSpan) -> [RingRecord] {
    let end = now.wall + span
    var rung: [RingRecord] = []
    while let next = armed, next <= end {
      clock.advance(next - now.wall)
      wake()
      rung += records
    }
    clock.advance(end - now.wall)
    return rung
  }

  /// Rings of the last step that were missed.
  var missed: [RingRecord] {
    effects.flatMap { effect -> [RingRecord] in
      if case .journalMissed(let rings) = effect { rings.map(\.record) } else { [] }
    }
  }
}
