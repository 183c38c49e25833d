/// Combines the parts of a sentence.
struct SentenceMeaning {
  let text: Scanner
  let tokens: [Token]
  var sentence: Sentence

  init(_ reader: SentenceReader) { (text, tokens, sentence) = (reader.text, reader.tokens, reader.sentence) }

  /// Throws, with the readings, when the sentence is ambiguous.
  func form() throws(Misread) -> Form {
    guard let every = sentence.every else {
      if !sentence.moreTimes.isEmpty { throw severalTimes }
      if !sentence.days.isEmpty { throw severalDays }
      if let window = sentence.window { throw window.misread }
      if let bound = sentence.from?.range ?? sentence.until?.range ?? sentence.length?.range
        ?? sentence.count?.range ?? sentence.except?.range ?? sentence.allDay?.range
      {
        throw Misread(offset: bound.lowerBound, reason: .unexpected)
      }
      var others = sentence
      others.offset = nil
      if let offset = sentence.offset, others.isEmpty { return try spanForm(offset) }
      if sentence.saysNow { return try nowForm() }
      return .civil(try civilForm())
    }
    let timed = withTimeOfBounds(every.value)
    var form = try timed.recurringForm(every.value, range: every.range)
    if let allDay = sentence.allDay, !form.isShort {
      throw Misread(offset: allDay.range.lowerBound, reason: .unexpected)
    }
    guard let bounds = try timed.bounds(of: form) else { return form }
    if case .interval(var interval) = form, let from = bounds.from, from.time == nil, !from.keepsTime {
      let isElapsed = if case .elapsed = interval.step { true } else { false }
      interval.isDayAlone = !isElapsed && interval.time == nil
      form = .interval(interval)
    }
    return .bounded(form, bounds)
  }

  private func spanForm(_ offset: Sentence.Part<SaidSpan>) throws(Misread) -> Form {
    let span = offset.value
    let tooLarge = Misread(.outOfBounds, at: offset.range.lowerBound)
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
    var others = sentence
    (others.saysNow, others.added) = (false, nil)
    guard others.isEmpty else { throw Misread(.unexpected, at: text.position) }
    guard let added = sentence.added else { return .elapsed(.zero) }
    let shift = added.value.shift
    if shift.months == 0, shift.days == 0 { return .elapsed(shift.elapsed) }
    try checkCalendar(shift, Misread(.outOfBounds, at: added.range.lowerBound))
    return .shifted(shift)
  }

  private func checkCalendar(_ shift: CalendarShift, _ misread: Misread) throws(Misread) {
    guard abs(shift.months) < 1_000_000, abs(shift.days) < 10_000_000 else { throw misread }
  }

  private func civilForm() throws(Misread) -> CivilForm {
    var form = CivilForm(zone: sentence.zone)
    form.time = try timeOfDay()
    form.keepsTime = sentence.keepsTime
    form.date = isMidnightOfTonight ? .relative(days: 1) : sentence.date?.value
    form.dayFirst = sentence.dayFirst
    form.day = sentence.day?.value
    form.dayOffset = sentence.day?.range.lowerBound ?? 0
    if let offset = sentence.offset { try set(offset, &form) }
    if let added = sentence.added {
      try checkCalendar(added.value.shift, Misread(.outOfBounds, at: added.range.lowerBound))
      form.added = added.value.shift
    }
    if form.keepsTime, form.date == nil, form.day == nil {
      let day = text.rest.isASCII ? "tomorrow " : "내일 "
      throw Misread(.dayIsMissing, at: text.position, readings: [day + text.rest])
    }
    guard form.date != nil || form.day != nil || form.time != nil, !form.keepsTime || form.time == nil else {
      throw Misread(offset: text.end, reason: .incomplete)
    }
    if let day = sentence.day, case .full(let year, let month, let number) = form.date {
      let weekday = CivilDateTime(year: year, month: month, day: number).weekday
      guard weekday == day.value.weekday else {
        let rest = text.replacing(day.range, by: "").trimmed
        throw Misread(.wrongWeekday(weekday), at: day.range.lowerBound, readings: [rest])
      }
    }
    form.afternoon = afternoon()
    if let said = sentence.time, said.value.clock == .hourMark, said.value.time.hour == 12,
      sentence.meridiem == nil, sentence.partOfDay == nil
    {
      form.midnight = text.replacing(said.range, by: "자정")
    }
    if let said = sentence.time, said.value.isMidnight, !isMidnightOfTonight,
      form.date != nil || form.day != nil, form.added == nil
    {
      form.dayAfter = text.rest + " + 1 day"
    }
    if let date = sentence.date?.range,
      let next = tokens.firstIndex(where: { $0.start == date.lowerBound && $0.meanings.contains(.next) }),
      let holiday = tokens[(next + 1)...].first, holiday.end == date.upperBound
    {
      let name = text.text(holiday.range)
      form.yearAfter = text.replacing(date, by: name.isASCII ? name + " next year" : "내년 " + name)
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
    let misread = Misread(.unexpected, at: offset.range.lowerBound)
    let shift = offset.value.shift
    guard shift.elapsed == .zero, form.date == nil, shift.months > 0 || shift.days > 0 else { throw misread }
    try checkCalendar(shift, misread)
    guard let day = form.day else {
      form.date = .shifted(shift)
      return
    }
    guard case .coming = day.week, day.weeksLater == 0 else { throw misread }
    // `in 3 days on friday`: if that is a Friday.
    guard offset.value.days == 0 else {
      form.date = .shifted(shift)
      return
    }
    try refuseWeekdayAndSpan(offset)
    form.day?.week = .from(shift)
  }

  /// `monday in 2 weeks`, `2주 뒤 월요일`: in that week, or so long after the coming one?
  private func refuseWeekdayAndSpan(_ offset: Sentence.Part<SaidSpan>) throws(Misread) {
    guard let day = sentence.day, offset.value.weeks + offset.value.months > 0 else { return }
    let isFirst = offset.range.lowerBound < day.range.lowerBound
    guard !isFirst || !text.text(day.range).lowercased().hasPrefix("on ") else { return }
    let both =
      min(offset.range.lowerBound, day.range.lowerBound)..<max(offset.range.upperBound, day.range.upperBound)
    let name = day.value.weekday.name.lowercased()
    let count = { (count: Int, unit: String) in count == 1 ? "1 \(unit)" : "\(count) \(unit)s" }
    let weeks = offset.value.weeks
    let readings =
      offset.value.months > 0
      ? [name + " + " + count(offset.value.months, "month")]
      : [
        name + " next week" + (weeks > 1 ? " + " + count(weeks - 1, "week") : ""),
        name + " + " + count(weeks, "week"),
      ]
    throw text.misread(.ambiguousWeek, both, instead: readings, at: offset.range.lowerBound)
  }
}

extension TimeOfDay {
  /// `07:30`, `07:30:15`, `07:30:15.500000`.
  public var text: String {
    var text = Digits.padded(hour, to: 2) + ":" + Digits.padded(minute, to: 2)
    if second != 0 || microsecond != 0 { text += ":" + Digits.padded(second, to: 2) }
    if microsecond != 0 { text += "." + Digits.padded(microsecond, to: 6) }
    return text
  }
}

extension String {
  var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// Trims blanks and commas, collapses blanks, and removes them before commas.
  var trimmed: String {
    let words = split(separator: " ").joined(separator: " ").replacing(" ,", with: ",")
    let marks: Set<Character> = [" ", ","]
    return String(words.drop { marks.contains($0) }.reversed().drop { marks.contains($0) }.reversed())
  }
}
