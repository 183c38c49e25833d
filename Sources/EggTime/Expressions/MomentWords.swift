/// What a sentence says, beside its time, of the moments at which it rings: leads and days off.
///
/// English phrases stand at the end (`tomorrow 14:30 meeting 15 minutes before`) or directly behind a recurring time
/// (`weekdays 7:00 except holidays get up`), Korean ones anywhere (`공휴일 제외 평일 7시`). They are taken only where the
/// other words begin with a time or end with one. `10 minutes before noon` is a time.
public struct MomentWords: Equatable, Sendable {
  /// `15 minutes before`
  public private(set) var leads: [Lead] = []
  /// `except holidays`
  public private(set) var except: [String] = []
  /// `only on holidays`
  public private(set) var onlyOn: [String] = []
  /// All other words; the words as typed where there are no phrases.
  public private(set) var rest: [String]

  public var isEmpty: Bool { leads.isEmpty && except.isEmpty && onlyOn.isEmpty }

  /// - Parameter isTimeOptional: Phrases may be all that there is.
  public init(
    _ typed: [String], as kind: ExpressionKind?, in context: ReadingContext, isTimeOptional: Bool = false
  ) {
    rest = typed.count == 1 ? typed[0].split(whereSeparator: \.isWhitespace).map(String.init) : typed
    // A time is left beside the phrases.
    while rest.count > (isTimeOptional ? 0 : 1), takePhrase(kind, context) {}
    if !isEmpty {
      if rest.isEmpty, isTimeOptional { return }
      // No word behind the time may belong to it.
      if let found = TypedWords(rest, as: kind, in: context), found.suspect == nil,
        except.isEmpty && onlyOn.isEmpty || found.time.kind == .calendar
      {
        return
      }
    }
    (leads, except, onlyOn, rest) = ([], [], [], typed)
  }

  private enum Said {
    case lead(Lead)
    case except([String])
    case onlyOn([String])
  }

  private mutating func takePhrase(_ kind: ExpressionKind?, _ context: ReadingContext) -> Bool {
    let languages = Lexicon.languages(isASCII: rest.allSatisfy { ASCII.isAll($0) })
    for first in rest.indices {
      for language in languages {
        guard let (said, end) = phrase(at: first, language.moments),
          language.moments.isBehindNames
            ? fits(said, at: first, language.moments)
            : end == rest.count || ends(said, at: first, kind, context)
        else { continue }
        var before = Array(rest[..<first])
        // `meeting 3:30pm, remind me 10 minutes before`
        if case .lead = said { before = Lexicon.withoutFrameAtEnd(before) }
        if let last = before.last, last.bare.isEmpty || Lexicon.meanings(of: last.lowercased()) == [.and] {
          before.removeLast()
        }
        if let last = before.popLast() { before.append(last.unlisted) }
        rest = before + rest[end...]
        switch said {
        case .lead(let lead): leads = Set(leads + [lead]).sorted()
        case .except(let names): except = names + except
        case .onlyOn(let names): onlyOn = names + onlyOn
        }
        return true
      }
    }
    return false
  }

  /// `7시 15분 전에` may be a quarter to seven, but not `30분 전, 15분 전에`.
  private func fits(_ said: Said, at first: Int, _ phrases: MomentPhrases) -> Bool {
    guard case .lead = said, first > 0 else { return true }
    let last = rest[first - 1].bare
    if let start = leadStart(before: first, phrases) { return fits(said, at: start, phrases) }
    return !Lexicon.mayBeTime(last) && last.utf8.first.map { !ASCII.isDigit($0) } ?? true
  }

  /// Where another lead begins that ends there: `30분 전,`, `30분전`.
  private func leadStart(before place: Int, _ phrases: MomentPhrases) -> Int? {
    let last = rest[place - 1].bare
    guard let form = (phrases.lead + phrases.shortLead).first(where: { last.hasSuffix($0[0]) }) else {
      return nil
    }
    let span = last.dropLast(form[0].count)
    guard span.isEmpty else { return Lead(reading: String(span)).map { _ in place - 1 } }
    return (1...Self.longestSpan).last { count in
      count < place && Lead(reading: TypedWords.spaced(rest[(place - 1 - count)..<(place - 1)])) != nil
    }.map { place - 1 - $0 }
  }

  /// Whether days off stand directly behind a recurring time.
  private func ends(
    _ said: Said, at first: Int, _ kind: ExpressionKind?, _ context: ReadingContext
  ) -> Bool {
    if case .lead = said { return false }
    return TimeExpression.ifRead(TypedWords.spaced(rest[..<first]), in: context, as: kind)?.kind == .calendar
  }

  /// The phrase that begins there, and the place behind it.
  private func phrase(at first: Int, _ phrases: MomentPhrases) -> (Said, end: Int)? {
    for end in rest.indices where end > first && end <= first + Self.longestSpan {
      if let behind = leadEnd(at: end, phrases), !isJoined(to: first), let lead = lead(rest[first..<end]) {
        return (.lead(lead), behind)
      }
    }
    guard phrases.isBehindNames else {
      for (forms, say) in [(phrases.except, Said.except), (phrases.onlyOn, Said.onlyOn)] {
        if let start = match(forms, at: first), let (names, end) = names(from: start) {
          return (say(names), end)
        }
      }
      return nil
    }
    return joined(at: first, phrases)
  }

  /// The place behind `before`, `전에`, `전` of `전 알림`, and what asks for an alarm there.
  private func leadEnd(at place: Int, _ phrases: MomentPhrases) -> Int? {
    if let end = match(phrases.lead, at: place) { return end + Lexicon.frameLength(at: rest[end...]) }
    guard let end = match(phrases.shortLead, at: place) else { return nil }
    let frame = Lexicon.frameLength(at: rest[end...])
    return frame > 0 || !leads.isEmpty ? end + frame : nil
  }

  /// Words of a span: `an hour and a half`.
  private static let longestSpan = 6

  /// `공휴일 제외`, `공휴일에만`, `15분전에`.
  private func joined(at first: Int, _ phrases: MomentPhrases) -> (Said, end: Int)? {
    let word = rest[first].bare
    func beginning(_ forms: [[String]]) -> String? {
      forms.first { word.hasSuffix($0[0]) && word.count > $0[0].count }.map {
        String(word.dropLast($0[0].count))
      }
    }
    let frame = Lexicon.frameLength(at: rest[(first + 1)...])
    let short = frame > 0 || !leads.isEmpty ? phrases.shortLead : []
    if let text = beginning(phrases.lead + short), let lead = Lead(reading: text) {
      return (.lead(lead), first + 1 + frame)
    }
    for (forms, say) in [(phrases.except, Said.except), (phrases.onlyOn, Said.onlyOn)] {
      if let end = match(forms, at: first + 1), let name = Self.name(word) { return (say([name]), end) }
      if let text = beginning(forms), let name = Self.name(text) { return (say([name]), first + 1) }
    }
    return nil
  }

  /// The place behind one of the forms.
  private func match(_ forms: [[String]], at place: Int) -> Int? {
    forms.first { form in
      place + form.count <= rest.count
        && zip(form, rest[place...]).allSatisfy { $0 == $1.bare.lowercased() }
    }.map { place + $0.count }
  }

  /// Whether another span is listed before the one there: `1 day and`, `1 day,`.
  private func isJoined(to first: Int) -> Bool {
    guard first > 1 else { return false }
    let isAnd = Lexicon.meanings(of: rest[first - 1].lowercased()).contains(.and)
    guard isAnd || rest[first - 1].hasSuffix(",") else { return false }
    let before = rest[..<(isAnd ? first - 1 : first)]
    return (1...Self.longestSpan).contains {
      Lead(reading: TypedWords.spaced(before.suffix($0).map(\.bare)[...])) != nil
    }
  }

  /// nil for `1 day and 15 minutes`, which may be two leads.
  private func lead(_ words: ArraySlice<String>) -> Lead? {
    for (place, word) in zip(words.indices, words).dropFirst() {
      let isJoined = Lexicon.meanings(of: word.lowercased()).contains(.and)
      let isListed = words[place - 1].hasSuffix(",")
      guard isJoined || isListed else { continue }
      if Lead(reading: TypedWords.spaced(words[(place + (isJoined ? 1 : 0))...])) != nil { return nil }
    }
    return Lead(reading: TypedWords.spaced(words.map(\.bare)[...]))
  }

  /// `holidays`, `holidays and trip`, `holidays, trip`.
  private func names(from start: Int) -> ([String], end: Int)? {
    var (names, end): ([String], Int) = ([], start)
    while end < rest.count {
      let name = rest[end].bare
      guard Self.isName(name) else { break }
      names.append(name)
      let isListed = rest[end].hasSuffix(",")
      end += 1
      guard end < rest.count else { break }
      let isJoined = Lexicon.meanings(of: rest[end].lowercased()).contains(.and)
      guard isListed || isJoined else { break }
      if isJoined, end + 1 < rest.count, Self.isName(rest[end + 1].bare) { end += 1 }
    }
    return names.isEmpty ? nil : (names, end)
  }

  /// `공휴일` of `공휴일은`
  private static func name(_ word: String) -> String? {
    let name = word.count > 2 && word.last.map("은는을를만".contains) ?? false ? String(word.dropLast()) : word
    return isName(name) ? name : nil
  }

  /// `except weekends` is no name of days off.
  private static func isName(_ word: String) -> Bool {
    guard let first = word.utf8.first, !ASCII.isDigit(first) else { return false }
    return !Lexicon.begins(word) && Lexicon.meanings(of: word.lowercased()).isEmpty && !word.contains("\"")
  }
}

extension String {
  /// Without a comma behind it.
  fileprivate var unlisted: String { hasSuffix(",") ? String(dropLast()) : self }

  /// Likewise, and without brackets: `(except holidays)`.
  fileprivate var bare: String {
    let word = unlisted.drop { $0 == "(" }
    return String(word.hasSuffix(")") && !word.contains("(") ? word.dropLast() : word)
  }
}
