/// Times of day: `7:30 p.m.`, `at 0730`, `half past six`, `3시 반`, `tonight at 8`.
extension SentenceReader {
  mutating func timePart() throws(Misread) -> Bool {
    guard sentence.time == nil else { return false }
    let first = index
    let isFor = takes(.for)
    var isBehindAt = takes(.at)
    isBehindAt = takesAbout() || isBehindAt
    if takes(.sameTime) {
      sentence.keepsTime = true
      return true
    }
    let hourAt = index
    if isBehindAt, let hours = try hoursOfDay() {
      let said = SaidTime(time: hours[0].value, clock: .settled, isBehindAt: true)
      try sentence.time.say(said, range(from: hourAt))
      sentence.moreTimes += hours.dropFirst()
      return true
    }
    let found = isFor ? timeBehindFor(isBehindAt: isBehindAt) : try saidTime(isBehindAt: isBehindAt)
    guard var said = found else { return back(to: first) }
    // `7시쯤`
    if token?.isGlued == true { _ = takes(.about) }
    said.isBehindAt = isBehindAt
    try sentence.time.say(said, range(from: hourAt))
    // `아침 7시마다`, but not `9시 30분마다`
    if means(.eachBehind), !tokens[index - 1].meanings.contains(.unit(.minute)) {
      index += 1
      sentence.every = sentence.every ?? part(SaidEvery(), from: hourAt)
    }
    return true
  }

  /// `9, 12 and 18` of a recurring time: an hour above 12 says that all are of a 24-hour clock. nil, without moving, for
  /// anything else.
  private mutating func hoursOfDay() throws(Misread) -> [Sentence.Part<TimeOfDay>]? {
    guard recurs else { return nil }
    let first = index
    var hours: [Sentence.Part<TimeOfDay>] = []
    var isJoined = true
    while isJoined {
      let hourAt = index
      guard let number = takeNumber(), number.digits <= 2, number.fraction == nil, let hour = number.count,
        hour <= 23
      else { return back(to: first) }
      hours.append(part(TimeOfDay(hour: hour, minute: 0), from: hourAt))
      let isListed = takes(.comma)
      isJoined = takes(.and) || isListed
    }
    guard hours.count > 1, isAlone(ahead: 0), !means(.oclock), !means(.hourMark), peek(\.meridiem) == nil
    else { return back(to: first) }
    // `8 and 9 in the morning`
    if let ahead = partOfDayAhead {
      guard let part = peek(ahead: ahead, \.partOfDay) else { return back(to: first) }
      for place in hours.indices {
        guard let hour = part.hour(hours[place].value.hour) else { return back(to: first) }
        hours[place].value.hour = hour
      }
      index += ahead + 1
      return hours
    }
    if hours.contains(where: { $0.value.hour > 12 || $0.value.hour == 0 }) { return hours }
    let typed = hours[0].range.lowerBound..<(hours.last?.range.upperBound ?? 0)
    // Each begins in the morning or the evening, and goes on.
    let days = [0, 12].map { half in
      hours.dropFirst().map(\.value.hour).reduce(into: [hours[0].value.hour % 12 + half]) { day, hour in
        day.append(hour < day[day.count - 1] ? hour + 12 : hour)
      }
    }
    throw text.misread(
      .ambiguousHour, typed,
      instead: days.filter { $0 == $0.sorted() && $0[$0.count - 1] < 24 }.map { day in
        day.map { TimeOfDay(hour: $0, minute: 0).text }.joined(separator: ", ")
      })
  }

  /// Parts of the day: `in the morning`, `this evening`, `tonight`, `오후`.
  mutating func partOfDayPart() throws(Misread) -> Bool {
    let first = index
    if takes(.the), peek(\.someTime) == nil { index = first }
    if let times = peek(\.someTime), let token {
      throw text.misread(.hourIsMissing, start(of: first)..<token.end, instead: times, at: token.start)
    }
    if let part = take(\.partsOfDay) {
      try sentence.partOfDay.say(part, range(from: first))
      sentence.every = sentence.every ?? self.part(SaidEvery(), from: first)
      return true
    }
    let isTonight = peek(\.partOfToday) != nil
    let isToday = isTonight || takes(.this)
    if !isToday, takes(.in) || takes(.at) || takes(.on) { _ = takes(.the) }
    if let isAfternoon = take(\.meridiem) {
      return try sentence.meridiem.say(isAfternoon, range(from: first))
    }
    guard let part = isTonight ? take(\.partOfToday) : take(\.partOfDay) else { return back(to: first) }
    // `12:30 점심` and `정오에 점심` are more likely a meal.
    if let time = sentence.time?.value, time.clock == .settled || time.time.hour == 12,
      !text.text(range(from: first)).isASCII
    {
      throw Misread(offset: start(of: first), reason: .unexpected)
    }
    try sentence.partOfDay.say(part, range(from: first))
    if isToday { try sentence.date.say(.relative(days: 0), range(from: first)) }
    return true
  }

  private mutating func saidTime(isBehindAt: Bool) throws(Misread) -> SaidTime? {
    if let time = take(\.time) {
      let bookmark = index
      // `자정 12시`
      if takeNumber()?.count != 12 || !takes(.hourMark) { index = bookmark }
      return SaidTime(time: time, clock: .settled, isMidnight: time == .midnight)
    }
    if let said = try pastTheHour() { return said }
    let first = index
    if case .clock(let time, let hourDigits) = token?.kind {
      index += 1
      // `3:30분`
      if let next = token, next.isGlued, !text.text(next.range).isASCII {
        _ = takes(.unit(.minute))
      }
      if let settled = try settle(time, from: first) { return settled }
      if takes(.unit(.hour)) {
        // `1:30 hours` may be a length, `14:30 hours` hardly.
        if isBehindAt || sentence.hasDay || time.hour > 12 { return SaidTime(time: time, clock: .settled) }
        throw text.misread(
          .hourIsMissing, range(from: first), instead: ["\(time.hour)h\(time.minute)min", time.text])
      }
      let isTwelve = hourDigits == 1 && time.hour > 0 || (10...12).contains(time.hour)
      return SaidTime(time: time, clock: isTwelve ? .twelve : .settled)
    }
    guard let number = takeNumber() else { return nil }
    // `19h30` and `19h` are times of day where one must stand, spans elsewhere.
    if isBehindAt || sentence.hasDay, let said = hourWithLetter(number, from: first) { return said }
    if let said = try digitsAsTime(number, from: first, isBehindAt: isBehindAt) { return said }
    guard let hour = number.count, hour <= 24 else {
      if isBehindAt, index == tokens.count {
        throw Misread(.bareNumber, at: start(of: first))
      }
      return back(to: first)
    }
    let isMarked = takes(.hourMark)
    // `12 noon`, `12시 정오`
    if hour == 12, let time = take(\.time) { return SaidTime(time: time, clock: .settled) }
    if isMarked { return try behindHourMark(hour, from: first) }
    let isHour = takes(.oclock)
    if isHour, means(.the, ahead: 1) { _ = takes(.in) && takes(.the) }
    if let settled = try settle(TimeOfDay(hour: hour, minute: 0), from: first) { return settled }
    if !isHour, let said = try hourAndMinute(hour, from: first, isBehindAt: isBehindAt) { return said }
    guard isHour || isBehindAt || isBesideDay, number.digits <= 2, isAlone(ahead: 0) else {
      return back(to: first)
    }
    guard hour <= 23 else { throw Misread(.noSuchTime, at: start(of: first)) }
    return SaidTime(time: TimeOfDay(hour: hour, minute: 0), clock: .bare)
  }

  /// `saturday for 9am`; nil for a length (`for 2h`) and for a number (`for 2000 people`), whatever its size.
  private mutating func timeBehindFor(isBehindAt: Bool) -> SaidTime? {
    guard let said = try? saidTime(isBehindAt: isBehindAt), said.clock != .bare, !said.mayBeLength else {
      return nil
    }
    // `0930`, `2.30`
    if case .number = tokens[index - 1].kind { return nil }
    return said
  }

  /// Whether a number is likely a time of day: a day or a part of one stands before or behind it.
  private var isBesideDay: Bool {
    sentence.hasDay || sentence.partOfDay != nil || sentence.meridiem != nil || partOfDayAhead != nil
      || peek(\.day) != nil
  }

  /// am or pm after a time, which settles it; nil, without moving, for neither.
  private mutating func settle(_ time: TimeOfDay, from first: Int) throws(Misread) -> SaidTime? {
    guard let isAfternoon = takeMeridiem(from: first) else { return nil }
    // `9am pm`
    if peek(\.meridiem) != nil {
      throw Misread(.unexpected, at: start(of: index))
    }
    var time = time
    if (1...12).contains(time.hour) {
      time.hour = time.hour % 12 + (isAfternoon ? 12 : 0)
    } else {
      // `17:30 pm` is the afternoon anyway; date(1) refuses `13pm`.
      guard case .clock = tokens[first].kind, isAfternoon == (time.hour > 12) else {
        throw Misread(.noSuchTime, at: start(of: first))
      }
    }
    return SaidTime(time: time, clock: .settled)
  }

  /// `pm`, `p.m.`, `p m`, `p.`, and `p` directly after the hour: `7p`.
  private mutating func takeMeridiem(from first: Int) -> Bool? {
    if let isAfternoon = take(\.meridiem) { return isAfternoon }
    guard let token else { return nil }
    let letter = text.text(token.range).lowercased()
    guard letter == "a" || letter == "p" || letter == "a." || letter == "p." else { return nil }
    if let next = self.token(ahead: 1), text.text(next.range).lowercased().hasPrefix("m"),
      next.end - next.start <= 2
    {
      index += 2
      return letter.hasPrefix("p")
    }
    guard token.isGlued || letter.hasSuffix("."), index == first + 1, isAlone(ahead: 1) else { return nil }
    index += 1
    return letter.hasPrefix("p")
  }

  /// `19h30`, `8h`, after the number.
  private mutating func hourWithLetter(_ number: TypedNumber, from first: Int) -> SaidTime? {
    guard let hour = number.count, hour <= 23, let token, token.isGlued,
      text.text(token.range) == "h",
      !means(.later, ahead: 1), !means(.ago, ahead: 1)
    else { return nil }
    var time = TimeOfDay(hour: hour, minute: 0)
    if let next = self.token(ahead: 1), case .number(let minutes) = next.kind {
      guard next.isGlued, minutes.digits == 2, let minute = minutes.count, minute <= 59 else { return nil }
      time.minute = minute
      index += 1
    }
    index += 1
    return SaidTime(time: time, clock: .settled, mayBeLength: true)
  }

  /// `0730`, `730 pm`, `07.30`, `7.30`, after the number.
  private mutating func digitsAsTime(
    _ number: TypedNumber, from first: Int, isBehindAt: Bool
  ) throws(Misread) -> SaidTime? {
    guard let time = number.asClock else { return nil }
    if let settled = try settle(time, from: first) { return settled }
    if number.digits == 4, takes(.unit(.hour)) {
      return SaidTime(time: time, clock: .settled, mayBeLength: true)
    }
    // `0730 friday`
    let isBeforeWeekday = number.digits == 4 && peek(\.weekday) != nil
    guard isBehindAt || isBesideDay || isBeforeWeekday, isAlone(ahead: 0) else { return nil }
    // `friday 100 squats`
    if number.digits == 3, number.fraction == nil, !isBehindAt, (1...5).contains(time.hour) {
      return SaidTime(time: time, clock: .bare)
    }
    let isSettled = number.digits == (number.fraction == nil ? 4 : 2)
    return SaidTime(time: time, clock: isSettled && !(10...12).contains(time.hour) ? .settled : .twelve)
  }

  /// `3시 15분`, `3시 반`, after the hour and its mark.
  private mutating func behindHourMark(_ hour: Int, from first: Int) throws(Misread) -> SaidTime? {
    guard hour <= 23 else { throw Misread(.noSuchTime, at: start(of: first)) }
    var time = TimeOfDay(hour: hour, minute: 0)
    if takes(.half) {
      time.minute = 30
    } else {
      for unit in [PersonUnit.minute, .second] {
        let bookmark = index
        // `5시 10분 전` is ten minutes before five.
        guard let count = takeNumber()?.count, count <= 59, takes(.unit(unit)), !means(.before) else {
          index = bookmark
          continue
        }
        if unit == .minute { time.minute = count } else { time.second = count }
      }
    }
    return SaidTime(time: time, clock: (1...12).contains(hour) ? .hourMark : .settled)
  }

  /// `ten thirty`, `3 30`, after the hour; am or pm settles it.
  private mutating func hourAndMinute(
    _ hour: Int, from first: Int, isBehindAt: Bool
  ) throws(Misread) -> SaidTime? {
    let bookmark = index
    // `ten-thirty`, but not `17-21`
    if case .word = tokens[first].kind { _ = takes(.hyphen) }
    guard let number = takeNumber(), number.digits == 2, let minute = number.count,
      (10...59).contains(minute),
      isAlone(ahead: 0)
    else { return back(to: bookmark) }
    let time = TimeOfDay(hour: hour, minute: minute)
    if let settled = try settle(time, from: first) { return settled }
    let isInWords = if case .word = tokens[first].kind { index == tokens.count } else { false }
    guard isBehindAt || isBesideDay || isInWords else { return back(to: bookmark) }
    return SaidTime(time: time, clock: .bare)
  }

  /// `half past six`, `quarter to 5 pm`, `quarter of nine`, `20 past noon`, `ten minutes to six`.
  private mutating func pastTheHour() throws(Misread) -> SaidTime? {
    let first = index
    guard let minutes = minutesBesideHour() else { return nil }
    let isBefore: Bool
    if takes(.past) || takes(.after) {
      isBefore = false
    } else if takes(.toTheHour) || tokens[index - 1].meanings.contains(.quarter) && takes(.of),
      minutes != 30
    {
      isBefore = true
    } else {
      try refuseHalf(from: first)
      return back(to: first)
    }
    let hourAt = index
    let said: SaidTime
    if let time = take(\.time) {
      said = SaidTime(time: time, clock: .settled)
    } else if let number = takeNumber(), let hour = number.count, hour <= 23 {
      if let whole = hourWithLetter(number, from: hourAt) {
        said = whole
      } else {
        _ = takes(.oclock)
        let time = TimeOfDay(hour: hour, minute: 0)
        said = try settle(time, from: hourAt) ?? SaidTime(time: time, clock: .bare)
        guard isAlone(ahead: 0) else { return back(to: first) }
      }
    } else {
      return back(to: first)
    }
    guard said.clock == .settled || (1...12).contains(said.time.hour) else {
      throw Misread(.noSuchTime, at: start(of: hourAt))
    }
    let total = (said.time.hour * 60 + (isBefore ? -minutes : minutes) + 1_440) % 1_440
    return SaidTime(time: TimeOfDay(minutes: total), clock: said.clock, mayBeLength: said.mayBeLength)
  }

  /// Throws for `half seven`, which is half past seven in Britain, and half past six for a German.
  private func refuseHalf(from first: Int) throws(Misread) {
    var rest = self
    rest.index = first
    guard rest.takes(.half), let hour = rest.takeNumber()?.count, (1...12).contains(hour),
      rest.takes(.oclock) || rest.isAlone(ahead: 0) || rest.peek(\.meridiem) != nil
    else { return }
    let isSettled = rest.peek(\.meridiem) != nil
    let before = hour == 1 ? 12 : hour - 1
    // Half an hour before `half 12 pm` is no time of its half of the day.
    let either = isSettled && hour == 12 ? [12] : [before, hour]
    let hours = either.flatMap { isSettled ? [$0] : [$0 % 12, $0 % 12 + 12] }
    throw text.misread(
      .hourIsMissing, rest.range(from: first),
      instead: hours.map { isSettled ? "\($0):30" : TimeOfDay(hour: $0, minute: 30).text })
  }

  /// `half`, `a quarter`, `20`, `20 minutes`, of `half past six`.
  private mutating func minutesBesideHour() -> Int? {
    let first = index
    if takes(.one) || means(.quarter), takes(.quarter) { return 15 }
    index = first
    if takes(.half) { return 30 }
    guard let count = takeNumber()?.count, (1...59).contains(count) else { return back(to: first) }
    _ = takes(.unit(.minute))
    return count
  }

  /// `at 15 past`, `half past the hour`, beside `every hour`.
  mutating func minutePast() -> Int? {
    let first = index
    _ = takes(.at)
    guard let minute = minutesBesideHour(), takes(.past) else { return back(to: first) }
    if means(.the), means(.unit(.hour), ahead: 1) { index += 2 }
    // `20 past 6`
    guard peek(\.time) == nil, isAtEndOrWord else { return back(to: first) }
    return minute
  }

  private var isAtEndOrWord: Bool {
    switch token?.kind {
    case nil: true
    case .word: peek(\.number) == nil
    default: false
    }
  }

  /// `and 8pm`, `, 오후 9시`, behind a time of day; `8pm` alone behind that of a recurring time.
  mutating func anotherTime(isListed: Bool) throws(Misread) -> Bool {
    if takeAnotherPart(isListed: isListed) { return true }
    guard sentence.time != nil, let token else { return false }
    // `every day 9am midnight snack`
    if !isListed, peek(\.time) != nil { return false }
    // `8:00,9:00` is an event of systemd.
    if token.isGlued, case .clock = token.kind { return false }
    var rest = self
    rest.sentence = Sentence()
    rest.sentence.every = sentence.every
    if let isAfternoon = rest.take(\.meridiem) {
      rest.sentence.meridiem = rest.part(isAfternoon, from: index)
    } else if let part = rest.take(\.partOfDay) {
      rest.sentence.partOfDay = rest.part(part, from: index)
    }
    guard try rest.timePart(), let time = try SentenceMeaning(rest).timeOfDay() else { return false }
    let isCertain =
      rest.sentence.meridiem != nil || rest.sentence.partOfDay != nil
      || rest.sentence.time?.value.clock == .settled
    guard isListed || isCertain else { return false }
    sentence.moreTimes.append(rest.part(time, from: index))
    index = rest.index
    return true
  }

  /// `and evening` behind `every morning`, without a time of day: `매일 아침 저녁`.
  private mutating func takeAnotherPart(isListed: Bool) -> Bool {
    let first = index
    guard sentence.time == nil, sentence.every != nil, sentence.partOfDay != nil,
      let part = take(\.partOfDay) ?? take(\.partsOfDay),
      isListed || !text.text(range(from: first)).isASCII
    else { return back(to: first) }
    // `매일 아침 저녁 8시`
    var rest = self
    if (try? rest.timePart()) != false { return back(to: first) }
    sentence.moreTimes.append(self.part(part.usualTime, from: first))
    return true
  }
}
