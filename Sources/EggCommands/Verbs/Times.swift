import ArgumentParser

/// `eggctl help times`: what can be typed for a time.
struct Times: Verb {
  static let configuration = CommandConfiguration(
    commandName: "times",
    abstract: "Show what can be typed for a time.",
    discussion: """
      Elapsed time from now, suspend included
        6m30s   1h 30min   90s   2.5h   PT6M30S   +5min   now + 15 hours

      A time of day, the next one to come
        07:30   7:30:15   5pm   noon   midnight   teatime   18:00 Asia/Tokyo

      A day, at midnight or at a time
        tomorrow   tomorrow 07:30   friday   next friday 9am   24 december 18:00
        now + 3 days   next month

      A date
        2026-12-24 18:00   2026-12-24T18:00:00Z   2026-12-24T18:00:00+01:00
        2026. 12. 24. 18:00:00   24.12.2026 18:00   12/24/2026   @1798135200

      Recurring (systemd.time(7), Calendar Events)
        daily   weekly   Mon..Fri 07:30   Sat,Sun 09:00   *-*-01 08:00
        *:0/15              every quarter of an hour
        9..17/2:30          9:30, 11:30 … 17:30
        *-*~01 18:00        the last day of the month
        Mon *-05~07/1       the last Monday in May
        --every 07:30       every day; without --every once

      A zone may follow: 07:30 Europe/Paris. A month of 'now + 1 month' is the
      calendar's, 1month is 30.44 days. A time alone is never in the past; a full
      date that is past is refused.

      eggctl resolve TIME shows how a time is read, and when it comes.
      """)

  func run(in surroundings: Surroundings) throws {
    try surroundings.output.data(Self.configuration.discussion + "\n")
  }
}
