/// Recurring times: `every 20m`, `every other tuesday`, `last friday of every month`, `매주 화요일`.
extension SentenceReader {
  mutating func everyPart() throws(Misread) -> Bool {
    let bookmark = index
    let isOnce = takes(.once)
    let first = index
    // `once a day`
    if isOnce, takes(.one), let unit = take(\.unit) {
      return try sentence.every.say(SaidEvery(unit: unit), range(from: first))
    }
    index = first
    if var said = try everyBehind() ?? everyUnit() {
      if said.unit == .hour, said.isNamed { said.minute = takeMinute() }
      return try sentence.every.say(checked(said, from: first), range(from: first))
    }
    let minute = minutePast()
    if minute != nil || takes(.onTheHour) {
      // `half past every hour`
      let isInFront = minute != nil && sentence.every == nil && takes(.every) && takes(.unit(.hour))
      let every = isInFront ? SaidEvery(unit: .hour) : sentence.every?.value
      if var said = every, said.unit == .hour, said.count == 1, minute == nil || said.minute == nil {
        said.isNamed = true
        said.minute = minute ?? said.minute
        sentence.every = Sentence.Part(value: said, range: sentence.every?.range ?? range(from: first))
        return true
      }
      index = first
    }
    // `매시간`
    let unit = peek(\.unit)
    guard takes(.every) else { return back(to: bookmark) }
    // `5pm every`
    if index == tokens.count, first > 0, unit == nil { throw Misread(offset: text.end, reason: .incomplete) }
    if let unit { return try sentence.every.say(SaidEvery(unit: unit), range(from: first)) }
    if try everyNthDay(from: first) { return true }
    var said = SaidEvery(typedCount: takes(.other) ? 2 : takeOrdinalOfUnits())
    if said.typedCount == nil, let length = try elapsedSpan() {
      // `매 30분마다`
      _ = takes(.eachBehind)
      return try sentence.every.say(SaidEvery(length: length), range(from: first))
    }
    said.typedCount = said.typedCount ?? wholeNumber()
    if said.typedCount == nil, takes(.workday) {
      said.weekdays = 0x1F
    } else if let days = try dayList() {
      said.weekdays = days.bits
      if said.typedCount != nil { said.unit = .week }
    } else if let unit = take(\.unit) {
      said.unit = unit
      // `every hour and a half`, `every hour and a quarter`
      let bookmark = index
      if said.typedCount == nil, let length = unit.length, length <= SpanUnit.hour, takes(.and), takes(.one),
        let parts: Int64 = takes(.half) ? 2 : takes(.quarter) ? 4 : nil
      {
        said.unit = nil
        said.length = TimeSpan(microseconds: length / parts * (parts + 1))
      } else {
        index = bookmark
        _ = takes(.eachBehind)
      }
    } else if let count = said.typedCount {
      // `every 90`; `every 15 march` is a date.
      if index == tokens.count { throw countAlone(count) }
      index = first + 1
      said.typedCount = nil
    }
    return try sentence.every.say(checked(said, from: first), range(from: first))
  }

  /// Throws unless the calendar can count that far.
  private func checked(_ said: SaidEvery, from first: Int) throws(Misread) -> SaidEvery {
    guard (1...1_000_000_000).contains(said.count) else {
      throw Misread(said.count < 1 ? .badRepetition : .outOfBounds, at: start(of: first))
    }
    guard said.unit == .fortnight else { return said }
    var weeks = said
    weeks.unit = .week
    weeks.typedCount = 2 * said.count
    return weeks
  }

  /// `every first monday`, `every last workday`, `every second friday of the month`. Refuses `every second monday`, which
  /// may be every other one.
  private mutating func everyNthDay(from first: Int) throws(Misread) -> Bool {
    let bookmark = index
    let offset = start(of: index)
    let counts = ordinals()
    guard let count = counts.first?.value, let date = takeDayOfMonth(count), date.isPossible,
      counts.allSatisfy({ $0.value <= 5 }) || counts.count == 1
    else { return back(to: bookmark) }
    let hasMonth = takes(.of)
    if hasMonth { guard case .coming? = try monthBehindOf() else { throw stop } }
    if count == 2, counts.count == 1, !hasMonth {
      let day = " " + text.text(tokens[index - 1].range)
      let others = if case .weekday = date { ["every other" + day] } else { [String]() }
      throw text.misread(
        .ambiguousWeek, range(from: first), instead: others + ["second" + day + " of every month"], at: offset
      )
    }
    try take(counts, of: date)
    try sentence.date.say(.inMonth(.coming, date, offset: offset), range(from: first))
    return try sentence.every.say(SaidEvery(unit: .month), range(from: first))
  }

  /// `20m`, `1h30`, `half an hour`: a span of units below a day.
  private mutating func elapsedSpan() throws(Misread) -> TimeSpan? {
    let first = index
    guard let read = try span(), read.months == 0, read.days == 0, read.weeks == 0, !read.mayBeDate
    else { return back(to: first) }
    return read.elapsed
  }

  /// `third` of `every third day`, but not of `every third day of the month`.
  private mutating func takeOrdinalOfUnits() -> Int? {
    let bookmark = index
    if let count = takeOrdinal(), count > 1, peek(\.unit) != nil, !means(.of, ahead: 1) { return count }
    return back(to: bookmark)
  }

  /// A number followed by a unit or nothing.
  private mutating func wholeNumber() -> Int? {
    let bookmark = index
    guard let number = takeNumber()?.count, token == nil || peek(\.unit) != nil else {
      return back(to: bookmark)
    }
    return number
  }

  /// `daily`, `격주`.
  private mutating func everyUnit() -> SaidEvery? {
    if let unit = take(\.everyUnit) {
      _ = takes(.eachBehind)
      return SaidEvery(unit: unit, isNamed: true)
    }
    return take(\.everyOtherUnit).map { SaidEvery(typedCount: 2, unit: $0) }
  }

  /// `3일마다`
  private mutating func everyBehind() throws(Misread) -> SaidEvery? {
    let first = index
    // `1시간 반마다`, `이틀마다`
    if let span = try span(), takesEach() {
      switch (span.months, span.weeks, span.days, span.elapsed) {
      case (0, 0, 0, let length): return SaidEvery(length: length)
      case (0, 0, let days, .zero): return SaidEvery(typedCount: days, unit: .day)
      case (0, let weeks, 0, .zero): return SaidEvery(typedCount: weeks, unit: .week)
      case (let months, 0, 0, .zero):
        let isYears = months % 12 == 0
        return SaidEvery(typedCount: isYears ? months / 12 : months, unit: isYears ? .year : .month)
      default: break
      }
    }
    index = first
    // `달마다`
    if let unit = take(\.unit), takesEach() { return SaidEvery(unit: unit) }
    return back(to: first)
  }

  /// `마다`, `에 한 번`
  private mutating func takesEach() -> Bool {
    if takes(.eachBehind) { return true }
    let bookmark = index
    _ = takes(.nothing)
    if takeNumber()?.count == 1, takes(.times) { return true }
    return back(to: bookmark)
  }

  private func countAlone(_ count: Int) -> Misread {
    let last = range(from: index - 1)
    let time: TimeOfDay? =
      if case .number(let number) = tokens[index - 1].kind { number.asClock } else { nil }
    return Misread(
      .bareNumber, at: last.lowerBound,
      readings: time.map { [text.replacing(last, by: $0.text)] }
        ?? ["m", "h"].map { text.text(0..<text.end) + $0 })
  }

  /// Whether the sentence names a recurring time.
  var recurs: Bool {
    sentence.every != nil
      || tokens.contains {
        $0.meanings.contains {
          switch $0 {
          case .every, .eachBehind, .everyUnit, .everyOtherUnit, .weekdays, .partsOfDay, .once, .times: true
          default: false
          }
        }
      }
  }

  /// When a recurring time begins and ends: `until friday`, `starting monday`, `from now on`, `for 2 weeks`, `4 times`,
  /// `between dec 10 and dec 20`, `금요일까지`, `월요일부터`, `2주 동안`.
  mutating func boundPart() throws(Misread) -> Bool {
    guard recurs else { return false }
    let first = index
    if let count = takeNumber()?.count, count > 0, takes(.times), countsRings {
      if token?.isGlued == true { _ = takes(.about) }
      return try sentence.count.say(count, range(from: first))
    }
    index = first
    let isLength = takes(.for)
    if isLength {
      _ = takes(.the)
      _ = takes(.next)
    } else {
      // `매달 15일 3주 동안`: the day is none of the length.
      let isBehindDay = markedNumber(.day) != nil && (try? span()) != nil && takes(.during)
      index = first
      if isBehindDay { return false }
    }
    if let read = try span(), isLength || takes(.during) {
      return try sentence.length.say(read, range(from: first))
    }
    index = first
    // `every day between dec 10 and dec 20`; between two weekdays may be each week.
    if takes(.between), let and = tokens[index...].firstIndex(where: { $0.meanings.contains(.and) }),
      let start = moment(index..<and, isStart: true), start.form.date != nil
    {
      for end in stride(from: tokens.count, to: and + 1, by: -1) {
        guard let form = moment(and + 1..<end)?.form, form.date != nil else { continue }
        index = end
        try sentence.from.say(start.form, range(from: first))
        return try sentence.until.say(form, range(from: first))
      }
    }
    index = first
    // `from now until friday`, `from now on`
    if takes(.from), takes(.now), takes(.on) || means(.until) || means(.ending) { return true }
    index = first
    // `every tuesday from jan 5 to mar 30`
    let isEnd = takes(.until) || takes(.ending) || sentence.from != nil && takes(.to)
    if isEnd || takes(.starting) || takes(.from) {
      _ = !isEnd && takes(.from) || takes(.on)
      // `until june`: to its first day, or through its last one?
      if isEnd, peek(\.month) != nil, index + 1 == tokens.count || followsTime(ahead: 1), let month = token {
        let name = text.text(month.range)
        throw text.misread(.ambiguousWeek, month.range, instead: ["\(name) 1", "end of \(name)"])
      }
      for end in stride(from: tokens.count, to: index, by: -1) {
        guard let form = moment(index..<end, isStart: !isEnd)?.form else { continue }
        index = end
        return try isEnd
          ? sentence.until.say(form, range(from: first)) : sentence.from.say(form, range(from: first))
      }
    }
    index = first
    return try boundInFront()
  }

  /// Whether a number of times counts all rings (`every 10 minutes 4 times`, `every day 9am 4 times`), and not those of each
  /// day (`every day 4 times`).
  private var countsRings: Bool {
    guard let every = sentence.every?.value else { return false }
    let isShort = every.typedCount != nil && every.unit?.length ?? .max < SpanUnit.day
    return sentence.time != nil || every.length != nil || isShort
  }

  /// `금요일까지`, `12월 1일부터`: the word stands behind the moment.
  private mutating func boundInFront() throws(Misread) -> Bool {
    let first = index
    guard
      let end = tokens[first...].firstIndex(where: {
        $0.meanings.contains(.until) || $0.meanings.contains(.starting)
      }), end > first, tokens[end].isGlued, case let isStart = tokens[end].meanings.contains(.starting),
      let (form, said) = moment(first..<end, isStart: isStart)
    else { return false }
    // `오전 9시 금요일까지` names the time of the recurring alarm, then its end.
    let days = [said.date?.range, said.day?.range].compactMap { $0?.lowerBound }
    if let time = said.time?.range.lowerBound, days.contains(where: { $0 > time }) { return false }
    // `월요일부터 금요일까지` names the days of each week.
    if isStart, end == first + 1, peek(\.weekday) != nil, peek(ahead: 2, \.weekday) != nil {
      return false
    }
    index = end + 1
    return try isStart
      ? sentence.from.say(form, range(from: first)) : sentence.until.say(form, range(from: first))
  }

  /// `except friday`, `only on friday`, `금요일 제외`
  mutating func exceptPart() throws(Misread) -> Bool {
    guard recurs else { return false }
    let first = index
    let isOnly = takes(.onlyOn)
    let isBefore = isOnly || takes(.except)
    if isBefore { _ = takes(.on) || takes(.for) }
    guard let days = try dayList() else { return back(to: first) }
    if !isBefore {
      let isKorean = !text.text(range(from: first)).isASCII
      // `월요일만 빼고`, `월요일은 빼고`, but not `weekdays except friday`
      _ = takes(.about) || takes(.topic)
      guard isKorean, takes(.except) else { return back(to: first) }
    }
    return try sentence.except.say(isOnly ? 0x7F & ~days.bits : days.bits, range(from: first))
  }

  /// `twice a day`, `하루 두 번`, where it was not read; nil for `하루에 한 번`.
  var howOften: Misread? {
    guard let word = tokens[index...].firstIndex(where: { $0.meanings.contains(.times) }) else { return nil }
    var before = self
    before.index = max(word - 1, 0)
    let count = before.takeNumber()?.count ?? 2
    if count == 1 { return nil }
    let isDaily = tokens.allSatisfy { $0.meanings.allSatisfy { ($0.unit ?? $0.everyUnit ?? .day) == .day } }
    let times = [2: "9:00 and 21:00", 3: "8:00, 14:00 and 20:00"]
    return Misread(
      .hourIsMissing, at: tokens[word].start,
      readings: isDaily ? [times[count].map { "every day at \($0)" }].compactMap(\.self) : [])
  }
}
