/// Finds the class that claims a text: the first whose grammar matches.
struct ExpressionReader {
  /// The class that was asked for, by the caller or by a leading `in`, `at` or `every`.
  let kind: ExpressionKind?
  private let scanner: Scanner
  /// That word and the blanks behind it; empty where there is none.
  private let lead: String

  /// A leading word decides unless the caller asked for another class.
  init(_ text: String, as asked: ExpressionKind?, earliestYear: Int = 1970) {
    var scanner = Scanner(text)
    scanner.earliestYear = earliestYear
    var kind = asked
    let begin = scanner.position
    if let word = scanner.word(), let found = Self.kind(word), asked == nil || asked == found {
      var after = scanner
      after.position += word.utf8.count
      if after.skipBlanks() || after.atEnd { (scanner, kind) = (after, found) }
    }
    self.scanner = scanner
    self.kind = kind
    lead = scanner.text(from: begin)
  }

  private static func kind(_ word: String) -> ExpressionKind? {
    switch word {
    case "in": .span
    case "at": .timestamp
    case "every": .calendar
    default: nil
    }
  }

  /// Where the expression proper begins.
  var start: Int { scanner.position }

  /// The form of the text, by the first class that reads it. Throws what the class found that came furthest, the
  /// first of them when several did.
  func form() throws(Misread) -> Form {
    if var bare = scanner.bareText(as: kind) {
      // What was meant is of the class that a leading word asked for.
      bare.nearest = bare.nearest.map { lead + $0 }
      throw bare
    }
    var furthest = Misread(offset: scanner.position, reason: .unexpected)
    for candidate in classes {
      do throws(Misread) {
        return try read(candidate)
      } catch {
        if error.isDecisive { throw error }
        if error.offset > furthest.offset { furthest = error }
      }
    }
    throw furthest
  }

  /// In the order in which they are tried.
  private var classes: [Class] {
    switch kind {
    case nil: [.isoDuration, .epoch, .displayForm, .timestamp, .span, .phrase, .calendar]
    case .span: [.isoDuration, .span]
    case .timestamp: [.epoch, .displayForm, .timestamp, .phrase]
    case .calendar: [.calendar]
    }
  }

  private enum Class {
    case isoDuration
    case epoch
    case displayForm
    case timestamp
    case span
    case phrase
    case calendar
  }

  private func read(_ wanted: Class) throws(Misread) -> Form {
    var scanner = scanner
    switch wanted {
    case .isoDuration: return try scanner.isoDuration()
    case .epoch: return try scanner.epoch()
    case .displayForm: return try scanner.displayForm()
    case .timestamp: return try scanner.timestamp()
    case .span: return try scanner.span(bareNumbers: kind == .span)
    case .phrase: return try scanner.phrase()
    case .calendar: return try scanner.calendarEvent()
    }
  }

  /// The text with the word at the place where reading stopped replaced by the one that was probably meant; nil when
  /// that reads no better.
  func corrected(_ misread: Misread) -> String? {
    var before = scanner
    before.position = misread.offset
    while before.position > 0, ASCII.isLetter(before.bytes[before.position - 1]) { before.position -= 1 }
    guard let word = before.word(), let nearest = Vocabulary.nearest(to: word) else { return nil }
    let after = before.bytes[(before.position + word.utf8.count)...]
    let text =
      String(decoding: before.bytes[..<before.position], as: UTF8.self) + nearest
      + String(decoding: after, as: UTF8.self)
    return (try? ExpressionReader(text, as: kind).form()) == nil ? nil : text
  }

  /// The same with a sign, for a span where a timestamp was asked for.
  func signed(_ text: String) -> String? {
    guard kind == .timestamp, (try? ExpressionReader("+" + text, as: kind).form()) != nil else { return nil }
    return "+" + text
  }

  /// The event that was meant where a unit or a span follows `every`: `day`, `5min`; nil for what is neither.
  func recurring() -> String? {
    guard kind == .calendar else { return nil }
    if let word = scanner.word(), scanner.position + word.utf8.count == scanner.end {
      return CalendarShorthand.name(ofUnit: word)
    }
    var scanner = scanner
    guard case .span(let span, _) = try? scanner.span(bareNumbers: false) else { return nil }
    return CalendarShorthand.event(every: span)
  }
}
