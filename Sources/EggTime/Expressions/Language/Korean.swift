extension Language {
  /// Korean words may be written together or apart.
  static let korean = Language(
    table: [
      ("한 하나", [.number(1)]), ("두 둘", [.number(2)]), ("세 셋", [.number(3)]), ("네 넷", [.number(4)]),
      ("다섯", [.number(5)]), ("여섯", [.number(6)]), ("일곱", [.number(7)]), ("여덟", [.number(8)]),
      ("아홉", [.number(9)]), ("열", [.number(10)]), ("열한", [.number(11)]), ("열두", [.number(12)]),
      ("이", [.number(2)]), ("삼", [.number(3)]), ("사", [.number(4)]), ("오", [.number(5)]),
      ("육", [.number(6)]), ("칠", [.number(7)]), ("팔", [.number(8)]), ("구", [.number(9)]),
      ("십", [.place(10)]), ("백", [.place(100)]), ("천", [.place(1_000)]),
      ("첫 첫째 첫번째", [.ordinal(1)]), ("둘째 두번째", [.ordinal(2)]), ("셋째 세번째", [.ordinal(3)]),
      ("넷째 네번째", [.ordinal(4)]), ("다섯째 다섯번째", [.ordinal(5)]),
      ("반", [.half]),

      ("초", [.unit(.second)]), ("분", [.unit(.minute)]), ("시간", [.unit(.hour)]),
      ("일", [.dateMark(.day), .unit(.day), .number(1), .weekday(.sunday)]), ("날", [.unit(.day)]),
      ("주 주일 주간", [.unit(.week)]), ("달 개월", [.unit(.month)]),
      ("월", [.dateMark(.month), .weekday(.monday)]), ("년", [.dateMark(.year), .unit(.year)]),
      ("해", [.unit(.year)]), ("시", [.hourMark]),

      ("월요일 월욜", [.weekday(.monday)]), ("화요일 화 화욜", [.weekday(.tuesday)]),
      ("수요일 수 수욜", [.weekday(.wednesday)]),
      ("목요일 목 목욜", [.weekday(.thursday)]), ("금요일 금 금욜", [.weekday(.friday)]),
      ("토요일 토 토욜", [.weekday(.saturday)]),
      ("일요일 일욜", [.weekday(.sunday)]), ("평일 주중", [.weekdays(0x1F)]), ("주말", [.weekdays(0x60)]),

      ("오늘 금일", [.day(0)]), ("내일 낼 명일 익일", [.day(1)]), ("모레 내일모레 낼모레", [.day(2)]), ("글피", [.day(3)]),
      ("어제", [.day(-1)]), ("그제 그저께 엊그제", [.day(-2)]),
      ("새벽", [.partOfDay(.earlyMorning)]), ("아침", [.partOfDay(.morning)]),
      ("점심 낮 대낮", [.partOfDay(.midday)]), ("저녁", [.partOfDay(.evening)]), ("밤", [.partOfDay(.night)]),
      ("오전", [.meridiem(isAfternoon: false)]), ("오후", [.meridiem(isAfternoon: true)]),
      ("정오", [.time(TimeOfDay(hour: 12, minute: 0))]), ("자정", [.time(.midnight)]),
      ("지금 방금", [.now]), ("하루", [.one, .unit(.day)]), ("이틀", [.number(2), .unit(.day)]),
      ("사흘", [.number(3), .unit(.day)]),
      ("나흘", [.number(4), .unit(.day)]), ("열흘", [.number(10), .unit(.day)]),
      ("보름", [.number(15), .unit(.day)]),

      ("금주", [.week(ahead: 0)]), ("차주 내주 담주", [.week(ahead: 1)]), ("다다음", [.afterNext]),
      ("금월", [.monthFromNow(0)]), ("내월 익월", [.monthFromNow(1)]),
      ("금년 올해", [.yearFromNow(0)]), ("내년", [.yearFromNow(1)]),
      ("다음 오는", [.next]), ("이번", [.this]), ("마지막", [.last]),
      ("마다", [.eachBehind]), ("매", [.every]), ("매일", [.everyUnit(.day)]), ("매주", [.everyUnit(.week)]),
      ("매월 매달", [.everyUnit(.month)]), ("매년 매해", [.everyUnit(.year)]), ("매시간 매시", [.everyUnit(.hour)]),
      ("매분", [.everyUnit(.minute)]), ("격주", [.everyOtherUnit(.week)]), ("격일", [.everyOtherUnit(.day)]),

      ("뒤 후 이후 뒤에 후에 이후에", [.later]), ("안에 내에 안 내", [.later]), ("전 이전", [.ago]), ("말 말일", [.end]),
      ("부터", [.to]), ("과 와 하고", [.and]), ("까지", [.until, .nothing]), ("번", [.times]),
      ("또는 아니면 간격 반복 지난 저번", [.unread]),
      ("에 의 지금부터", [.nothing]),
    ],
    framesBehind: [
      ["알려", "줘"], ["깨워", "줘"], ["알람", "맞춰", "줘"], ["알람", "맞춰줘"], ["알려줘"], ["깨워줘"],
    ])
}
