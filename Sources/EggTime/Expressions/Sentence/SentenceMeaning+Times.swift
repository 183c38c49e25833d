/// The time of day of a sentence.
extension SentenceMeaning {
  /// What to type for twelve hours later, when the time may be one of a twelve-hour clock.
  func afternoon() -> Afternoon? {
    guard let said = sentence.time, sentence.partOfDay == nil else { return nil }
    if let meridiem = sentence.meridiem {
      guard !meridiem.value, said.value.time.hour == 12 else { return nil }
      // `오전 12시` is midnight, and noon to some.
      let noon = replacing(said.range, by: said.value.time.text, and: meridiem.range)
      return Afternoon(text: noon, isAlways: true)
    }
    guard (1...11).contains(said.value.time.hour) else { return nil }
    switch said.value.clock {
    case .settled, .bare: return nil
    case .twelve where text.isForced: return nil
    case .twelve:
      var later = said.value.time
      later.hour += 12
      // `dec 15 2:30` is in the night.
      let isAlways = said.value.time.hour < 6 && sentence.hasDay
      return Afternoon(text: text.replacing(said.range, by: later.text), isAlways: isAlways)
    case .hourMark:
      let typed = text.text(said.range)
      let choices = ["오전 ", "오후 "].map { text.replacing(said.range, by: $0 + typed) }
      return Afternoon(text: choices[1], morning: [choices[0]], isAlways: true)
    }
  }

  /// The time of day, settled by its part of the day.
  func timeOfDay() throws(Misread) -> TimeOfDay? {
    guard let said = sentence.time else {
      if let time = usualTime { return time }
      if let part = sentence.partOfDay { throw noHour(part) }
      if let meridiem = sentence.meridiem {
        throw Misread(.incomplete, at: meridiem.range.upperBound)
      }
      return nil
    }
    var time = said.value.time
    if let meridiem = sentence.meridiem {
      guard sentence.partOfDay == nil else { throw Misread(.unexpected, at: meridiem.range.lowerBound) }
      // 오후 15시 is the afternoon anyway.
      if time.hour > 12 || time.hour == 0 {
        guard meridiem.value == (time.hour > 12) else {
          throw Misread(.noSuchTime, at: said.range.lowerBound)
        }
        return time
      }
      time.hour = time.hour % 12 + (meridiem.value ? 12 : 0)
      return time
    }
    guard let part = sentence.partOfDay else {
      // `3시` may be the afternoon's; `9시` is the morning's.
      if said.value.clock == .hourMark, time.hour <= 6 {
        let typed = text.text(said.range)
        throw text.misread(
          .ambiguousHour, said.range, instead: ["오전", "오후"].map { $0 + " " + typed })
      }
      guard said.value.clock == .bare else { return time }
      // `tomorrow at 19` is of a 24-hour clock.
      if said.value.isBehindAt, time.hour > 12 { return time }
      throw ambiguous(
        said, time.hour > 12 || time.hour == 0 ? [time.hour] : [time.hour % 12, time.hour % 12 + 12])
    }
    if part.value == .night, time.hour <= 5 || time.hour == 12 && said.value.clock != .settled {
      // A night belongs to the day on which it begins: without that day, and at midnight today, no doubt is left.
      let isAnyNight =
        sentence.date == nil && sentence.day == nil && sentence.offset == nil
        && sentence.every?.value.weekdays ?? 0 == 0
        && time.hour != 5
      guard isAnyNight || isMidnightOfTonight else { throw afterMidnight(said, part) }
      time.hour %= 12
      return time
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

  /// `tonight at 12`
  var isMidnightOfTonight: Bool {
    guard case .relative(days: 0) = sentence.date?.value, sentence.partOfDay?.value == .night,
      let said = sentence.time?.value
    else { return false }
    return said.time.hour == 0 || said.time.hour == 12 && said.clock != .settled
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
      hours.count > 1 ? .ambiguousHour : .bareNumber, at: said.range.lowerBound, readings: readings)
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
    return Misread(.ambiguousNight, at: said.range.lowerBound, readings: readings)
  }

  /// Of `every morning`. Midday may be noon or one.
  var usualTime: TimeOfDay? {
    guard sentence.every != nil, sentence.time == nil, let part = sentence.partOfDay?.value, part != .midday
    else { return nil }
    return part.usualTime
  }

  /// `tomorrow morning`, `tonight`
  private func noHour(_ part: Sentence.Part<PartOfDay>) -> Misread {
    let isToday = sentence.date.map { $0.range == part.range } ?? false
    let time = part.value == .night && isToday ? "20:00" : part.value.usualTime.text
    let reading = text.replacing(part.range, by: (isToday ? "today " : "") + time)
    return Misread(.hourIsMissing, at: part.range.lowerBound, readings: [reading.trimmed])
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
