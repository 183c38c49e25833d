/// Combines the parts of a sentence.
extension SentenceReader {
  /// Throws, with the readings, when the sentence is ambiguous.
  func form() throws(Misread) -> Form {
    guard !sentence.isEmpty else { throw stop }
    if sentence.every == nil, !sentence.moreTimes.isEmpty { throw severalTimes }
    if let every = sentence.every { return try recurringForm(every.value, range: every.range) }
    if let offset = sentence.offset, isOffsetAlone { return try spanForm(offset) }
    if sentence.saysNow { return try nowForm() }
    return .civil(try civilForm())
  }

  private var isOffsetAlone: Bool {
    sentence.time == nil && sentence.partOfDay == nil && sentence.meridiem == nil && sentence.date == nil
      && sentence.day == nil && sentence.added == nil && sentence.zone == nil && !sentence.saysNow
  }

  private func spanForm(_ offset: Sentence.Part<SaidSpan>) throws(Misread) -> Form {
    let span = offset.value
    let tooLarge = Misread(offset: offset.range.lowerBound, reason: .outOfBounds, isDecisive: true)
    if span.months != 0 || span.isOnCalendar {
      try checkCalendar(span.shift, tooLarge)
      let hint: ExpressionHint? =
        if let first = span.firstDay { .firstDay(instead: first) } else {
          span.isOnCalendar ? nil : .calendarUnits
        }
      return .shifted(span.shift, hint: hint)
    }
    guard let length = span.length else { throw tooLarge }
    if length < .zero { return .elapsed(length) }
    return .span(length, hint: span.clock.map { .timeOfDay(instead: $0.text) })
  }

  private func nowForm() throws(Misread) -> Form {
    guard sentence.time == nil, sentence.partOfDay == nil, sentence.meridiem == nil, sentence.date == nil,
      sentence.day == nil, sentence.offset == nil, sentence.zone == nil
    else { throw Misread(offset: text.position, reason: .unexpected, isDecisive: true) }
    guard let added = sentence.added else { return .elapsed(.zero) }
    let shift = added.value.shift
    if shift.months == 0, shift.days == 0 { return .elapsed(shift.elapsed) }
    try checkCalendar(
      shift, Misread(offset: added.range.lowerBound, reason: .outOfBounds, isDecisive: true))
    return .shifted(shift)
  }

  private func checkCalendar(_ shift: CalendarShift, _ misread: Misread) throws(Misread) {
    guard abs(shift.months) < 1_000_000, abs(shift.days) < 10_000_000 else { throw misread }
  }

  private func civilForm() throws(Misread) -> CivilForm {
    var form = CivilForm(zone: sentence.zone)
    form.time = try timeOfDay()
    form.date = sentence.date?.value
    form.dayFirst = sentence.dayFirst
    form.day = sentence.day?.value
    form.dayOffset = sentence.day?.range.lowerBound ?? 0
    if let offset = sentence.offset { try set(offset, &form) }
    if let added = sentence.added {
      try checkCalendar(
        added.value.shift, Misread(offset: added.range.lowerBound, reason: .outOfBounds, isDecisive: true))
      form.added = added.value.shift
    }
    guard form.date != nil || form.day != nil || form.time != nil else { throw stop }
    if let day = sentence.day, case .full(let year, let month, let number) = form.date {
      try check(day, isOf: CivilDateTime(year: year, month: month, day: number))
    }
    form.afternoon = afternoon()
    if let said = sentence.time, said.value.clock == .hourMark, said.value.time.hour == 12,
      sentence.meridiem == nil, sentence.partOfDay == nil
    {
      form.midnight = text.replacing(said.range, by: "자정")
    }
    if let said = sentence.time, said.value.isMidnight, form.date != nil || form.day != nil, form.added == nil
    {
      form.dayAfter = text.text(text.position..<text.end) + " + 1 day"
    }
    if let day = sentence.day {
      if let date = sentence.date, day.range.upperBound <= date.range.lowerBound {
        let weekday = text.replacing(date.range, by: "").trimmed
        let before = text.text(text.position..<day.range.lowerBound)
        let behind = text.text(date.range.upperBound..<text.end)
        form.apart = (before, behind, weekday)
      }
      if case .afterToday = day.value.week, day.value.weeksLater == 0 {
        let name = text.text(day.range).split(separator: " ").last.map(String.init) ?? ""
        form.weekAfter = text.replacing(day.range, by: name) + " + 1 week"
      }
    }
    return form
  }

  /// `in 3 days at 5pm`, `in 2 weeks on friday`.
  private func set(_ offset: Sentence.Part<SaidSpan>, _ form: inout CivilForm) throws(Misread) {
    let misread = Misread(offset: offset.range.lowerBound, reason: .unexpected, isDecisive: true)
    let shift = offset.value.shift
    guard shift.elapsed == .zero, form.date == nil, shift.months > 0 || shift.days > 0 else { throw misread }
    try checkCalendar(shift, misread)
    guard let day = form.day else {
      form.date = .shifted(shift)
      return
    }
    guard case .coming = day.week, day.weeksLater == 0 else { throw misread }
    try refuseWeekdayAndSpan(offset)
    form.day?.week = .from(shift)
  }

  /// `monday in 2 weeks`, `2주 뒤 월요일`: in that week, or so long after the coming one?
  private func refuseWeekdayAndSpan(_ offset: Sentence.Part<SaidSpan>) throws(Misread) {
    guard let day = sentence.day, offset.value.weeks > 0, offset.value.days == 0, offset.value.months == 0
    else {
      return
    }
    let isFirst = offset.range.lowerBound < day.range.lowerBound
    guard !isFirst || !text.text(day.range).lowercased().hasPrefix("on ") else { return }
    let both =
      min(offset.range.lowerBound, day.range.lowerBound)..<max(offset.range.upperBound, day.range.upperBound)
    let name = day.value.weekday.name.lowercased()
    let weeks = offset.value.weeks
    let count = { (weeks: Int) in weeks == 1 ? "1 week" : "\(weeks) weeks" }
    throw Misread(
      offset: offset.range.lowerBound, reason: .ambiguousWeek, isDecisive: true,
      readings: [
        name + " next week" + (weeks > 1 ? " + " + count(weeks - 1) : ""), name + " + " + count(weeks),
      ]
      .map { text.replacing(both, by: $0) })
  }

  private func check(_ day: Sentence.Part<DayForm>, isOf date: CivilDateTime) throws(Misread) {
    guard date.weekday != day.value.weekday else { return }
    let rest = text.replacing(day.range, by: "").trimmed
    throw Misread(
      offset: day.range.lowerBound, reason: .wrongWeekday(date.weekday), isDecisive: true, readings: [rest])
  }

  /// What to type for twelve hours later, when the time may be one of a twelve-hour clock.
  func afternoon() -> Afternoon? {
    guard let said = sentence.time, sentence.partOfDay == nil, sentence.meridiem == nil,
      (1...11).contains(said.value.time.hour)
    else { return nil }
    switch said.value.clock {
    case .settled, .bare: return nil
    case .twelve where text.isForced: return nil
    case .twelve:
      var later = said.value.time
      later.hour += 12
      return Afternoon(text: text.replacing(said.range, by: later.text))
    case .hourMark:
      let typed = text.text(said.range)
      let choices = ["오전 ", "오후 "].map { text.replacing(said.range, by: $0 + typed) }
      return Afternoon(text: choices[1], morning: [choices[0]], isAlways: true)
    }
  }

  /// The time of day, settled by its part of the day.
  func timeOfDay() throws(Misread) -> TimeOfDay? {
    guard let said = sentence.time else {
      if let part = sentence.partOfDay { throw noHour(part) }
      if let meridiem = sentence.meridiem {
        throw Misread(offset: meridiem.range.upperBound, reason: .incomplete, isDecisive: true)
      }
      return nil
    }
    var time = said.value.time
    if let meridiem = sentence.meridiem {
      guard sentence.partOfDay == nil else {
        throw Misread(offset: meridiem.range.lowerBound, reason: .unexpected, isDecisive: true)
      }
      // 오전 12시 may be midnight or noon; 오후 15시 is the afternoon anyway.
      if time.hour == 12, !meridiem.value { throw ambiguous(said, [0, 12], besides: meridiem.range) }
      if time.hour > 12 || time.hour == 0 {
        guard meridiem.value == (time.hour > 12) else { throw noSuchTime(said) }
        return time
      }
      if meridiem.value { time.hour = time.hour % 12 + 12 }
      return time
    }
    guard let part = sentence.partOfDay else {
      // `3시` may be the afternoon's; `9시` is the morning's.
      if said.value.clock == .hourMark, time.hour <= 6 {
        let typed = text.text(said.range)
        throw Misread(
          offset: said.range.lowerBound, reason: .ambiguousHour, isDecisive: true,
          readings: ["오전", "오후"].map { text.replacing(said.range, by: $0 + " " + typed) })
      }
      guard said.value.clock == .bare else { return time }
      // `tomorrow at 19` is of a 24-hour clock.
      if said.value.isBehindAt, time.hour > 12 { return time }
      throw ambiguous(
        said, time.hour > 12 || time.hour == 0 ? [time.hour] : [time.hour % 12, time.hour % 12 + 12])
    }
    if part.value == .night, time.hour <= 5 || time.hour == 12 && said.value.clock != .settled {
      throw afterMidnight(said, part)
    }
    if said.value.clock == .settled || time.hour > 12 || time.hour == 0 {
      guard part.value.holds(time.hour) else {
        throw ambiguous(said, [time.hour, (time.hour + 12) % 24], besides: part.range)
      }
      return time
    }
    let isNoon = said.value.clock == .bare && time.hour == 12 && time.minute == 0 && part.value == .afternoon
    guard !isNoon, let hour = part.value.hour(time.hour) else {
      throw ambiguous(said, [time.hour % 12, time.hour % 12 + 12], besides: part.range)
    }
    time.hour = hour
    return time
  }

  /// The misread of a time that may have any of these hours. The readings leave out the part of the day next
  /// to it.
  private func ambiguous(
    _ said: Sentence.Part<SaidTime>, _ hours: [Int], besides part: Range<Int>? = nil
  ) -> Misread {
    let readings = hours.map { hour in
      var time = said.value.time
      time.hour = hour
      return replacing(said.range, by: time.text, and: part)
    }
    return Misread(
      offset: said.range.lowerBound, reason: hours.count > 1 ? .ambiguousHour : .bareNumber, isDecisive: true,
      readings: readings)
  }

  /// `tonight at 1`, `friday night 12:30`: the night continues into the next day.
  private func afterMidnight(_ said: Sentence.Part<SaidTime>, _ part: Sentence.Part<PartOfDay>) -> Misread {
    var time = said.value.time
    time.hour %= 12
    var readings: [String] = []
    if let date = sentence.date, date.range == part.range {
      readings = ["tomorrow \(time.text)"]
    } else {
      let day = sentence.day.map { text.text($0.range) } ?? sentence.date.map { text.text($0.range) } ?? ""
      let first = "\(day) \(time.text)".trimmed
      readings = day.isEmpty ? [first] : [first, "\(day) + 1 day at \(time.text)"]
    }
    return Misread(
      offset: said.range.lowerBound, reason: .ambiguousNight, isDecisive: true, readings: readings)
  }

  private func noSuchTime(_ said: Sentence.Part<SaidTime>) -> Misread {
    Misread(offset: said.range.lowerBound, reason: .noSuchTime, isDecisive: true)
  }

  /// `tomorrow morning`, `tonight`
  private func noHour(_ part: Sentence.Part<PartOfDay>) -> Misread {
    let isToday = sentence.date.map { $0.range == part.range } ?? false
    let hasDay = sentence.date != nil || sentence.day != nil || sentence.every != nil
    let time = part.value == .night && isToday ? "20:00" : part.value.usualTime
    let isEvery = sentence.every.map { $0.value.unit == nil && $0.value.weekdays == 0 } ?? false
    let isPlural = isEvery && sentence.every?.range == part.range
    let day =
      isToday
      ? "today "
      : isPlural && sentence.day == nil
        ? "every day "
        : isPlural
          ? "every "
          : isEvery
            && sentence.date == nil && sentence.day == nil ? "day " : hasDay ? "" : "tomorrow "
    let reading = text.replacing(part.range, by: day + time)
    return Misread(
      offset: part.range.lowerBound, reason: .hourIsMissing, isDecisive: true, readings: [reading.trimmed])
  }

  /// Replaces one part of the text and removes another, before or after it. `today` takes its place if it
  /// named the day.
  private func replacing(_ range: Range<Int>, by replacement: String, and other: Range<Int>?) -> String {
    guard let other else { return text.replacing(range, by: replacement) }
    let isToday = sentence.date.map { $0.range == other } ?? false
    let stays = isToday ? "today" : ""
    let (first, second) = other.lowerBound < range.lowerBound ? (other, range) : (range, other)
    let (one, two) = other.lowerBound < range.lowerBound ? (stays, replacement) : (replacement, stays)
    let joined =
      text.text(text.position..<first.lowerBound) + one + text.text(first.upperBound..<second.lowerBound)
      + two
      + text.text(second.upperBound..<text.end)
    return joined.trimmed
  }
}

extension TimeOfDay {
  /// `07:30`, with seconds unless they are 0.
  public var text: String {
    let text = Digits.padded(hour, to: 2) + ":" + Digits.padded(minute, to: 2)
    return second == 0 ? text : text + ":" + Digits.padded(second, to: 2)
  }
}

extension String {
  /// Trims blanks and commas, collapses blanks, and removes them before commas.
  fileprivate var trimmed: String {
    let words = split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
    let marks: Set<Character> = [" ", ","]
    return String(words.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed())
  }
}
