import Alarms
import EggTestSupport
import EggTime
import Testing

@testable import Ringing

@Suite("Rings that nobody answers")
struct UnansweredTests {
  private static let occurrence: Int64 = 40

  /// The entry of a ring of alarm 1 that waits for an answer, so long from now.
  private func entry(_ fixture: SchedulerFixture, in span: TimeSpan) -> HeadEntry {
    let due = DuePoint(clock: SchedulerFixture.boot, microseconds: fixture.now.boot + span.microseconds)
    var entry = fixture.entry(1, due, occurrence: Self.occurrence)
    entry.unanswered = Notice(
      occurrence: Self.occurrence, number: 1, card: entry.card, dueAt: fixture.now.wall, lateness: .zero,
      reason: nil)
    return entry
  }

  private func told(_ fixture: SchedulerFixture) -> [Ring] {
    fixture.effects.flatMap { effect -> [Ring] in
      if case .unanswered(let rings) = effect { rings } else { [] }
    }
  }

  private func unanswered(_ fixture: SchedulerFixture) -> [Notice] { told(fixture).compactMap(\.unanswered) }

  @Test("A ring says when it counts as unanswered, on this boot's clock, if its alarm asks for that")
  func asks() throws {
    let fixture = SchedulerFixture()
    fixture.wake()
    var asking = fixture.wall(1, in: .seconds(5))
    asking.card = asking.card.changed { $0.unansweredAfter = .seconds(60) }
    var commanding = fixture.wall(2, in: .seconds(5))
    commanding.card = commanding.card.changed { $0.runUnanswered = "/bin/true" }
    fixture.refill([asking, commanding, fixture.wall(3, in: .seconds(5))])
    fixture.clock.advance(.seconds(5))
    fixture.wake()
    func due(in span: TimeSpan) -> DuePoint {
      DuePoint(clock: SchedulerFixture.boot, microseconds: fixture.now.boot + span.microseconds)
    }
    #expect(
      fixture.records.map(\.unanswered) == [due(in: .seconds(60)), due(in: Limits.usualPatience), nil])
  }

  @Test("At that moment it is told, to be recorded when its commands have begun, and rings no second time")
  func comes() throws {
    let fixture = SchedulerFixture()
    let entry = entry(fixture, in: .seconds(60))
    fixture.wake()
    fixture.refill([entry])
    #expect(fixture.armed == fixture.now.wall + .seconds(60))
    fixture.clock.advance(.seconds(60))
    #expect(fixture.wake() == [])
    #expect(unanswered(fixture) == [entry.unanswered])
    #expect(told(fixture).map(\.record.outcome) == [.unanswered])
    #expect(told(fixture).map(\.record.occurrence) == [Self.occurrence])
    #expect(fixture.records.isEmpty && !fixture.scheduler.awaitsRecord)
    for effect in fixture.effects {
      switch effect {
      case .show, .journal, .journalMissed: Issue.record("\(effect)")
      default: break
      }
    }
    fixture.clock.advance(.seconds(60))
    fixture.wake()
    #expect(unanswered(fixture).isEmpty && fixture.records.isEmpty)
  }

  @Test("One that was answered is not told, even while the answer is being stored")
  func answered() {
    let fixture = SchedulerFixture()
    let entry = entry(fixture, in: .seconds(60))
    fixture.wake()
    fixture.refill([entry])
    _ = fixture.hold([1])
    fixture.clock.advance(.seconds(60))
    fixture.wake()
    #expect(unanswered(fixture).isEmpty)
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [], ringing: [])]))
    fixture.endHold()
    #expect(unanswered(fixture).isEmpty && fixture.records.isEmpty)
  }

  @Test("A later ring of its alarm takes its place, also before that is recorded")
  func replaced() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([entry(fixture, in: .seconds(60)), fixture.wall(1, in: .seconds(50))])
    fixture.clock.advance(.seconds(50))
    #expect(fixture.wake() == [1])
    fixture.take(.recorded(fixture.records, stored: false))
    fixture.clock.advance(.seconds(10))
    fixture.wake()
    #expect(unanswered(fixture).isEmpty)
  }

  @Test("A later ring that is recorded takes its place, also before the store says what is left to wait for")
  func replacedAndRecorded() {
    let fixture = SchedulerFixture()
    fixture.wake()
    fixture.refill([entry(fixture, in: .seconds(60)), fixture.wall(1, in: .seconds(50))])
    fixture.clock.advance(.seconds(50))
    #expect(fixture.wake() == [1])
    fixture.clock.advance(.seconds(10))
    fixture.take(.recorded(fixture.records, stored: true))
    #expect(unanswered(fixture).isEmpty)
    #expect(fixture.scheduler.stored.isEmpty)
  }

  @Test("While it is not recorded, the bubbles of later rings go by what the store says")
  func unrecorded() throws {
    let fixture = SchedulerFixture()
    let entry = entry(fixture, in: .seconds(60))
    fixture.wake()
    fixture.refill([entry])
    fixture.clock.advance(.seconds(60))
    fixture.wake()
    let record = try #require(told(fixture).first?.record)
    // The store does not know of it yet: the same row comes again.
    fixture.take(.changed([AlarmMoments(number: 1, waiting: [entry], ringing: [])]))
    #expect(fixture.effects.first == .retain(number: 1, ringing: []))
    #expect(unanswered(fixture).isEmpty)
    fixture.take(.recorded([record], stored: true))
    #expect(unanswered(fixture).isEmpty)
  }
}
