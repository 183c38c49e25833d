extension Language {
  /// British and American English, and the abbreviations of tools.
  static let english = Language(
    table: [
      ("a an", [.one]), ("another", [.one, .more]),
      ("half ½", [.half]),
      ("quarter quarters", [.quarter]),
      ("couple", [.couple]), ("few several", [.few(3, 5)]), ("more additional extra", [.more]),
      ("and &", [.and]),
      ("one", [.number(1)]), ("two", [.number(2)]), ("three", [.number(3)]), ("four", [.number(4)]),
      ("five", [.number(5)]), ("six", [.number(6)]), ("seven", [.number(7)]), ("eight", [.number(8)]),
      ("nine", [.number(9)]), ("ten", [.number(10)]), ("eleven", [.number(11)]), ("twelve", [.number(12)]),
      ("thirteen", [.number(13)]), ("fourteen", [.number(14)]), ("fifteen", [.number(15)]),
      ("sixteen", [.number(16)]), ("seventeen", [.number(17)]), ("eighteen", [.number(18)]),
      ("nineteen", [.number(19)]), ("twenty", [.number(20)]), ("thirty", [.number(30)]),
      ("forty", [.number(40)]), ("fifty", [.number(50)]), ("sixty", [.number(60)]),
      ("seventy", [.number(70)]), ("eighty", [.number(80)]), ("ninety", [.number(90)]),
      ("first", [.ordinal(1)]), ("third", [.ordinal(3)]), ("fourth", [.ordinal(4)]), ("fifth", [.ordinal(5)]),
      ("sixth", [.ordinal(6)]), ("seventh", [.ordinal(7)]), ("eighth", [.ordinal(8)]),
      ("ninth", [.ordinal(9)]), ("tenth", [.ordinal(10)]), ("eleventh", [.ordinal(11)]),
      ("twelfth", [.ordinal(12)]), ("thirteenth", [.ordinal(13)]), ("fourteenth", [.ordinal(14)]),
      ("fifteenth", [.ordinal(15)]), ("sixteenth", [.ordinal(16)]), ("seventeenth", [.ordinal(17)]),
      ("eighteenth", [.ordinal(18)]), ("nineteenth", [.ordinal(19)]), ("twentieth", [.ordinal(20)]),
      ("thirtieth", [.ordinal(30)]),

      ("us usec usecs µs μs", [.unit(.microsecond)]),
      ("ms msec msecs millisecond milliseconds", [.unit(.millisecond)]),
      ("s sec secs seconds", [.unit(.second)]),
      ("second", [.unit(.second), .ordinal(2)]),
      ("m", [.unit(.minute), .shortWeekday(.monday)]),
      ("min mins minute minutes", [.unit(.minute)]),
      ("h hr hrs hour hours", [.unit(.hour)]),
      ("d day days", [.unit(.day)]),
      ("w wk wks week weeks", [.unit(.week)]), ("fortnight", [.one, .unit(.fortnight)]),
      ("fortnights", [.unit(.fortnight)]),
      ("month months", [.unit(.month)]),
      ("y yr yrs year years", [.unit(.year)]),
      ("o'clock", [.oclock]), ("timer", [.timer]),

      ("monday mon", [.weekday(.monday)]), ("tuesday tue tues", [.weekday(.tuesday)]),
      ("wednesday wed weds", [.weekday(.wednesday)]), ("thursday thu thur thurs", [.weekday(.thursday)]),
      ("friday fri", [.weekday(.friday)]), ("saturday sat", [.weekday(.saturday)]),
      ("sunday sun", [.weekday(.sunday)]),
      ("mondays", [.weekdays(1)]), ("tuesdays", [.weekdays(2)]), ("wednesdays", [.weekdays(4)]),
      ("thursdays", [.weekdays(8)]), ("fridays", [.weekdays(16)]), ("saturdays", [.weekdays(32)]),
      ("sundays", [.weekdays(64)]), ("weekday weekdays workday workdays wkday wkdays", [.weekdays(0x1F)]),
      ("weekend weekends wkend wkends wknd wknds", [.weekdays(0x60)]), ("mwf", [.weekdays(0x15)]),
      ("mo", [.shortWeekday(.monday)]), ("tu", [.shortWeekday(.tuesday)]),
      ("we", [.shortWeekday(.wednesday)]),
      ("th", [.shortWeekday(.thursday)]), ("fr f", [.shortWeekday(.friday)]),
      ("sa", [.shortWeekday(.saturday)]), ("su", [.shortWeekday(.sunday)]),

      ("january jan", [.month(1)]), ("february feb", [.month(2)]), ("march mar", [.month(3)]),
      ("april apr", [.month(4)]), ("may", [.month(5)]), ("june jun", [.month(6)]), ("july jul", [.month(7)]),
      ("august aug", [.month(8)]), ("september sep sept", [.month(9)]), ("october oct", [.month(10)]),
      ("november nov", [.month(11)]), ("december dec", [.month(12)]),

      ("today", [.day(0)]), ("tomorrow tmrw tmr tmrow tmoro tmw tomm tomoz", [.day(1)]),
      ("tom tomo", [.day(1), .name]),
      ("yesterday yday", [.day(-1)]),
      (
        "morning early_morning midmorning mid_morning mid_-_morning first_thing first_thing_in_the_morning",
        [.partOfDay(.morning)]
      ), ("afternoon midafternoon mid_afternoon mid_-_afternoon", [.partOfDay(.afternoon)]),
      ("evening late_evening", [.partOfDay(.evening)]), ("night late_night", [.partOfDay(.night)]),
      ("mornings", [.partsOfDay(.morning)]), ("afternoons", [.partsOfDay(.afternoon)]),
      ("evenings", [.partsOfDay(.evening)]), ("nights nightly", [.partsOfDay(.night)]),
      ("tonight tonite", [.partOfToday(.night)]),
      ("am a.m. a.m", [.meridiem(isAfternoon: false)]), ("pm p.m. p.m", [.meridiem(isAfternoon: true)]),
      ("noon midday mid_day mid_-_day", [.time(TimeOfDay(hour: 12, minute: 0))]),
      ("midnight mid_night mid_-_night", [.time(.midnight)]),
      ("teatime", [.time(TimeOfDay(hour: 16, minute: 0))]),
      (
        "eod cob end_of_day end_of_the_day close_of_business",
        [.someTime([TimeOfDay(hour: 17, minute: 0), TimeOfDay(hour: 23, minute: 59)])]
      ),
      ("lunchtime", [.someTime([TimeOfDay(hour: 12, minute: 0), TimeOfDay(hour: 13, minute: 0)])]),
      ("noonish", [.someTime([TimeOfDay(hour: 12, minute: 0)])]),
      ("same_time the_same_time this_time", [.sameTime]), ("now right_now", [.now]),
      ("eom month_end end_of_month end_of_the_month", [.lastDay]),

      ("next nxt", [.next]), ("coming upcoming", [.coming]), ("this current", [.this]), ("last", [.last]),
      ("end", [.end]),
      ("every each", [.every]), ("other", [.other]),
      ("minutely", [.everyUnit(.minute)]), ("hourly", [.everyUnit(.hour)]),
      ("daily everyday", [.everyUnit(.day)]),
      ("weekly", [.everyUnit(.week)]), ("monthly", [.everyUnit(.month)]),
      ("yearly annually", [.everyUnit(.year)]), ("fortnightly", [.everyOtherUnit(.week)]),
      ("on_the_hour", [.onTheHour]),

      ("once", [.once]), ("twice thrice times", [.times]), ("until till", [.until]),
      ("starting beginning", [.starting]),
      ("for", [.for]),

      (
        "not repeat repeats repeating repeated since during previous following alternate "
          + "alternating quarterly biweekly bimonthly weeknight weeknights business_day business_days working_day working_days "
          + "early_mornings late_mornings late_evenings late_nights",
        [.unread]
      ),
      ("except excluding but", [.except]), ("or", [.or]),
      ("around about", [.around]), ("roughly approximately approx circa exactly", [.about]),

      ("new_year's_day new_year_day new_year's", [.holiday(.fixed(month: 1, day: 1))]),
      (
        "valentine's_day valentine_day valentine's",
        [.holiday(.fixed(month: 2, day: 14))]
      ),
      ("groundhog_day", [.holiday(.fixed(month: 2, day: 2))]),
      (
        "st_patrick's_day saint_patrick's_day st_paddy's_day saint_paddy's_day",
        [.holiday(.fixed(month: 3, day: 17))]
      ),
      ("april_fools april_fool's_day april_fools'_day", [.holiday(.fixed(month: 4, day: 1))]),
      ("earth_day", [.holiday(.fixed(month: 4, day: 22))]),
      ("may_day international_workers_day", [.holiday(.fixed(month: 5, day: 1))]),
      ("juneteenth", [.holiday(.fixed(month: 6, day: 19))]),
      ("halloween", [.holiday(.fixed(month: 10, day: 31))]),
      ("christmas_eve xmas_eve", [.holiday(.fixed(month: 12, day: 24))]),
      ("christmas xmas christmas_day xmas_day", [.holiday(.fixed(month: 12, day: 25))]),
      ("boxing_day", [.holiday(.fixed(month: 12, day: 26))]),
      ("new_year's_eve new_year_eve nye", [.holiday(.fixed(month: 12, day: 31))]),
      ("chuseok", [.holiday(.lunar(month: 8, day: 15))]),
      (
        "mlk_day martin_luther_king_day martin_luther_king's_day martin_luther_king_jr_day",
        [.holiday(.weekday(.monday, 3, month: 1))]
      ),
      ("president's_day presidents'_day", [.holiday(.weekday(.monday, 3, month: 2))]),
      ("memorial_day", [.holiday(.weekday(.monday, -1, month: 5))]),
      ("father's_day fathers'_day", [.holiday(.weekday(.sunday, 3, month: 6))]),
      ("labor_day", [.holiday(.weekday(.monday, 1, month: 9))]),
      ("thanksgiving thanksgiving_day", [.holiday(.weekday(.thursday, 4, month: 11))]),
      ("black_friday", [.holiday(.weekday(.thursday, 4, month: 11, later: 1))]),
      ("cyber_monday", [.holiday(.weekday(.thursday, 4, month: 11, later: 4))]),
      ("mardi_gras shrove_tuesday pancake_day", [.holiday(.easter(-47))]),
      ("ash_wednesday", [.holiday(.easter(-46))]),
      ("palm_sunday", [.holiday(.easter(-7))]),
      ("maundy_thursday holy_thursday", [.holiday(.easter(-3))]),
      ("good_friday", [.holiday(.easter(-2))]), ("easter easter_sunday", [.holiday(.easter(0))]),
      ("easter_monday easter_mon", [.holiday(.easter(1))]), ("ascension_day", [.holiday(.easter(39))]),
      ("pentecost whit_sunday white_sunday", [.holiday(.easter(49))]),
      ("whit_monday", [.holiday(.easter(50))]), ("trinity_sunday", [.holiday(.easter(56))]),
      ("corpus_christi", [.holiday(.easter(60))]),
      (
        "orthodox_easter orthodox_easter_sunday greek_easter greek_orthodox_easter",
        [.holiday(.orthodoxEaster(0))]
      ),
      ("lazarus_saturday", [.holiday(.orthodoxEaster(-8))]),
      ("orthodox_palm_sunday", [.holiday(.orthodoxEaster(-7))]),
      ("orthodox_good_friday orthodox_great_friday", [.holiday(.orthodoxEaster(-2))]),
      ("orthodox_easter_monday", [.holiday(.orthodoxEaster(1))]),
      ("king's_day koningsdag", [.holiday(.moved(month: 4, day: 27, saturday: 0, sunday: -1))]),
      ("boss's_day boss_day", [.holiday(.moved(month: 10, day: 16, saturday: -1, sunday: 1))]),
      (
        "orthodox mother's_day clean_monday branch_sunday diwali hanukkah passover purim ramadan",
        [.unread]
      ),
      (
        "seollal lunar_new_year chinese_new_year lunar_new_year's_day chinese_new_year's_day",
        [.holiday(.lunar(month: 1, day: 1))]
      ),

      ("between", [.between]), ("time", [.clockTime]), ("within", [.in]), ("in", [.in]), ("at @ by", [.at]),
      ("on", [.on]), ("of", [.of]), ("the", [.the]), ("from", [.from]),
      ("to til", [.to, .toTheHour]), ("through thru", [.to]), ("past", [.past]), ("after", [.after]),
      ("before prior_to ahead_of in_advance_of shy_of", [.before]),
      ("later hence", [.later]),
      ("ago", [.ago]),
    ],
    framesBefore: [
      Frame("remind/nudge/ping/alert/notify/tell me/us please/pls/ to/about/of/"), Frame("remember to"),
      Frame("don't/dont let me/us forget to/"), Frame("wake me/us up/ please/pls/"), Frame("wake up"),
      Frame("set/start/add/create/make a/an/ alarm/timer/reminder/countdown for/"), Frame("reminder:"),
      Frame("alarm/timer/reminder/countdown for/to/"),
    ],
    framesBeforeNumbers: [Frame("set/start a/an/"), Frame("let's/lets say")],
    framesBehind: [Frame("please/pls/thanks/thx")],
    polite: [Frame("please/pls/kindly/hey/ok/okay"), Frame("can/could/would/will you/u")],
    moments: MomentPhrases(
      lead: [["in", "advance"], ["before"], ["beforehand"], ["ahead"], ["early"]],
      except: [
        ["except", "for", "the"], ["except", "on", "the"], ["except", "for"], ["except", "on"], ["except"],
        ["excluding"], ["but", "not", "on"], ["not", "on"],
      ],
      onlyOn: [["only", "on", "the"], ["only", "on"]]))
}
