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

  @Test("an alarm that has never been due is what its row says")
  func fresh() {
    #expect(alarm(.scheduled, nil).phase == .scheduled)
    #expect(alarm(.paused, nil).phase == .paused)
  }

  @Test("a ring that nobody answered is ringing, also while the alarm waits for its next occurrence")
  func ringing() {
    #expect(alarm(.over, occurrence(.rung)).phase == .ringing)
    #expect(alarm(.scheduled, occurrence(.rung)).phase == .ringing)
  }

  @Test("a snoozed ring is snoozed until it is dismissed")
  func snoozed() {
    #expect(alarm(.over, occurrence(.rung, snoozed: true)).phase == .snoozed)
    #expect(alarm(.over, occurrence(.rung, dismissed: true)).phase == .rung)
    #expect(alarm(.scheduled, occurrence(.rung, dismissed: true)).phase == .scheduled)
  }

  @Test("an alarm that is over is what its last occurrence came to")
  func over() {
    #expect(alarm(.over, occurrence(.missed)).phase == .missed)
    #expect(alarm(.over, occurrence(.skipped)).phase == .skipped)
  }

  @Test("the next moment is the end of a snooze or the alarm's own, whichever comes first on the wall clock")
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
