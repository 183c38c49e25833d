import Alarms
import EggTime
import Ringing

/// A scheduler on a fake clock, spoken to as the store and the timer speak to it.
package final class SchedulerFixture {
  package static let boot = ClockID(rawValue: 7)
  package let clock = FakeClock()
  package var scheduler: Scheduler
  package private(set) var effects: [SchedulerEffect] = []

  package init() {
    scheduler = Scheduler(currentBoot: Self.boot, lastOccurrence: 0, started: clock.read())
  }

  /// A scheduler whose first refill was those entries, with nothing beyond them.
  package static func holding(_ entries: [HeadEntry]) -> SchedulerFixture {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill(entries)
    return fixture
  }

  package var now: ClockReading { clock.read() }

  /// On the wall clock, that long from now.
  package func wall(_ number: Int64, in span: TimeSpan) -> HeadEntry {
    entry(number, DuePoint.wall(now.wall + span))
  }

  /// On this boot's clock, that long from now.
  package func countdown(_ number: Int64, in span: TimeSpan) -> HeadEntry {
    entry(number, DuePoint(clock: Self.boot, microseconds: now.boot + span.microseconds))
  }

  package func entry(_ number: Int64, _ due: DuePoint, occurrence: Int64 = 0) -> HeadEntry {
    let card = AlarmCard(id: AlarmID(), expression: "5s")
    return HeadEntry(key: EntryKey(number: number, occurrence: occurrence), due: due, card: card)
  }

  @discardableResult package func wake() -> [Int64] { note(scheduler.wake(at: now)) }

  /// As often as it asks to be woken at once.
  @discardableResult package func wakeUntilDone() -> [Int64] {
    var rung = wake()
    while scheduler.isRinging { rung += wake() }
    return rung
  }

  @discardableResult package func take(_ news: StoreNews) -> [Int64] { note(scheduler.take(news, at: now)) }

  package func hold(_ numbers: [Int64], _ id: UInt64 = 1) -> [RingRecord] {
    scheduler.hold(NumberSet(numbers), as: HoldID(rawValue: id))
  }

  @discardableResult package func endHold(_ id: UInt64 = 1) -> [Int64] {
    take(.holdEnded(HoldID(rawValue: id)))
  }

  @discardableResult package func refill(
    _ entries: [HeadEntry], overdueEnd: EntryOrder? = nil, end: EntryOrder? = nil
  ) -> [Int64] {
    var windows = [ClockID.wall: now.wall.microseconds, Self.boot: now.boot].mapValues {
      Refill.Window(origin: $0 - 1_000_000, overdueEnd: overdueEnd, end: nil)
    }
    windows[.wall]?.end = end
    return take(.refilled(Refill(entries: entries, windows: windows, earlierBoots: [:])))
  }

  /// Numbers of what rang in that step, in order.
  private func note(_ step: [SchedulerEffect]) -> [Int64] {
    effects = step
    return rings.map(\.record.key.number)
  }

  /// The rings of the last step.
  package var rings: [Ring] {
    effects.flatMap { effect -> [Ring] in
      if case .journal(let rings) = effect { rings } else { [] }
    }
  }

  package var records: [RingRecord] {
    effects.flatMap { effect -> [RingRecord] in
      if case .record(let records) = effect { records } else { [] }
    }
  }

  /// When the last step armed the timer for.
  package var armed: Instant? {
    for case .arm(let moment) in effects { return moment }
    return nil
  }

  package var asksForRefill: Bool { refillAsked != nil }

  /// How much the last step asks to read; nil where it does not.
  package var refillAsked: Refill.Size? {
    for case .refill(let size) in effects { return size }
    return nil
  }
}
