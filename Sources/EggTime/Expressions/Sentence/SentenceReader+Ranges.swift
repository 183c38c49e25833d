/// Ranges of time (`9-10am`, `2시~4시`), lists of times (`8am and 8pm`), and how often (`twice a day`).
extension SentenceReader {
  /// Refuses two times of day with a range between them, and offers the first.
  mutating func refuseRange() throws(Misread) {
    guard sentence.time == nil else { return }
    var rest = self
    _ = rest.takes(.from) || rest.takes(.at)
    let first = rest.index
    guard let start = rest.clockText() else { return }
    let between = rest.index
    guard rest.takes(.hyphen) || rest.takes(.to) || rest.takes(.until) else { return }
    let isDash = if case .hyphen = tokens[between].kind { true } else { false }
    _ = rest.takes(.at)
    guard let end = rest.clockText() else { return }
    _ = rest.takes(.until)
    let isCertain = start.isCertain || end.isCertain || !isDash || hasDay
    // `20 to 5 pm` is a time; `10 to 5 pm` may be one.
    guard isCertain, isDash || start.isCertain || start.time.hour <= 12 && start.time.minute == 0 else {
      return
    }
    let typed = self.start(of: index)..<tokens[rest.index - 1].end
    let choices =
      start.isSettled
      ? [text.text(self.start(of: first)..<tokens[between - 1].end)]
      : start.hours(before: end).map { TimeOfDay(hour: $0, minute: start.time.minute).text }
    throw Misread(
      offset: tokens[between].start, reason: .range, isDecisive: true,
      readings: choices.map { text.replacing(typed, by: $0) })
  }

  /// A time of day at either end of a range.
  private struct ClockText {
    var time: TimeOfDay
    var isAfternoon: Bool?
    /// Certainly a time of day, not only a number.
    var isCertain: Bool
    /// Needs no am or pm.
    var isSettled: Bool

    /// The hours it may name; only the last before an end that is settled.
    func hours(before end: ClockText) -> [Int] {
      guard time.hour <= 12, time.hour > 0 else { return [time.hour] }
      let hours = [time.hour % 12, time.hour % 12 + 12]
      guard end.isSettled else { return hours }
      var last = end.time.hour * 60 + end.time.minute
      if let isAfternoon = end.isAfternoon {
        last = (end.time.hour % 12 + (isAfternoon ? 12 : 0)) * 60 + end.time.minute
      }
      if last == 0 { last = 1_440 }
      return hours.last { $0 * 60 + time.minute < last }.map { [$0] } ?? hours
    }
  }

  /// `9`, `9am`, `9:30`, `오후 2시 반`, `noon`; nil for anything else.
  private mutating func clockText() -> ClockText? {
    let before = take(Meaning.meridiem)
    let part = before == nil ? take(Meaning.partOfDay) : nil
    if let time = take(Meaning.time) {
      return ClockText(time: time, isAfternoon: nil, isCertain: true, isSettled: true)
    }
    var time = TimeOfDay(hour: 0, minute: 0)
    var isCertain = before != nil || part != nil
    if case .clock(let clock, _) = token?.kind {
      index += 1
      (time, isCertain) = (clock, true)
    } else if let number = takeNumber(), number.fraction == nil || number.asClock != nil {
      if let clock = number.asClock {
        time = clock
      } else if let hour = number.count, hour <= 24 {
        time.hour = hour
      } else {
        return nil
      }
      if takes(.hourMark) {
        isCertain = true
        if takes(.half) { time.minute = 30 } else { takeMinutes(&time) }
      }
    } else {
      return nil
    }
    if takes(.oclock) { isCertain = true }
    let isAfternoon = take(Meaning.meridiem) ?? before
    // `2 to 3 hours`, `9-10 march`
    let isClock = if case .clock = tokens[index - 1].kind { true } else { false }
    guard isCertain || isAfternoon != nil || isAlone(ahead: 0, hyphen: true) else { return nil }
    return ClockText(
      time: time, isAfternoon: isAfternoon, isCertain: isCertain || isAfternoon != nil,
      isSettled: isClock || isAfternoon != nil || part != nil || time.hour > 12 || time.hour == 0)
  }

  private mutating func takeMinutes(_ time: inout TimeOfDay) {
    let bookmark = index
    guard let minutes = takeNumber()?.count, minutes <= 59, takes(.unit(.minute)) else {
      index = bookmark
      return
    }
    time.minute = minutes
  }

  /// `and 8pm`, `, 오후 9시`, behind a time of day.
  mutating func anotherTime() throws(Misread) -> Bool {
    guard sentence.time != nil, let token else { return false }
    // `8:00,9:00` is an event of systemd.
    if token.isGlued, case .clock = token.kind { return false }
    var rest = self
    rest.sentence = Sentence()
    rest.sentence.every = sentence.every
    if let isAfternoon = rest.take(Meaning.meridiem) {
      rest.sentence.meridiem = Sentence.Part(value: isAfternoon, range: rest.range(from: index))
    } else if let part = rest.take(Meaning.partOfDay) {
      rest.sentence.partOfDay = Sentence.Part(value: part, range: rest.range(from: index))
    }
    guard try rest.timePart(), let time = try rest.timeOfDay() else { return false }
    sentence.moreTimes.append(Sentence.Part(value: time, range: rest.range(from: index)))
    index = rest.index
    return true
  }

  /// `twice a day`, `하루 두 번`, `10 minutes a day`
  func refuseHowOften() throws(Misread) {
    guard let word = tokens.first(where: { $0.meanings.contains(.times) }) else { return }
    throw Misread(
      offset: word.start, reason: .hourIsMissing, isDecisive: true,
      readings: ["every day at 9:00 and 21:00"])
  }
}
