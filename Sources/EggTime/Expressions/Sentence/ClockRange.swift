/// Two times of day with a range between them: `9-10am`, `오후 2시~4시`, `from 9 to 17`.
struct ClockRange {
  let start: ClockText
  let end: ClockText
  /// The bytes of both, and of the words around them: `from 9 to 17`.
  let range: Range<Int>
  /// The refusal of a moment, with the start offered.
  let misread: Misread

  /// In minutes of the day, the shortest that may be meant; nil where neither end is clear, or none follows the other.
  var window: ClosedRange<Int>? {
    start.isSettled || end.isSettled ? windows.min { $0.count < $1.count } : nil
  }

  /// All that may be meant, from each start the shortest.
  var windows: [ClosedRange<Int>] { windows(to: end.minutes) }

  /// `9 to 5:30`: those to twelve hours after the end, which does not follow the start.
  var laterWindows: [ClosedRange<Int>] { windows(to: end.bothHours.map { $0 * 60 + end.time.minute }) }

  private func windows(to ends: [Int]) -> [ClosedRange<Int>] {
    start.minutes.compactMap { from in ends.first { from < $0 }.map { from...$0 } }
  }
}

/// A time of day at either end of a range.
struct ClockText {
  var time: TimeOfDay
  var isAfternoon: Bool?
  /// Certainly a time of day, not only a number.
  var isCertain: Bool
  /// Needs no am or pm.
  var isSettled: Bool

  /// Of a 24-hour clock, once it is settled.
  var hour: Int { isAfternoon.map { time.hour % 12 + ($0 ? 12 : 0) } ?? time.hour }

  /// Of the day, that it may name.
  var minutes: [Int] { (isSettled ? [hour] : bothHours).map { $0 * 60 + time.minute } }

  /// On either half of a twelve-hour clock, in order.
  var bothHours: [Int] {
    (1...12).contains(time.hour) ? [time.hour % 12, time.hour % 12 + 12] : [time.hour]
  }

  /// The hours it may name; only the last before an end that is settled.
  func hours(before end: ClockText) -> [Int] {
    let hours = bothHours
    guard end.isSettled, hours.count > 1 else { return hours }
    let last = end.hour * 60 + end.time.minute
    return hours.last { $0 * 60 + time.minute < (last == 0 ? 1_440 : last) }.map { [$0] } ?? hours
  }
}

extension SentenceReader {
  /// The range at the next token; nil, without moving, for anything else. Behind a day two bare numbers are times.
  mutating func clockRange(behindDay: Bool) -> ClockRange? {
    let from = index
    let isBetween = takes(.between)
    _ = takes(.from) || takes(.at)
    let first = index
    guard let start = clockText() else { return back(to: from) }
    let between = index
    guard isBetween && takes(.and) || takes(.hyphen) || takes(.to) || takes(.until) else {
      return back(to: from)
    }
    let isDash = tokens[between].isMark(.hyphen)
    _ = takes(.at)
    guard let end = clockText() else { return back(to: from) }
    _ = takes(.until)
    let isCertain = start.isCertain || end.isCertain || !isDash || behindDay
    // `20 to 5 pm` is a time; `10 to 5 pm` may be one.
    guard isCertain, isDash || start.isCertain || start.time.hour <= 12 && start.time.minute == 0 else {
      return back(to: from)
    }
    let typed = self.start(of: from)..<tokens[index - 1].end
    let choices =
      start.isSettled
      ? [text.text(self.start(of: first)..<tokens[between - 1].end)]
      : start.hours(before: end).map { TimeOfDay(hour: $0, minute: start.time.minute).text }
    // `ten to 6pm`, `five to midnight`
    let isPast =
      text.text(tokens[between].range).lowercased() == "to" && first == from
      && !start.isCertain && start.time.hour % 5 == 0
    let before = (isPast ? end.minutes : []).map {
      TimeOfDay(minutes: ($0 - start.time.hour + 1_440) % 1_440).text
    }
    let misread = text.misread(.range, typed, instead: choices + before, at: tokens[between].start)
    return ClockRange(start: start, end: end, range: typed, misread: misread)
  }

  /// `9`, `9am`, `9:30`, `오후 2시 반`, `noon`; nil for anything else.
  private mutating func clockText() -> ClockText? {
    let before = take(\.meridiem)
    var part = before == nil ? take(\.partOfDay) : nil
    if let time = take(\.time) {
      return ClockText(time: time, isAfternoon: nil, isCertain: true, isSettled: true)
    }
    var time = TimeOfDay(hour: 0, minute: 0)
    var isCertain = false
    if case .clock(let clock, _) = token?.kind {
      index += 1
      time = clock
      isCertain = true
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
        time.minute = takes(.half) ? 30 : takeMinute() ?? time.minute
      }
    } else {
      return nil
    }
    if takes(.oclock) { isCertain = true }
    let isAfternoon = take(\.meridiem) ?? before
    // `4 in the afternoon`, `6 tonight`
    if part == nil, isAfternoon == nil, let ahead = partOfDayAhead,
      let behind = peek(ahead: ahead, \.partOfDay) ?? peek(ahead: ahead, \.partOfToday)
    {
      part = behind
      index += ahead + 1
    }
    time.hour = part?.hour(time.hour) ?? time.hour
    isCertain = isCertain || isAfternoon != nil || part != nil
    // `2 to 3 hours`, `9-10 march`
    let isClock = if case .clock = tokens[index - 1].kind { true } else { false }
    guard isCertain || isAlone(ahead: 0, hyphen: true) else { return nil }
    return ClockText(
      time: time, isAfternoon: isAfternoon, isCertain: isCertain,
      isSettled: isClock || isAfternoon != nil || part != nil || time.hour > 12 || time.hour == 0)
  }

  /// `30분` behind an hour.
  mutating func takeMinute() -> Int? {
    let bookmark = index
    if let minute = takeNumber()?.count, minute <= 59, takes(.unit(.minute)) { return minute }
    return back(to: bookmark)
  }

  /// False before a word that belongs to the number: `20 jan`, `8 hours`.
  func isAlone(ahead: Int, hyphen: Bool = false) -> Bool {
    guard let token = token(ahead: ahead) else { return true }
    switch token.kind {
    case .mark(.hyphen): return hyphen
    case .unknown: return !token.isGlued
    case .word(let meanings):
      return !meanings.contains {
        switch $0 {
        // `13th`
        case .shortWeekday: token.isGlued
        case .unit, .month, .of, .dateMark, .ordinal: true
        default: false
        }
      }
    default: return true
    }
  }
}
