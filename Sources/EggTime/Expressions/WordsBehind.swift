/// Decides whether words after a time belong to it, so that they are no label.
struct WordsBehind {
  private let expression: TimeExpression?
  private let kind: ExpressionKind?
  private let context: ReadingContext

  /// `expression` was read in `context`; nil for words before a time.
  init(_ expression: TimeExpression? = nil, as kind: ExpressionKind? = nil, in context: ReadingContext) {
    self.expression = expression
    self.kind = kind
    self.context = context
  }

  /// The index of the first word that may belong to the time; nil when there is none.
  ///
  /// The first word decides, words such as `the` aside: whether it begins with a digit, is close to a word of time in
  /// some language and fits there, or looks like a zone. Then the rest is a label, unless its end reads as a time
  /// together with the expression: `7am gym monday`.
  func firstOfTime(_ words: [String]) -> Int? {
    guard let expression else { return nil }
    if doubtfulEnd > 0 { return 0 }
    // `before`, `prior to`
    if (1...2).contains(where: { Lexicon.goesOn(words.prefix($0).map(\.bare).joined(separator: "_")) }) {
      return 0
    }
    if expression.kind == .calendar, beginsWithBound(words) { return 0 }
    guard let first = words.firstIndex(where: { !Lexicon.joins($0.bare) }) else { return words.count - 1 }
    // `friday to monday`
    if words.count > 1, Lexicon.means(words[0].bare, .to),
      expression.isDayAlone && mayBelong(words[1])
        || expression.hasTimeOfDay && Lexicon.isCount(words[1].bare)
    {
      return 0
    }
    // `tomorrow at half past eight-ish`
    if expression.isDayAlone, words.first.map({ Lexicon.means($0, .at) }) ?? false { return 0 }
    let isNumber =
      expression.hasTimeOfDay && !areOfTime(words) && isNumberOfLabel(words[first...])
    if !isNumber, mayGoOn(expression, with: words, from: first) { return first }
    return words.indices.dropFirst(first + 1).first { place in
      // `friday table for 8pm with anna`, but not `10m call bob at 5pm`
      let before = words[place - 1].bare
      let isDoubtful = expression.isDayAlone && (Lexicon.means(before, .at) || Lexicon.means(before, .for))
      if isDoubtful || !Lexicon.introduces(before), isOtherMoment(words[place...]) { return true }
      let word = words[place].bare
      // `every sunday 8pm trash except dec 27`, `매주 토요일 장보기 12월 26일 제외`
      if expression.kind == .calendar, Lexicon.means(word, .except),
        (1...2).contains(where: {
          isTime(words[(place + 1)...].prefix($0)) || isTime(words[..<place].suffix($0))
        })
      {
        return true
      }
      let isCount = Lexicon.isCount(word)
      let end = words[place...]
      // `tomorrow meeting Europe/Paris 9am`
      let isZone = end.count > 1 && looksLikeZone(word)
      guard mayBelong(word) || Lexicon.joins(word) || isCount || isZone, !namesTwoDays(with: end)
      else { return false }
      // `tomorrow meeting at 3`
      let isNumber = isCount || word.utf8.allSatisfy(ASCII.isDigit)
      return isRead(with: end)
        // `monthly report friday 5pm`, `2nd dose in 3 weeks`
        || (expression.kind == .calendar && expression.isDayAlone || isOrdinal) && isTime(end)
        || expression.isDayAlone && !isNumber && refusal(with: end)?.reason == .ambiguousHour
        // `10 min break every hour`, `a 2 hour movie at 7pm`
        || expression.kind == .span
          && (TimeExpression.ifRead(TypedWords.spaced(end), in: context)?.kind == .calendar
            || Lexicon.means(String(expression.text.prefix { $0 != " " }), .one)
              && expression.text.contains(where: \.isNumber) && isTime(end))
    }
  }

  /// `ending next month`, `as of the 20th`, `between monday and friday`, but not `ending ceremony`: a day behind what may
  /// be a bound.
  private func beginsWithBound(_ words: [String]) -> Bool {
    let forms = (1...3).map { words.prefix($0).map(\.bare).joined(separator: "_") }
    let count = forms.firstIndex { form in
      [.until, .ending, .starting, .between, .unread].contains { Lexicon.means(form, $0) }
    }.map { $0 + 1 }
    let rest = words.dropFirst(count ?? words.count).drop { Lexicon.joins($0.bare) }
    // `between 9 and 5`
    if Lexicon.means(forms[0], .between), rest.first?.utf8.first.map(ASCII.isDigit) ?? false { return true }
    return (1...3).contains { length in
      length <= rest.count
        && TimeExpression.ifRead(TypedWords.spaced(rest.prefix(length)).bare, in: context) != nil
    }
  }

  /// Whether the time may go on with the first word that does not only join.
  private func mayGoOn(_ expression: TimeExpression, with words: [String], from first: Int) -> Bool {
    // `오후 2시` before `반부터`
    if Lexicon.isHalf(words[first].bare, behind: expression.text) { return true }
    if Lexicon.isCount(words[first].bare) {
      let counted = words[(first + 1)...].first { !Lexicon.joins($0.bare) }
      return counted.map { mayBelong($0) || Lexicon.isCount($0.bare) } ?? true || expression.isDayAlone
    }
    if mayBelong(words[first]), fits(words) { return true }
    return expression.hasTimeOfDay && beginsWithPlace(words[first...])
  }

  /// `5k` in `5pm 5k run`, `3층`: a word that begins with a number, and is no time there.
  private func isNumberOfLabel(_ words: ArraySlice<String>) -> Bool {
    guard let word = words.first, word.utf8.first.map(ASCII.isDigit) ?? false,
      word.contains(where: \.isLetter), !Lexicon.ordinalSuffixes.contains(String(word.suffix(2))),
      !Lexicon.mayBeTime(word.bare), word.scripts.allSatisfy({ !Lexicon.begins($0) })
    else { return false }
    return (1...2).allSatisfy {
      let part = words.prefix($0)
      return !isRead(with: part) && refusal(with: part)?.readings.isEmpty ?? true
    } && !isTime(words.prefix(1))
  }

  private func isOtherMoment(_ words: ArraySlice<String>) -> Bool {
    isOtherTime(words) || isSpanFromNow(words) || isLead(words)
  }

  /// `1 h and 15 min before`, `2 hours before and 15 minutes`, which are no leads where it is not clear how many.
  private func isLead(_ words: ArraySlice<String>) -> Bool {
    (1...5).contains { count in
      let behind = words.dropFirst(count).map { $0.bare.lowercased() }
      return Lexicon.languages.contains { $0.moments.lead.contains { behind.starts(with: $0) } }
        && Lead(reading: TypedWords.spaced(words.prefix(count).map(\.bare)[...])) != nil
    }
  }

  /// `6pm` in `5 min plank 6pm`: a time of day with a digit in it.
  private func isOtherTime(_ words: ArraySlice<String>) -> Bool {
    guard let first = words.first, !Lexicon.introduces(first.bare) else { return false }
    return (1...2).contains { count in
      let text = TypedWords.spaced(words.prefix(count)).bare
      guard text.utf8.contains(where: ASCII.isDigit), !text.utf8.allSatisfy(ASCII.isDigit) else {
        return false
      }
      if let read = TimeExpression.ifRead(text, in: context) {
        return read.kind == .timestamp && read.hasTimeOfDay
      }
      return TimeExpression.refusal(of: text, in: context)?.reason == .ambiguousHour
    }
  }

  /// `in 40 min` in `sunday roast in 40 min`, `40분 뒤`.
  private func isSpanFromNow(_ words: ArraySlice<String>) -> Bool {
    (2...5).contains { count in
      guard count <= words.count else { return false }
      let part = words.prefix(count).map(\.bare)
      guard Lexicon.means(part[0], .in) || Lexicon.means(part[count - 1], .later) else { return false }
      return TimeExpression.ifRead(TypedWords.spaced(part[...]), in: context)?.kind == .span
    }
  }

  private func isTime(_ words: ArraySlice<String>) -> Bool {
    TimeExpression.mayMean(TypedWords.spaced(words), in: context, as: kind)
  }

  /// `2nd`, `third`, which may count what follows as well.
  var isOrdinal: Bool {
    guard let text = expression?.text else { return false }
    if Lexicon.means(text, \.ordinal) { return true }
    return text.utf8.first.map(ASCII.isDigit) ?? false
      && Lexicon.ordinalSuffixes.contains(String(text.suffix(2)))
      && text.dropLast(2).utf8.allSatisfy(ASCII.isDigit)
  }

  /// Whether the time goes on with the first of the words; what is nothing but words of time is no label either.
  private func fits(_ words: [String]) -> Bool {
    guard let first = words.first(where: { !Lexicon.joins($0.bare) }), Lexicon.modifies(first.bare) else {
      return true
    }
    // A feast: `12월 25일 9시` before `크리스마스`
    let isFeast = Lexicon.means(first.bare, \.holiday) && expression?.hasTimeOfDay ?? false
    if !isFeast, areOfTime(words) { return true }
    return (1...3).contains {
      $0 <= words.count
        && (isRead(with: words[..<$0])
          || refusal(with: words[..<$0])?.readings.isEmpty == false)
    }
  }

  /// Whether no word can only be of a label.
  private func areOfTime(_ words: [String]) -> Bool {
    words.allSatisfy { mayBelong($0) || Lexicon.joins($0.bare) || Lexicon.isCount($0.bare) }
  }

  /// How many words at the end of the expression may belong to what follows; 0 when it has a certain end.
  var doubtfulEnd: Int {
    if !hasFallingUnits {
      let words = expression?.text.split(separator: " ") ?? []
      return words.dropLast().last?.utf8.allSatisfy(ASCII.isDigit) == true ? 2 : 1
    }
    if endsInNumber || endsInDoubt { return 1 }
    return cityAtEnd
  }

  /// Whether the expression reads together with these words.
  private func isRead(with words: ArraySlice<String>) -> Bool {
    joined(with: words).map { TimeExpression.ifRead($0, in: context, as: kind) != nil } ?? false
  }

  private func refusal(with words: ArraySlice<String>) -> ExpressionError? {
    joined(with: words).flatMap { TimeExpression.refusal(of: $0, in: context, as: kind) }
  }

  private func joined(with words: ArraySlice<String>) -> String? {
    expression.map { $0.text + " " + TypedWords.spaced(words) }
  }

  /// `tomorrow 9am` with `on sunday`: whether that is the same day depends on today.
  private func namesTwoDays(with words: ArraySlice<String>) -> Bool {
    guard let text = joined(with: words),
      case .civil(let form)? = try? ExpressionReader(text, as: kind).form()
    else { return false }
    if case .full = form.date { return false }
    return form.date != nil && form.day != nil
  }

  /// `5pm monday` before `status report`, `the second` before `meeting`: the last word may begin the label as well.
  private var endsInDoubt: Bool {
    guard let words = expression?.text.split(separator: " ").map(String.init) else { return false }
    // `second dose in 21 days`
    if words.count == 1 { return Lexicon.means(words[0], \.ordinal) }
    guard let last = words.last, let before = words.dropLast().last, Lexicon.modifies(last),
      !Lexicon.opens(before)
    else { return false }
    if Lexicon.joins(before) { return Lexicon.means(last, \.ordinal) }
    // `weekday mornings`, `매일 아침`, `매주 월요일`
    if Lexicon.means(last, \.partsOfDay)
      || Lexicon.means(before, .everyUnit(.day)) && Lexicon.means(last, \.partOfDay)
      || Lexicon.means(before, .everyUnit(.week)) && Lexicon.means(last, \.weekday)
    {
      return false
    }
    return TimeExpression.ifRead(TypedWords.spaced(words.dropLast()), in: context, as: kind) != nil
  }

  /// Whether no unit of a span is as long as one before it: in `10m 30 minutes` the second may belong to the label.
  private var hasFallingUnits: Bool {
    guard let expression, expression.kind == .span,
      let tokens = try? Lexer.tokens(of: Scanner(expression.text))
    else { return true }
    let lengths = tokens.compactMap { token in
      token.meanings.compactMap { $0.unit?.length }.first
    }
    return zip(lengths, lengths.dropFirst()).allSatisfy { $0 > $1 }
  }

  /// `New York`
  private func beginsWithPlace(_ words: ArraySlice<String>) -> Bool {
    // `wake up`, but not `Wake`
    if Lexicon.beginsFrame(words) { return false }
    // `christmas`, which is an island too
    if let first = words.first, Lexicon.means(first.bare, \.holiday) { return false }
    return (1...3).contains {
      $0 <= words.count && ZonePlaces.machine.contains(TypedWords.spaced(words.prefix($0)).bare)
    }
      || words.first.map {
        Lexicon.means($0.bare, \.zone) || ZonePlaces.machine.city(near: $0.bare) != nil
      }
        ?? false
  }

  /// `9am London`: of how many words a city at the end is, to which the next one may belong.
  private var cityAtEnd: Int {
    guard let words = expression?.text.split(separator: " "), expression?.hasTimeOfDay == true else {
      return 0
    }
    if words.last.map({ Lexicon.means(String($0), \.zone) }) ?? false { return 1 }
    return (1...3).first {
      $0 < words.count && ZonePlaces.machine.zone(ofCity: words.suffix($0).joined(separator: " ")) != nil
    } ?? 0
  }

  /// Whether the words before a time may be its zone: `london`, `utc`, `new york time`.
  func isPlace(_ words: ArraySlice<String>) -> Bool {
    let bare = words.last.map { Lexicon.means($0, .clockTime) } ?? false ? words.dropLast() : words
    guard let first = bare.first else { return false }
    return ZonePlaces.machine.zone(ofCity: TypedWords.spaced(bare)) != nil
      || bare.count == 1 && (looksLikeZone(first) || isKoreanTime(first))
  }

  /// `한국시간`
  private func isKoreanTime(_ word: String) -> Bool {
    word.hasSuffix("시간") && Lexicon.means(String(word.dropLast(2)), \.zone)
  }

  /// Whether a word before a time can only be of the label. The `s` of `mom's` is no unit.
  func isOfLabel(_ word: String) -> Bool {
    !mayBelong(word) && word.owner.scripts.allSatisfy { !Lexicon.begins($0) }
  }

  private func mayBelong(_ typed: String) -> Bool {
    let word = typed.owner
    // `tom's`
    if word != typed, Lexicon.means(word, .name) { return false }
    guard let first = word.utf8.first, !word.contains("://") else { return false }
    if ASCII.isDigit(first) || first == UInt8(ascii: "@") || first == UInt8(ascii: ":") { return true }
    if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
      // `-16:00`, `-noon`
      return word.utf8.dropFirst().first.map(ASCII.isDigit) ?? true
        || Lexicon.mayBeTime(String(word.dropFirst()))
    }
    if Lexicon.mayBeTime(word.bare) || mayHaveZone && looksLikeZone(word.bare) { return true }
    // `ten부터`
    let scripts = word.scripts
    if scripts.count > 1, scripts.contains(where: Lexicon.begins) { return true }
    // Each piece of `(tomorrow)`, `next-week`, `UTC+9` and `'27` is checked.
    let pieces = word.pieces
    guard pieces.count > 1 || pieces.first.map({ $0 != word }) ?? false else { return false }
    return pieces.contains { piece in
      piece.utf8.first.map(ASCII.isDigit) ?? false
        || piece.utf8.count > 1
          && (Lexicon.mayBeTime(piece) || mayHaveZone && looksLikeZone(piece))
    }
  }

  private var mayHaveZone: Bool { expression?.hasTimeOfDay ?? false }

  /// `EST`, `est`, `Europe/Pariss`, `Turkey`.
  private func looksLikeZone(_ word: String) -> Bool {
    let letters = word.utf8
    let parts = letters.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    if parts.count > 1, parts.allSatisfy({ $0.first.map(ASCII.isLetter) ?? false }) { return true }
    if ForeignZones.name(of: word) != nil || Evaluation.isUniversal(word) { return true }
    if context.zone.abbreviations(around: context.now).contains(where: {
      $0.name.lowercased() == word.lowercased()
    }) {
      return true
    }
    return ZoneDirectory.isIdentifier(word) && (try? context.loadZone(word)) != nil
  }

  /// `1h 30`, `1 hour thirty`, `at 19`: the next word may be counted.
  private var endsInNumber: Bool {
    guard let expression, let last = expression.text.split(whereSeparator: \.isWhitespace).last,
      last.utf8.last.map(ASCII.isDigit) ?? false || Lexicon.isCount(String(last))
    else { return false }
    // `1h30` is minutes, whatever follows.
    if expression.kind == .span {
      return Lexicon.isCount(String(last)) || last.utf8.allSatisfy(ASCII.isDigit)
    }
    // `every morning at 7`, `hourly from 1pm to 5`
    let before = expression.text.split(separator: " ").dropLast().last.map(String.init) ?? ""
    if Lexicon.means(before, .at) || Lexicon.means(before, .to) { return false }
    // `tonight at 8`: without its number it is no time.
    var rest = expression.text.split(separator: " ").dropLast().map(String.init)
    while let word = rest.last, Lexicon.joins(word) { rest.removeLast() }
    guard TimeExpression.ifRead(TypedWords.spaced(rest[...]), in: context) != nil else { return false }
    return last.utf8.count <= 2 && last.utf8.allSatisfy(ASCII.isDigit) && expression.hasTimeOfDay
      && !expression.text.contains(":")
  }
}

extension TimeExpression {
  /// Whether a zone may follow.
  var hasTimeOfDay: Bool {
    switch reading {
    case .span: false
    case .instant, .civil, .recurring: !isDayAlone
    }
  }
}

extension String {
  /// Its runs of letters and digits.
  fileprivate var pieces: [String] {
    split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }

  /// `mom` of `mom's`
  fileprivate var owner: String { hasSuffix("'s") || hasSuffix("\u{2019}s") ? String(dropLast(2)) : self }

  /// Its runs of letters of one script: ASCII or not.
  fileprivate var scripts: [String] {
    pieces.flatMap { $0.split { !$0.isASCII } + $0.split(whereSeparator: \.isASCII) }.map(String.init)
  }

  /// Without trailing punctuation.
  fileprivate var bare: String {
    String(decoding: utf8.reversed().drop { ".,;:!?".utf8.contains($0) }.reversed(), as: UTF8.self)
  }
}
