/// Finds the first class whose grammar matches a text.
struct ExpressionReader {
  /// The class asked for; nil when the text decides.
  let kind: ExpressionKind?
  private let scanner: Scanner

  /// With a class, the text may begin with the word that asks for it.
  init(_ text: String, as asked: ExpressionKind?, earliestYear: Int = 1970) {
    var scanner = Scanner(text)
    scanner.earliestYear = earliestYear
    scanner.isForced = asked != nil
    kind = asked
    self.scanner = asked.map { scanner.behind($0.word) } ?? scanner
  }

  /// The byte at which the expression itself begins.
  var start: Int { scanner.position }

  /// The form read by the first class that matches. Throws the misread of the class that came furthest, the
  /// first of these when several did.
  func form() throws(Misread) -> Form {
    if let bare = scanner.bareText(as: kind) { throw bare }
    if let rule = try rule() { return rule }
    var furthest = Misread(offset: scanner.position, reason: .unexpected)
    for candidate in classes {
      do throws(Misread) {
        return try read(candidate)
      } catch {
        if error.isDecisive { throw error }
        if error.offset > furthest.offset || error.offset == furthest.offset && !error.readings.isEmpty {
          furthest = error
        }
      }
    }
    throw furthest
  }

  /// A rule of RFC 5545; nil for a text that is not meant as one.
  private func rule() throws(Misread) -> Form? {
    guard kind == nil || kind == .calendar else { return nil }
    let scanner = scanner.behind(ExpressionKind.calendar.word)
    let text = scanner.text(scanner.position..<scanner.end)
    guard RecurrenceText.isMeant(text) else { return nil }
    do throws(RuleProblem) {
      return .rule(try RecurrenceText(text), offset: scanner.position)
    } catch {
      throw Misread(.rule(error), at: scanner.position)
    }
  }

  /// In the order tried. Without a class asked for, sentences read the timestamps and spans of the tools too.
  private var classes: [Class] {
    switch kind {
    case nil: [.isoDuration, .epoch, .timestamp, .interval, .sentence, .recurring]
    case .span: [.isoDuration, .span, .sentence]
    case .timestamp: [.epoch, .timestamp, .sentence]
    case .calendar: [.interval, .calendar, .sentence]
    }
  }

  private enum Class {
    case isoDuration, epoch, timestamp, span, sentence, calendar
    /// The canonical form of an interval.
    case interval
    /// A calendar event that looks like no one-shot, or one after `every`.
    case recurring
  }

  private func read(_ wanted: Class) throws(Misread) -> Form {
    var scanner = scanner
    switch wanted {
    case .isoDuration: return try scanner.isoDuration()
    case .epoch, .timestamp:
      if kind == nil { scanner = scanner.behind(ExpressionKind.timestamp.word) }
      return wanted == .epoch ? try scanner.epoch() : try scanner.timestamp()
    case .span: return try scanner.span()
    case .sentence: return try sentence()
    case .interval:
      scanner = scanner.behind(ExpressionKind.calendar.word)
      guard let interval = RecurringInterval(scanner.text(scanner.position..<scanner.end)) else {
        throw scanner.stop
      }
      return .counted(interval)
    case .calendar: return try scanner.calendarEvent()
    case .recurring:
      scanner = scanner.behind(ExpressionKind.calendar.word)
      let start = scanner
      let form = try scanner.calendarEvent()
      try start.refuseOtherReadings()
      // `quarterly`
      if case .calendar(let fields, let zone, _, let hint) = form,
        CalendarShorthand.event(start.text(start.position..<start.end).lowercased()) != nil
      {
        return .calendar(fields, zone: zone, isDayAlone: true, hint: hint)
      }
      return form
    }
  }

  /// Replaces the word where reading stopped by the likely one; nil when that reads no better.
  func corrected(_ misread: Misread) -> String? {
    var before = scanner
    before.position = misread.offset
    while before.position > 0, ASCII.isLetter(before.bytes[before.position - 1]) { before.position -= 1 }
    if let word = before.word(), let nearest = Lexicon.nearest(to: word),
      let text = replacing(before.position..<before.position + word.utf8.count, by: nearest)
    {
      return text
    }
    // The word may look like the zone of what is before it: `8pm decmber 5`.
    guard kind == nil, scanner.end <= Self.longest else { return nil }
    var start = scanner.position
    for word in scanner.text(start..<scanner.end).split(separator: " ", omittingEmptySubsequences: false) {
      let range = start..<start + word.utf8.count
      start = range.upperBound + 1
      let word = String(word)
      guard Lexicon.meanings(of: word.lowercased()).isEmpty,
        let nearest = Lexicon.nearest(to: word) ?? ZonePlaces.machine.city(near: word),
        let text = replacing(range, by: nearest)
      else { continue }
      return text
    }
    return nil
  }

  /// In bytes, of a text that eggd takes.
  private static let longest = 200

  /// nil where it is no time.
  private func replacing(_ range: Range<Int>, by word: String) -> String? {
    let text = scanner.replacing(range, by: word)
    return (try? ExpressionReader(text, as: kind).form()) == nil ? nil : text
  }
}

// Sentences of a class.
extension ExpressionReader {
  /// A sentence of the class asked for.
  private func sentence() throws(Misread) -> Form {
    guard let kind else { return try SentenceReader.form(of: scanner) }
    if kind == .calendar { return try recurring() }
    let form = try SentenceReader.form(of: scanner)
    switch (form, kind) {
    case (.span, .span):
      try refuseWhatToolsRefuse()
      return form
    // `a month`: as long as systemd's.
    case (.shifted(let shift, .calendarUnits), .span) where shift.months > 0: return try averageSpan(shift)
    case (.civil, .timestamp): return form
    case (.elapsed, .timestamp), (.shifted, .timestamp):
      try refuseWhatToolsRefuse()
      return form
    // `in 2 weeks`, but `2 weeks` is a span.
    case (.span(let span, _), .timestamp) where SentenceReader.span(of: scanner) == nil: return .elapsed(span)
    case (.span(let span, _), _):
      throw wrongKind(.momentWanted, readings: ["+" + SpanText.canonical(span)])
    default: throw wrongKind(kind == .span ? .spanWanted : .momentWanted)
    }
  }

  /// A sentence that recurs, with `every` typed or not.
  private func recurring() throws(Misread) -> Form {
    var alone: Misread?
    do throws(Misread) {
      let form = try SentenceReader.form(of: scanner)
      if form.recurs { return form }
    } catch {
      alone = error
    }
    do throws(Misread) {
      let form = try SentenceReader.form(of: scanner, isEvery: true)
      if form.recurs { return form }
    } catch {
      if let alone { throw error.isDecisive ? error : alone }
    }
    throw wrongKind(.recurrenceWanted)
  }

  private func wrongKind(_ reason: ExpressionError.Reason, readings: [String] = []) -> Misread {
    Misread(reason, at: scanner.position, readings: readings)
  }

  /// systemd and at(1) count in digits, and systemd has no comma between terms.
  private func refuseWhatToolsRefuse() throws(Misread) {
    var rest = scanner
    while !rest.atEnd {
      if rest.sees(",") { throw rest.stop }
      if let word = rest.word() {
        for case .number(let number) in Lexicon.meanings(of: word) {
          let range = rest.position..<rest.position + word.utf8.count
          throw Misread(.unexpected, at: range.lowerBound, readings: [rest.replacing(range, by: "\(number)")])
        }
        rest.position += word.utf8.count
      } else {
        rest.position += 1
      }
    }
  }

  private func averageSpan(_ shift: CalendarShift) throws(Misread) -> Form {
    let start = scanner.position
    let months = try scanner.multiply(Int64(shift.months), SpanUnit.month, at: start)
    let days = try scanner.multiply(Int64(shift.days), SpanUnit.day, at: start)
    let sum = try scanner.add(try scanner.add(months, days, at: start), shift.elapsed.microseconds, at: start)
    let count = abs(shift.months)
    return .span(
      TimeSpan(microseconds: sum),
      hint: .averageUnits(instead: "now + \(count) month\(count == 1 ? "" : "s")"))
  }
}

extension Form {
  fileprivate var recurs: Bool {
    switch self {
    case .calendar, .interval, .times, .bounded: true
    default: false
    }
  }
}

extension ExpressionKind {
  fileprivate var word: String {
    switch self {
    case .span: "in"
    case .timestamp: "at"
    case .calendar: "every"
    }
  }
}

extension Scanner {
  /// Skips that word and its blanks when the text begins with it.
  fileprivate func behind(_ wanted: String) -> Scanner {
    var after = self
    guard after.takes(word: wanted), after.skipBlanks() || after.atEnd else { return self }
    return after
  }
}

extension ExpressionReader {
  /// Expressions that may have been meant, likeliest first, filtered by `isRead`.
  func readings(
    _ misread: Misread, in context: ReadingContext, where isRead: (String) -> Bool
  ) -> [String] {
    var readings = misread.readings
    let today = context.zone.civil(at: context.now)
    for (month, day) in misread.dates {
      let year = today.year + ((month, day) < (today.month, today.day) ? 1 : 0)
      guard let date = CivilDate(year: year, month: month, day: day) else { continue }
      readings.append(scanner.replacing(misread.range, by: date.description))
    }
    if let replacement = misread.replacement {
      readings.append(scanner.replacing(misread.range, by: replacement))
    }
    readings = readings.filter(isRead)
    if readings.isEmpty, let nearest = corrected(misread), isRead(nearest) { return [nearest] }
    return readings
  }
}
