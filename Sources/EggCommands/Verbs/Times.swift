import ArgumentParser
import Gettext

struct Times: Verb {
  static let configuration = CommandConfiguration(
    "times", tr("List the ways to enter a time."),
    discussion: """
      Elapsed time from now, suspend included
        6m30s   90s   1h30   1h 30min   1 hour thirty   2.5h   half an hour
        in 10 minutes   in twenty minutes   10 minutes from now   PT6M30S

      Months, years and 'now + days' on the calendar, at the same time of day
        1 month   2 years 1 month   now + 3 days   next month

      A time of day, the next one to come
        07:30   7pm   7:30 p.m.   at 19   at 19h30   at 0730   noon   midnight
        half past six pm   quarter to 5 pm   7 in the evening   tonight at 8
        7p   around 7pm   30 min before 5pm   9am London   5pm in Berlin

      A day; it rings at 09:00, or at day-at of config.toml
        tomorrow   friday   next friday   friday next week   the 15th
        24 december   march 1st, 2027   2026-12-24   24.12.2026   12/24/2026
        end of month   first monday of next month   last friday of december
        24.12.   24/12   24-dec   last friday this month   next christmas
        christmas   new year's eve   설날   추석   음력 8월 15일

      A day and a time of day
        tomorrow 07:30   tomorrow at 7pm   friday 9am   9am friday
        24 december 18:00   2026-12-24 18:00   tomorrow morning at 7
        tomorrow same time   same time next week

      Counted from a day or a time
        in 3 days at 5pm   in 2 weeks on friday   a week from friday
        friday + 1 week   4pm + 3 days   tomorrow 9am + 90 min

      Recurring; --from, --until and --count set when it begins and ends
        every 20m   every 2 hours   every day 07:30   every morning at 7
        weekdays at 7:00   every mon, wed and fri 7:30 pm   mondays 9am
        every other tuesday 9:00   every 3 days at 08:00
        every 2 weeks on mon,thu 07:30   every month on the 15th 9:00
        last friday of every month 17:00   every year on march 1 9:00
        last workday of every month 17:00   every first workday of the month
        every mon wed fri 9:00   mon-fri 8:30   every day at 8am and 8pm
        every day at 9:30 and 21:00   every 90 minutes from 9 to 17
        every hour   hourly            from now on, or on the hour
        every morning   nightly        08:00 and 22:00
        15th and 30th of every month
        every day 9am until friday   daily 9am starting monday
        every day at 9am for 2 weeks   every 10 minutes 4 times
      and calendar events of systemd.time(7)
        daily   weekly   Mon..Fri 07:30   Sat,Sun 09:00   *-*-01 08:00
        *:0/15              every quarter of an hour
        9..17/2:30          9:30, 11:30 … 17:30
        *-*~01 18:00        the last day of the month
        Mon *-05~07/1       the last Monday in May
        --every 07:30       every day; without --every once
        --every "monday 9am"   --every 20m
      and rules of iCalendar; put them in quotes
        FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYHOUR=9

      A zone may follow
        07:30 Europe/Paris   every day 07:30 Asia/Seoul   18:00 UTC
        07:30 +09:00   07:30Z   and the local zone's own abbreviations

      Pasted texts
        2026-12-24T18:00:00+01:00   2026. 12. 24. 18:00:00   @1798135200
        Thu, 24 Dec 2026 18:00:00 +0900   Thu Dec 24 18:00:00 UTC 2026
        24-Dec-2026 18:00

      Korean, with blanks or without
        5분   1시간 30분 후   오후 3시 15분   내일 아침 7시   모레 오후 3시 반
        다음 주 월요일 9시   2027년 1월 20일 15시   2027. 1. 20. 오후 3:00
        매일 07:30   평일 7시   매주 화요일 저녁 8시   20분마다
        월~금 오전 9시   매일 오전 9시, 오후 9시   1시간 반마다
        매일 오전 9시 금요일까지   월요일부터 매일 오전 9시   매일 오전 9시 2주 동안
        오후 5시 10분 전   내일 이 시간   매월 말일   첫째 주 월요일   매달 15일, 30일

      Refused; the message says what to enter instead
        90   in 5                      minutes or seconds?
        tomorrow 7   half past six     morning or evening?
        내일 3시   금요일 4시          오전 or 오후?
        tomorrow morning   tonight     at what time?
        9-10am   14:00-16:00           a range; the start is offered
        twice a day                    every day at 9:00 and 21:00
        next week   this weekend       on what day?
        monthly on friday              each one, or one of the month?
        every second monday            every other one, or one of the month?
        friday 13th                    if the next 13th is another weekday
        02/03/2027   20 jan 27         which is the day, which the month, the year?
        5M                             5m or 5 months?
        7:5   8:00,9:00                --every reads them as systemd does
        07:30 EST   07:30 UTC+9        07:30 America/New_York, 07:30 +09:00

      The label follows the time, or stands before it
        10m call mom   7am call mom    words after the time
        friday call mom   friday dinner at 7pm
        call mom at 5pm                words before the time
        "7pm dinner"                   all in quotes
        remind me to call mom at 5pm   alarm 7am   10분 뒤 알려줘
        07:30 "call mom at 8"          one quoted text
        07:30 --label tomorrow         anything after --label
      A word that may belong to the time cannot begin a label: 'in 10 mins' is ten
      minutes, '5pm tomorow' and '7am gym monday' are refused. A label has at most
      30 characters; --note keeps more.

      Rings before, at the end; days off, at the end or behind the time
        tomorrow 14:30 meeting 15 minutes before
        weekdays 7:00 except holidays   daily 9:00 only on holidays
        내일 14:30 회의 15분 전에   평일 7시 공휴일 제외

      A time alone is never in the past; a full date in the past is refused.
      In 1h30 the 30 are minutes, in 1m30 seconds. 7:30 is in the morning, and
      'next friday' is the coming one; a hint gives the other meaning.
      If a month lacks the day, '1 month' runs on (31 January: 3 March), and a
      recurring alarm skips that month. --in '1 month' is 30.44 days.
      If the clock jumps over 02:30, a one-shot rings at 03:30, and a recurring
      alarm skips that day. If the clock shows a time twice, an alarm rings the
      first time.

      eggctl resolve TIME shows how a time is read and when it comes.
      """)

  func run(in surroundings: Surroundings) throws {
    try surroundings.output.data(Self.configuration.discussion + "\n")
  }
}
