/// Words in the order of a time and what stands behind it.
struct Arrangement {
  /// As typed, without what only asks for an alarm and without the label.
  private(set) var words: [String]
  /// Taken from before or within the time.
  private(set) var label: String?
  /// The most first words that read as one expression, and how many those are.
  private(set) var time: (expression: TimeExpression, count: Int)?
  /// Where a time begins behind words that may be its label, whether the time is read or refused with its readings. nil
  /// where they are the label, or are none.
  private(set) var doubtfulStart: Int?
  private let kind: ExpressionKind?
  private let context: ReadingContext

  init(_ typed: [String], as kind: ExpressionKind?, in context: ReadingContext) {
    words = typed
    self.kind = kind
    self.context = context
    time = whole(words[...])
    guard time == nil else { return }
    guard kind == nil else {
      time = longest
      return
    }
    if words.count == 1 { words = words[0].split(whereSeparator: \.isWhitespace).map(String.init) }
    words = words.flatMap(parted)
    let count = words.count
    words = Lexicon.withoutFrame(words)
    arrange(isFramed: words.count < count)
  }

  private mutating func arrange(isFramed: Bool) {
    if isFramed, let found = whole(words[...]) {
      time = found
      return
    }
    if let first = timeBehindColon { return takeLabel(before: first) }
    if let first = timeBehindLabel {
      if isCertain(labelBefore: first) { return takeLabel(before: first) }
      time = longest
      doubtfulStart = first
      return
    }
    time = longest
    if time == nil {
      if let first = timeBetweenLabels { return takeLabel(before: first) }
      // `call the second supplier 3pm`
      doubtfulStart =
        firstBehindLabel(where: isRefusedWithReadings)
        ?? words.indices.dropFirst().first {
          words[..<$0].contains(where: isLabel) && read(words[$0...])?.isDayAlone == false
        }
    }
    // `tomorrow 7am please, school run`
    if let count = time?.count, count + 1 < words.count, Lexicon.isPolite(words[count]) {
      words.remove(at: count)
      time = longest
    }
    guard let count = time?.count, count < words.count else { return }
    let isDash = TypedWords.isDash(words[count]) && count + 1 < words.count && isLabel(words[count + 1])
    if isDash || isFramed && (Lexicon.means(words[count], .to) || Lexicon.means(words[count], .for)) {
      // `5pm - meeting`, `remind me at 5pm to call mom`
      words.remove(at: count)
    } else if time?.expression.kind == .span, Lexicon.means(words[count], .before) {
      takeLabelBehindBefore(count)
    } else {
      takeLabelWithin()
    }
  }

  /// Takes off `flight` of `1 hr before flight at 7pm`. `place` is that of `before`.
  private mutating func takeLabelBehindBefore(_ place: Int) {
    for end in words.indices.dropFirst(place + 2) {
      let name = words[(place + 1)..<end]
      guard name.allSatisfy({ isLabel($0) || Lexicon.joins($0) }), name.contains(where: isLabel) else {
        return
      }
      let moment = words[(Lexicon.means(words[end], .at) ? end + 1 : end)...]
      guard let found = read(words[...place] + moment), found.kind == .timestamp else { continue }
      label = TypedWords.spaced(name)
      words = Array(words[...place] + moment)
      time = (found, words.count)
      return
    }
  }

  /// `밤9시혈압약` as `밤9시` and `혈압약`: Koreans leave out blanks.
  private func parted(_ word: String) -> [String] {
    guard !word.utf8.allSatisfy({ $0 < 0x80 }), !word.contains(where: \.isWhitespace),
      !Lexicon.mayBeTime(word),
      !isTime([word])
    else { return [word] }
    for place in word.indices.dropFirst().reversed() {
      let (time, name) = (String(word[..<place]), String(word[place...]))
      guard Lexicon.mayEnd(time, before: name), isTime([time]) else { continue }
      // `5분대기조`
      if read([time])?.kind == .span, !Lexicon.endsLater(time) { continue }
      return [time, name]
    }
    return [word]
  }

  /// A mark behind the time ends it: `9am, dentist`, `9am: dentist`, `dentist 9am!`.
  private func read(_ part: ArraySlice<String>) -> TimeExpression? {
    var text = TypedWords.spaced(part)
    while kind == nil, text.last == "!" || text.last == "?" { text.removeLast() }
    if part.endIndex < words.count, let last = text.last, ",:;".contains(last) { text.removeLast() }
    return TimeExpression.ifRead(text, in: context, as: kind)
  }

  private func whole(_ words: ArraySlice<String>) -> (TimeExpression, Int)? {
    read(words).map { ($0, words.count) }
  }

  private var longest: (TimeExpression, Int)? { longest(from: 0, through: 0) }

  private func longest(from first: Int, through last: Int) -> (TimeExpression, Int)? {
    words.indices[last...].lazy.reversed().compactMap { whole(words[first...$0]) }.first
  }

  /// The last word that can be none of a label.
  private var lastOfTime: Int? { words.indices.last { !isLabel(words[$0]) && !Lexicon.joins(words[$0]) } }

  /// What is quoted with a blank in it is a label unless it is a time.
  private func isLabel(_ word: String) -> Bool {
    if word.contains(where: \.isWhitespace) { return !isTime([word]) }
    return WordsBehind(in: context).isOfLabel(word)
  }

  private func isTime(_ part: ArraySlice<String>) -> Bool {
    TimeExpression.mayMean(TypedWords.spaced(part), in: context)
  }

  /// `2` in `take 2 pills at 9pm`, `two` in `dinner for two at 7pm`, `42` in `bus 42 at 18:05`, `5k` in `5k race sunday`:
  /// neither it nor what follows is a time.
  private func isNumberOfLabel(at place: Int) -> Bool {
    let isCount = words[place].utf8.allSatisfy(ASCII.isDigit) || Lexicon.isCount(words[place])
    guard let first = words[place].utf8.first, isCount || ASCII.isDigit(first) || first == UInt8(ascii: "#"),
      place == 0 || !Lexicon.joins(words[place - 1])
    else { return false }
    guard place > 0 || isCount || Lexicon.isNumberedName(words[0]) else { return false }
    let next = words[(place + 1)...].first
    // `9 to 1000 dec 24`, but `oven 200C 30 min`
    if let next, !Lexicon.isNumberedName(words[place]),
      Lexicon.goesOn(next) || Lexicon.means(next, .to) || Lexicon.isCount(next)
        || next.utf8.first.map(ASCII.isDigit) ?? false
    {
      return false
    }
    guard !isTime(words[place...]) else { return false }
    if place == 0 {
      return next.map { isLabel($0) && !Lexicon.joins($0) && !isTime([words[0], $0]) } ?? false
    }
    return !(isCount ? next.map { isTime([words[place], $0]) } ?? true : isTime([words[place]]))
  }

  /// Where the time begins in `friday report: thursday 4pm`.
  private var timeBehindColon: Int? {
    words.indices.dropFirst().first { place in
      words[place - 1].hasSuffix(":") && read(words[place...]) != nil
        && !isTime(words[..<(place - 1)] + [String(words[place - 1].dropLast())])
    }
  }

  /// Where the time begins in `call mom at 5pm`.
  private var timeBehindLabel: Int? { firstBehindLabel { read($0) != nil } }

  /// Where it begins in `call mom at 5pm about the trip`, `eggs 6 min soft boiled`: no word behind it says anything of
  /// time.
  private var timeBetweenLabels: Int? {
    guard let last = lastOfTime else { return nil }
    return firstBehindLabel { part in
      let first = part.startIndex
      guard first <= last, !isLabel(words[first]) || Lexicon.introduces(words[first]),
        let (found, count) = longest(from: first, through: last),
        count < part.count
      else { return false }
      let time = part.prefix(count)
      // `운동 1시간 하고 30분 휴식`, but `call mom in an hour and a half about the trip`
      let isSpan =
        found.kind == .span
        && (Lexicon.means(words[first], .in) || !time.contains { Lexicon.means($0, .and) })
      return (isSpan || found.hasTimeOfDay && isMarked(time, before: words[first + count]))
        && isLabel(part.dropFirst(count), behind: found)
    }.flatMap { isCertain(labelBefore: $0) ? $0 : nil }
  }

  /// `at 10am`, `오전 10시에`, `10am` before `with bob`; the time of `check 10am train` may name the train.
  private func isMarked(_ time: ArraySlice<String>, before next: String) -> Bool {
    time.contains { Lexicon.means($0, .at) } || time.last?.hasSuffix("에") ?? false
      || Lexicon.means(next, .with)
        && !words[...time.startIndex].suffix(2).contains { Lexicon.means($0, .for) }
  }

  private func isLabel(_ rest: ArraySlice<String>, behind time: TimeExpression) -> Bool {
    rest.contains(where: isLabel)
      && WordsBehind(time, as: kind, in: context).firstOfTime(Array(rest)) == nil
  }

  private func firstBehindLabel(where isTime: (ArraySlice<String>) -> Bool) -> Int? {
    let labels =
      words.indices.first { place in
        !isLabel(words[place]) && !isNumberOfLabel(at: place) && !isWordOfLabel(at: place)
          && (place == 0 || !TypedWords.isDash(words[place]))
      } ?? words.count
    return words.indices.first { place in
      0 < place && place <= labels && isTime(words[place...])
        && (isLabel(words[place - 1])
          || words[..<place].indices.allSatisfy {
            isLabel(words[$0]) || isNumberOfLabel(at: $0) || $0 > 0 && TypedWords.isDash(words[$0])
          })
    }
  }

  /// `March` in `March invoices tomorrow 10am`: a word of time beside one of the label, and no time with its neighbours.
  private func isWordOfLabel(at place: Int) -> Bool {
    guard words[place].utf8.first.map({ !ASCII.isDigit($0) }) ?? false, !Lexicon.goesOn(words[place]),
      !Lexicon.means(words[place], .every)
    else { return false }
    let isBeside = { [self] (other: Int) in
      words.indices.contains(other) && isLabel(words[other]) && !Lexicon.goesOn(words[other])
    }
    guard isBeside(place + 1) || !Lexicon.isCount(words[place]) && isBeside(place - 1) else { return false }
    return (max(place - 2, 0)...place).allSatisfy { first in
      (place + 1...place + 3).allSatisfy { $0 > words.count || !isTime(words[first..<$0]) }
    }
  }

  /// `at 3`, `3-4pm`
  private func isRefusedWithReadings(_ part: ArraySlice<String>) -> Bool {
    TimeExpression.refusal(of: TypedWords.spaced(part), in: context)?.readings.isEmpty == false
  }

  private func isCertain(labelBefore first: Int) -> Bool {
    // `london 9am`
    if WordsBehind(in: context).isPlace(words[..<first]) { return false }
    // `thanksgiving of next year`, `black friday`
    guard read(words[..<1]) == nil, !Lexicon.joins(words[first - 1]),
      !Lexicon.isForm(in: words, before: first)
    else { return false }
    // `clean monday 2018`
    if let last = words.last, last.utf8.count == 4, let year = Int(last), (1970...2199).contains(year),
      Lexicon.means(words[words.count - 2], \.weekday)
    {
      return false
    }
    // `call tom at 5pm`
    return !Lexicon.means(words[first], .name) || read(words[(first + 1)...]) == nil
  }

  /// A mark behind a label is none of it.
  private static func name(_ words: ArraySlice<String>) -> String {
    var name = TypedWords.spaced(words)
    if let last = name.last, ",:;".contains(last) { name.removeLast() }
    return name
  }

  private mutating func takeLabel(before first: Int) {
    // `meeting - 5pm`, `meeting: 5pm`
    let end = words[..<first].lastIndex { !TypedWords.isDash($0) } ?? 0
    label = Self.name(words[...end])
    words.removeFirst(first)
    time = longest
  }

  /// Takes off a label that stands within a time: behind a day alone before its time of day (`friday dinner at 7pm`,
  /// which may go on: `with anna`), or behind a recurring time before its end (`daily 9am standup until friday`).
  private mutating func takeLabelWithin() {
    guard let (before, count) = time, before.isDayAlone || before.kind == .calendar,
      !WordsBehind(before, in: context).isOrdinal
    else { return }
    let last = lastOfTime ?? 0
    for end in words.indices.dropFirst(count + 1) {
      guard isLabel(words[end - 1]) else { return }
      // `second to last day of the month 9am`
      guard words[count..<end].contains(where: { !Lexicon.introduces($0) }) else { continue }
      // `tomorrow remind bob that the train at 10:15 is late`, but not `that movie`
      if (count..<end).contains(where: {
        Lexicon.means(words[$0], .told) && Lexicon.means(words[$0 + 1], .the)
      }) {
        return
      }
      let stop = words.indices[max(end, last)...].reversed().first {
        read(words[..<count] + words[end...$0]) != nil
      }
      guard let stop, let found = read(words[..<count] + words[end...stop]), found.kind == before.kind else {
        continue
      }
      let rest = words[(stop + 1)...]
      guard
        rest.isEmpty || isMarked(words[end...stop], before: rest[stop + 1]) && isLabel(rest, behind: found)
      else { continue }
      // `every monday show ends friday` has a title, `every monday pills for 10 days` an end.
      let mayBeTitle = isLabel(words[end]) && !Lexicon.introduces(words[end])
      let isBounded = !mayBeTitle && (found.from != before.from || found.until != before.until)
      guard isBounded || before.isDayAlone && !found.isDayAlone else { continue }
      // `every monday gym thursday 9am`
      guard isBounded || !words[end...stop].contains(where: { Lexicon.means($0, \.weekday) }) else {
        return
      }
      // `tomorrow meeting Europe/Paris 9am`
      guard isBounded || read(words[end...stop])?.kind == .timestamp else { return }
      label = Self.name(words[count..<end])
      words.removeSubrange(count..<end)
      time = (found, words.count - rest.count)
      return
    }
  }
}
