/// Spans: `an hour and a half`, `1h30`, `한시간 반`.
extension SentenceReader {
  /// Terms in any order; nil, without moving, when no span is next.
  mutating func span() throws(Misread) -> SaidSpan? {
    var read = SaidSpan()
    let first = index
    var last: PersonUnit?
    while true {
      let start = index
      let isListed = last != nil && takes(.comma)
      let isJoined = last != nil && takes(.and) || isListed
      // `10 minutes a day`
      if last != nil, !isJoined, means(.one), peek(ahead: means(.unit(.day)) ? 0 : 1, \.unit) != nil {
        throw Misread(.hourIsMissing, at: self.start(of: index), readings: ["every day at 9:00"])
      }
      if let unit = try term(&read) {
        last = unit
        continue
      }
      index = start
      guard let unit = last else { return back(to: first) }
      try trailingNumber(behind: unit, from: first, &read)
      // A month is none of a date: `1년 3개월`.
      if read.months % 12 != 0 { read.mayBeDate = false }
      return read
    }
  }

  /// `1h30`: the number after the last unit.
  private mutating func trailingNumber(
    behind unit: PersonUnit, from first: Int, _ span: inout SaidSpan
  ) throws(Misread) {
    if case .number(let hours) = tokens[first].kind, unit == .hour, index == first + 2, let hour = hours.count
    {
      let isGlued = tokens[first + 1].isGlued && hours.digits <= 2 && hour <= 23
      if index == tokens.count {
        // `1530 hours`, `15h`
        span.clock =
          hours.digits == 4 ? hours.asClock : isGlued && hour >= 13 ? TimeOfDay(minutes: hour * 60) : nil
      } else if isGlued, case .number(let minutes) = token?.kind, token?.isGlued == true, minutes.digits == 2,
        let minute = minutes.count, minute <= 59, hour >= 3
      {
        span.clock = TimeOfDay(hour: hour, minute: minute)
      }
    }
    if unit == .hour, let minutes = takeMinutesAtEnd() {
      return try add(minutes, .minute, at: index - 1, &span)
    }
    guard let token, case .number(let number) = token.kind else { return }
    // A number that something continues is not bare: `in 2 weeks 9am`.
    let next = self.token(ahead: 1)
    let isAlone =
      switch next?.kind {
      case nil, .mark(.comma), .unknown, .mark(.plus): true
      case .word: means(.later, ahead: 1) || means(.ago, ahead: 1) || means(.from, ahead: 1)
      default: false
      }
    guard isAlone else { return }
    guard let smaller = [.hour: PersonUnit.minute, .minute: .second][unit], let count = number.count,
      count <= 59
    else {
      if next == nil { throw Misread(.bareNumber, at: token.start) }
      return
    }
    try add(number, smaller, at: index, &span)
    index += 1
  }

  /// `thirty` of `1 hour thirty`, `and 10` of `2 hours and 10`; nothing of `1h thirty`.
  private mutating func takeMinutesAtEnd() -> TypedNumber? {
    let bookmark = index
    let isSpelledOut = tokens[index - 1].end > tokens[index - 1].start + 2
    if isSpelledOut, takes(.and) || peek(\.number) != nil, let number = takeNumber(),
      index == tokens.count, (10...59).contains(number.count ?? 0)
    {
      return number
    }
    return back(to: bookmark)
  }

  /// A number and a unit; otherwise nil, without moving.
  private mutating func term(_ read: inout SaidSpan) throws(Misread) -> PersonUnit? {
    let first = index
    // `하루`, `이틀`: a unit and its count in one word.
    if let count = means(.one) ? 1 : peek(\.number), let unit = peek(\.unit),
      !means(.dateMark(.day))
    {
      index += 1
      try add(TypedNumber(whole: Int64(count), digits: 1, fraction: nil), unit, at: first, &read)
      return unit
    }
    if let unit = try clockAsLength(&read) { return unit }
    // `another 5 minutes`
    if means(.more), peek(ahead: 1, \.unit) == nil { index += 1 }
    try refuseFew()
    guard let amount = amount() else { return back(to: first) }
    _ = takes(.more)
    try takeHyphenOfUnit()
    let unitToken = index
    guard let unit = take(\.unit) else {
      if let token, token.isGlued, token.end == token.start + 1 {
        try refuseCapital(text.text(token.range), from: first)
      }
      return back(to: first)
    }
    // `tuesday the 2nd`, `a second`: an ordinal is no count.
    if tokens[unitToken].meanings.contains(where: { if case .dateMark = $0 { true } else { false } }) {
      read.mayBeDate = true
    }
    try add(amount, unit, at: first, &read)
    // `an hour and a half`, `한시간 반`
    let bookmark = index
    let hasAnd = takes(.and)
    if hasAnd { _ = takes(.one) }
    // `2 hours half marathon`
    let isKorean = !text.text(tokens[unitToken].range).isASCII
    let isQuarter = hasAnd && takes(.quarter)
    if isQuarter || takes(.half), hasAnd || isKorean {
      try add(
        TypedNumber(whole: 0, digits: 1, fraction: isQuarter ? [2, 5] : [5]), unit, at: first, &read)
      read.mayBeDate = false
    } else {
      index = bookmark
    }
    return unit
  }

  /// `6:30 minutes`, and `1:30 hours` where it can be no time of day; otherwise nil, without moving.
  private mutating func clockAsLength(_ read: inout SaidSpan) throws(Misread) -> PersonUnit? {
    guard case .clock(let time, _) = token?.kind, (time.second, time.microsecond) == (0, 0),
      let unit = peek(ahead: 1, \.unit), let word = token(ahead: 1), text.text(word.range).isASCII
    else { return nil }
    let before: [Meaning] = index > 0 ? tokens[index - 1].meanings : []
    let isLength =
      before.contains { [.in, .every, .for].contains($0) }
      || [.later, .ago, .timer].contains { means($0, ahead: 2) } || means(.from, ahead: 2)
    let units: [PersonUnit]
    switch unit {
    case .minute: units = [.minute, .second]
    case .hour where isLength: units = [.hour, .minute]
    default: return nil
    }
    for (count, unit) in zip([time.hour, time.minute], units) {
      try add(TypedNumber(whole: Int64(count), digits: 2, fraction: nil), unit, at: index, &read)
    }
    index += 2
    return units[1]
  }

  private func add(
    _ amount: TypedNumber, _ unit: PersonUnit, at first: Int, _ span: inout SaidSpan
  ) throws(Misread) {
    let start = start(of: first)
    let tooLarge = Misread(.outOfBounds, at: start)
    // Beyond any calendar; keeps the sums small.
    guard amount.whole <= 1_000_000_000_000 || unit.rawValue < PersonUnit.day.rawValue else { throw tooLarge }
    switch (unit, amount.fraction) {
    case (.month, nil): span.months += Int(amount.whole)
    case (.year, nil): span.months += 12 * Int(amount.whole)
    case (.year, [5]): span.months += 12 * Int(amount.whole) + 6
    case (.month, _), (.year, _): throw Misread(.calendarDuration, at: start)
    case (.day, nil): span.days += Int(amount.whole)
    case (.week, nil): span.weeks += Int(amount.whole)
    case (.fortnight, nil): span.weeks += 2 * Int(amount.whole)
    default:
      guard let length = unit.length, let more = amount.times(length) else { throw tooLarge }
      let (sum, overflow) = span.elapsed.microseconds.addingReportingOverflow(more)
      guard !overflow else { throw tooLarge }
      span.elapsed = TimeSpan(microseconds: sum)
    }
  }

  /// `a few minutes`
  private func refuseFew() throws(Misread) {
    var rest = self
    _ = rest.takes(.one)
    let counts = rest.take { if case .few(let less, let more) = $0 { [less, more] } else { nil } }
    guard let counts, rest.peek(\.unit) != nil else { return }
    throw text.misread(.countIsMissing, rest.range(from: index), instead: counts.map(\.description))
  }

  /// That of `10-minute timer`. Refuses `5-minute tea`, which may be a label.
  private mutating func takeHyphenOfUnit() throws(Misread) {
    guard let hyphen = token, hyphen.isGlued, takes(.hyphen) else { return }
    if means(.timer, ahead: 1) { return }
    if token?.isGlued == true, peek(\.unit) != nil, peek(\.shortWeekday) == nil {
      throw text.misread(.unexpected, hyphen.range, instead: [" "])
    }
    index -= 1
  }

  /// `5M` may be minutes or months.
  private func refuseCapital(_ letter: String, from first: Int) throws(Misread) {
    let small = letter.lowercased()
    guard small != letter, Lexicon.meanings(of: small).contains(where: { $0.unit != nil }),
      let token
    else { return }
    throw text.misread(.unknownUnit, token.range, instead: small == "m" ? ["m", " months"] : [small])
  }
}
