/// Spans: `an hour and a half`, `1h30`, `in 2 weeks`, `한시간 반 뒤`.
extension SentenceReader {
  /// `in SPAN`, `after SPAN`, `for SPAN`, `SPAN later`, `SPAN from now`, `SPAN from PART`, `+ SPAN`, or a span that is
  /// the whole sentence.
  mutating func spanPart() throws(Misread) -> Bool {
    let first = index
    if takes(.plus) || sentence.saysNow && takes(.hyphen) {
      let isPast = tokens[first].isMark(.hyphen)
      guard !sentence.isEmpty, let span = try span() else { throw numberAlone() ?? stop }
      return try sentence.added.say(isPast ? span.negated : span, range(from: first))
    }
    if takes(.now) {
      sentence.saysNow = true
      return true
    }
    // `어제부터 4일 후`
    if sentence.date != nil, token?.isGlued == true, takes(.starting) {
      if let span = try span(), takes(.later) {
        return try sentence.added.say(span, range(from: first))
      }
      return back(to: first)
    }
    // `크리스마스 다음 날`
    if sentence.date != nil, takes(.next), takes(.unit(.day)), !text.text(range(from: first)).isASCII {
      return try sentence.added.say(SaidSpan(days: 1), range(from: first))
    }
    index = first
    let isOffset = takes(.in) || sentence.isEmpty && (takes(.after) || takes(.for))
    _ = takesAbout()
    // `0700 hours` is a time of day.
    if !isOffset, case .number(let number) = token?.kind, number.digits == 4, number.asClock != nil,
      means(.unit(.hour), ahead: 1), !means(.later, ahead: 2), !means(.from, ahead: 2)
    {
      return false
    }
    guard let span = try span() else {
      if isOffset, index == tokens.count { throw stop }
      if isOffset, sentence.isEmpty, let misread = numberAlone() { throw misread }
      return back(to: first)
    }
    _ = takes(.about)
    _ = takes(.timer)
    // `오후 5시 10분 전`, `10 minutes before noon`, but not `friday 2pm 1 day and 15 minutes before`
    let isBehindTime = means(.ago) && (sentence.time != nil || sentence.date != nil)
    if isBehindTime || index + 1 < tokens.count && !means(.ago), takes(.before) {
      return try sentence.added.say(span.negated, range(from: first))
    }
    if takes(.ago) { return try sentence.offset.say(span.negated, range(from: first)) }
    // `10m another coffee` has a label.
    if takes(.later) || !means(.one) && takes(.more) || isOffset || takes(.from) && takes(.now) {
      return try sentence.offset.say(span, range(from: first))
    }
    // `a week from friday`, `a week tomorrow`
    if tokens[index - 1].meanings.contains(.from) || takes(.after) || span.weeks > 0 && peek(\.day) != nil {
      return try sentence.added.say(span, range(from: first))
    }
    if means(.on), let weekday = token(ahead: 1), weekday.meanings.contains(where: { $0.weekday != nil }) {
      // `a week on friday`
      let length = text.text(range(from: first)).replacing("a week", with: "1 week")
      throw text.misread(
        .ambiguousWeek, start(of: first)..<weekday.end,
        instead: [text.text(weekday.range) + " + " + length], at: start(of: index))
    }
    guard sentence.isEmpty, index == tokens.count, !span.mayBeDate else { return back(to: first) }
    return try sentence.offset.say(span, range(from: first))
  }

  /// `in 5`, `now + 5`: minutes or seconds? nil when anything else follows.
  private func numberAlone() -> Misread? {
    var rest = self
    guard let number = rest.takeNumber(), rest.index == tokens.count else { return nil }
    return Misread(
      .bareNumber, at: start(of: index),
      readings: number.fraction == nil ? ["minutes", "seconds"].map { "\(text.rest) \($0)" } : [])
  }
}
