import EggTime
import Gettext
import Testing

@Suite struct RecurringTimeWordsTests {
  @Test(
    "An event is described in everyday words",
    arguments: [
      ("Mon..Fri 07:30", "every Mon–Fri 07:30"), ("07:30", "every day 07:30"), ("daily", "every day 00:00"),
      ("Mon,Wed 18:00", "every Mon, Wed 18:00"), ("Mon..Wed,Sun 18:00:30", "every Mon–Wed, Sun 18:00:30"),
      ("Sat,Sun 10:00", "every Sat, Sun 10:00"), ("7,19:30", "every day 07:30, 19:30"),
      ("Mon..Fri 9..17:00", "every Mon..Fri *-*-* 09..17:00:00"),
      ("hourly", "every hour at :00"), ("*:5,35", "every hour at :05, :35"),
      ("*:0/15", "every hour at :00, :15, :30, :45"),
      ("*:0/5", "every 5 min (:00, :05, …)"), ("*:0/7", "every *-*-* *:00/7:00"),
      ("*:*", "every full minute"),
      ("0/2:00", "every 2 hours (00:00, 02:00, …)"), ("Mon *:10", "every Mon, every hour at :10"),
      ("*:*:*", "every *-*-* *:*:*"), ("*-*-15 09:00", "every month on the 15th 09:00"),
      ("*-*-1,2,3,11 09:00", "every month on the 1st, the 2nd, the 3rd, the 11th 09:00"),
      ("*-*~1 09:00", "every month on the last day 09:00"),
      ("*-*~3 09:00", "every month on the 3rd last day 09:00"),
      ("Fri *-*~1..7 17:00", "the last Fri of every month 17:00"),
      ("Mon *-*-8..14 9:00", "the second Mon of every month 09:00"),
      ("Mon *-*-29..31 9:00", "the fifth Mon of every month 09:00"),
      ("Mon *-5~1..7 9:00", "the last Mon of every May 09:00"),
      ("Mon *-*-1..6 9:00", "every Mon *-*-01..06 09:00:00"), ("*-12-24 18:00", "every year on 24 Dec 18:00"),
      ("2028..2199-09-01 9:00", "every year on 1 Sep 09:00, from 2028"),
      ("2028/4-02-29 9:00", "every year on 29 Feb 09:00, from 2028"),
      ("2026/4-02-29 9:00", "every 2026/4-02-29 09:00:00"),
      ("2028..2198-09-01 9:00", "every 2028..2198-09-01 09:00:00"),
      ("quarterly", "every year on 1 Jan, 1 Apr, 1 Jul, 1 Oct 00:00"),
      ("*-2~1 9:00", "every year on the last day of Feb 09:00"),
      ("2027-*-1 9:00", "every 2027-*-01 09:00:00"), ("07:30 Europe/Paris", "every day 07:30 Europe/Paris"),
      ("*:*:0.5", "every *-*-* *:*:00.500000"), ("*-*-1/7 9:00", "every *-*-01/7 09:00:00"),
    ])
  func events(text: String, words: String) throws {
    let event = try #require(CalendarEvent(text))
    #expect(RecurringTime.event(event).words(in: Phrase.english) == words)
  }

  @Test(
    "An interval is described without its start",
    arguments: [
      ("20min from 2026-11-24 12:20:00 UTC", "every 20 min"),
      ("1h from 2026-11-24 12:20:00 UTC", "every hour"),
      ("1h 30min from 2026-11-24 12:20:00 UTC", "every 1 h 30 min"),
      ("1min from 2026-11-24 12:20:00 UTC", "every minute"),
      ("1s 500ms from 2026-11-24 12:20:00 UTC", "every 1 s 500 ms"),
      ("3d 08:00:00 from 2026-11-25", "every 3 days 08:00"),
      ("1d 08:00:00 from 2026-11-25", "every day 08:00"),
      ("1w Mon,Thu 07:30:00 from 2026-11-23", "every Mon, Thu 07:30"),
      ("2w Mon,Thu 07:30:00 from 2026-11-23", "every 2 weeks on Mon, Thu 07:30"),
      ("2w Mon,Tue,Wed 07:30:15 from 2026-11-23 Asia/Seoul", "every 2 weeks on Mon–Wed 07:30:15 Asia/Seoul"),
      ("1month 15 09:00:00 from 2026-12-15", "every month on the 15th 09:00"),
      ("2month 22 09:00:00 from 2026-12-15", "every 2 months on the 22nd 09:00"),
      ("1month -1 09:00:00 from 2026-12-15", "every month on the last day 09:00"),
      ("1month -1Fri 17:00:00 from 2026-12-15", "the last Fri of every month 17:00"),
      ("1month -1workday 17:00:00 from 2026-12-15", "the last workday of every month 17:00"),
      ("1month 10workday 17:00:00 from 2026-12-15", "the 10th workday of every month 17:00"),
      ("1month -2workday 17:00:00 from 2026-12-15", "the second last workday of every month 17:00"),
      ("3month 1workday 17:00:00 from 2026-12-15", "every 3 months on the first workday 17:00"),
      ("3month 1Mon 17:00:00 from 2026-12-15", "every 3 months on the first Mon 17:00"),
      ("12month 15 09:00:00 from 2026-12-15", "every year on 15 Dec 09:00"),
      ("24month 15 09:00:00.000001 from 2026-12-15", "every 2 years on 15 Dec 09:00:00.000001"),
      ("12month -2Mon 09:00:00 from 2027-05-01", "every year on the second last Mon of May 09:00"),
    ])
  func intervals(text: String, words: String) throws {
    let interval = try #require(RecurringInterval(text))
    #expect(RecurringTime.interval(interval).words(in: Phrase.english) == words)
  }
}
