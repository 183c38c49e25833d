import Alarms
import EggTime
import Testing

@Suite struct PhaseTests {
  private static let moment = Instant(microseconds: 1_000_000)

  private func alarm(_ state: Alarm.StoredState, _ latest: Occurrence?) -> Alarm {
    Alarm(
      number: 1, id: AlarmID(), position: 0, timing: .instant(Self.moment), expression: "@1",
      readingZone: "UTC", state: state, createdAt: Self.moment, latest: latest)
  }

  private func occurrence(
    _ outcome: Occurrence.Outcome, dismissed: Bool = false, snoozed: Bool = false
  ) -> Occurrence {
    Occurrence(
      id: 1, dueAt: Self.moment, outcome: outcome, dismissedAt: dismissed ? Self.moment : nil,
      snoozedUntil: snoozed ? Self.moment : nil,
      due: snoozed ? DuePoint(clock: ClockID(rawValue: 2), microseconds: 5) : nil)
  }

  @Test("An alarm that was never due has its stored state")
  func fresh() {
    #expect(alarm(.scheduled, nil).phase == .scheduled)
    #expect(alarm(.paused, nil).phase == .paused)
  }

  @Test("An unanswered ring is ringing, even while the alarm waits for its next occurrence")
  func ringing() {
    #expect(alarm(.over, occurrence(.rung)).phase == .ringing)
    #expect(alarm(.scheduled, occurrence(.rung)).phase == .ringing)
  }

  @Test("A snoozed ring stays snoozed until it is dismissed")
  func snoozed() {
    #expect(alarm(.over, occurrence(.rung, snoozed: true)).phase == .snoozed)
    #expect(alarm(.over, occurrence(.rung, dismissed: true)).phase == .rung)
    #expect(alarm(.scheduled, occurrence(.rung, dismissed: true)).phase == .scheduled)
  }

  @Test("An alarm that is over shows the outcome of its last occurrence")
  func over() {
    #expect(alarm(.over, occurrence(.missed)).phase == .missed)
    #expect(alarm(.over, occurrence(.skipped)).phase == .skipped)
    var again = alarm(.over, occurrence(.rung, dismissed: true))
    again.doneDue = .wall(Self.moment)
    #expect(again.phase == .skipped, "marked done before its new moment")
  }

  @Test("A recurring alarm that is over without an occurrence never rang")
  func leftOut() throws {
    var recurring = alarm(.over, nil)
    #expect(recurring.phase == .rung)
    recurring.timing = .every(.event(try #require(CalendarEvent("*:0/10"))), zone: "UTC", floats: false)
    #expect(recurring.phase == .skipped)
  }

  @Test("The next ring is the end of a snooze or the alarm's own due time, whichever is earlier")
  func nextDue() {
    var snoozed = alarm(.scheduled, occurrence(.rung, snoozed: true))
    snoozed.due = .wall(Self.moment)
    func next(bootedAt booted: Instant) -> Instant? {
      snoozed.nextDue {
        ($0.clock == .wall ? Instant(microseconds: 0) : booted) + TimeSpan(microseconds: $0.microseconds)
      }
    }
    #expect(next(bootedAt: Self.moment) == Self.moment)
    #expect(next(bootedAt: Instant(microseconds: 0)) == Instant(microseconds: 5))
    snoozed.due = nil
    #expect(next(bootedAt: Self.moment) == Self.moment + TimeSpan(microseconds: 5))
    snoozed.latest = nil
    #expect(next(bootedAt: Self.moment) == nil)
  }
}
