import Alarms
import EggTime
import Gettext

/// A command line's words, split into time expression and label.
struct ExpressionWords: Equatable {
  /// The words that form one expression, joined by blanks.
  var expression: String
  /// The words after the expression, none of which can belong to it.
  var label: String?
  /// What stands beside both: `15 minutes before`, `except holidays`.
  var moments: MomentWords?

  /// Takes as many words as form one expression. The rest is the label, as are words before or within the time.
  ///
  /// Refuses a word that may belong to the time; the hint gives a command line for each reading.
  static func split(
    _ typed: [String], command: TypedCommand, as kind: Timing.Kind?, in context: ReadingContext
  ) throws -> ExpressionWords {
    let moments = MomentWords(typed, as: kind?.expressionKind, in: context)
    var found = try Splitting(command: command.saying(moments), kind: kind?.expressionKind, context: context)
      .split(moments.rest)
    found.moments = moments.isEmpty ? nil : moments
    return found
  }

  /// What words may mean that are refused because they can be read in several ways.
  static func choices(_ words: [String], in context: ReadingContext) -> [ExpressionWords] {
    do {
      _ = try split(words, command: "eggctl schedule", as: nil, in: context)
      return []
    } catch {
      return (error as? Failure)?.choices ?? []
    }
  }

  /// The command that keeps a long label as a note; nil if it cannot be one, or there is another.
  func noted(_ command: TypedCommand) -> String? {
    let command = moments.map(command.saying) ?? command
    guard let label, Failure(.note, label) == nil, !command.has("--note") else { return nil }
    return command.with(Self.typed(expression), note: label)
  }

  /// The command line with this time and label, which becomes a note if it is too long for one.
  fileprivate func entered(as command: TypedCommand) -> String {
    if let label, Failure(.label, label) != nil, let noted = noted(command) { return noted }
    return command.with(Self.typed(expression), label: label)
  }

  /// A reading in words of its own, unless the shell would read one of them otherwise: `at 7 o'clock`.
  fileprivate static func typed(_ reading: String) -> String {
    let special = "'\"$`\\!*?[](){}<>;&|~#".unicodeScalars
    return reading.unicodeScalars.contains(where: special.contains) ? reading.shellQuoted : reading.visible
  }
}

/// Finds the time among words without the phrases beside it, or says why there is none.
private struct Splitting {
  /// For hints.
  let command: TypedCommand
  let kind: ExpressionKind?
  let context: ReadingContext

  func split(_ typed: [String]) throws -> ExpressionWords {
    guard let found = TypedWords(typed, as: kind, in: context) else {
      let arranged = TypedWords.arranged(typed, as: kind, in: context)
      throw lunar(arranged.words) ?? unread(arranged.words, arranged.doubtfulStart)
    }
    if let index = found.suspect { throw lunar(found.words) ?? refusal(found, index - found.count) }
    return ExpressionWords(expression: found.time.text, label: found.label)
  }

  /// The failure for a day of the lunar calendar that recurs: it does as an anniversary.
  private func lunar(_ words: [String]) -> Failure? {
    for count in words.indices.reversed().map({ $0 + 1 }) {
      let text = spaced(words[..<count])
      guard case .unreadable(let offset, let reason, _)? = error(text),
        case .lunarRecurs(let month, let day) = reason
      else { continue }
      let year = context.zone.civil(at: context.now).year
      let date = (year - 1...year).compactMap { LunarDate(year: $0, month: month, day: day) }.last
      let name = spaced(count < words.count ? words[count...] : words.dropFirst()).shellQuoted
      return Failure(
        .usage, reason.words, excerpt: Excerpt.caret(under: offset, in: spaced(words[...])),
        hint: date.map {
          "eggctl anniversary \(name) \($0.year)-\($0.month)-\($0.day) --lunar"
            + command.options(of: AnniversaryVerb.self)
        })
    }
    return nil
  }

  /// Whether a text reads as a time that lies ahead.
  private func isAhead(_ text: String) -> Bool {
    let read = try? TimeExpression.read(text, in: context, as: kind)
    return (try? read?.instant(in: context)) != nil
  }

  /// Why a text is refused; with the readings that lie ahead, or all if none does.
  private func error(_ text: String) -> ExpressionError? {
    let error = TimeExpression.refusal(of: text, in: context, as: kind)
    guard case .unreadable(let offset, let reason, let readings)? = error else { return error }
    let ahead = readings.filter(isAhead)
    return ahead.isEmpty ? error : .unreadable(offset: offset, reason: reason, readings: ahead)
  }

  /// The failure if no first words form an expression. From `start` on they do, and those before it may be a label.
  private func unread(_ words: [String], _ start: Int?) -> Failure {
    guard !words.isEmpty, let error = error(spaced(words[...])) else {
      return Failure(.usage, tr("no time was given"), hint: command.with("6m30s"))
    }
    // `meeting at 3`
    if let start, error.nearest == nil, let part = self.error(spaced(words[start...])), part.nearest != nil {
      let label = labelBefore(words[..<start])
      return Failure(part, of: spaced(words[start...]))
        .offering(part.readings.map { ExpressionWords(expression: $0, label: label) }, command)
    }
    // If a label follows a wrong time, the error is about the time, provided that has readings alone.
    for count in (1..<max(words.count, 1)).reversed() where error.readings.isEmpty {
      let text = spaced(words[..<count])
      // `2 thursdays ago`, `morning of the 5th`
      guard !TypedWords.mayBeTime(words[count]), !TypedWords.isJoint(words[count]) else { continue }
      if let part = self.error(text), part.nearest != nil {
        let label = spaced(words[count...])
        let choices = part.readings.map { ExpressionWords(expression: $0, label: label) }
        return Failure(part, of: text).offering(around(words, count) + choices, command)
      }
    }
    var failure = Failure(error, of: spaced(words[...]))
      .offering(error.readings.map { ExpressionWords(expression: $0) }, command)
    // `--in tomorrow`
    if kind != nil, error.nearest == nil, let found = TypedWords(words, as: nil, in: context),
      found.suspect == nil, (try? found.time.instant(in: context)) != nil
    {
      let time = ExpressionWords.typed(found.time.text)
      failure.hint = command.with(time, label: found.label, kindIsOther: true)
    }
    // `black coffee friday 2030`, `call tom at 5pm`
    if let start, error.nearest == nil {
      let starts = [start, start + 1].filter { isAhead(spaced(words[$0...])) }
      var choices = starts.map {
        ExpressionWords(expression: spaced(words[$0...]), label: labelBefore(words[..<$0]))
      }
      // `london 9am`
      if TypedWords.isPlace(words[..<start], in: context) {
        let behind = spaced(words[start...]) + " " + spaced(words[..<start])
        let zoned = self.error(behind).map(\.readings) ?? [behind]
        choices = zoned.map { ExpressionWords(expression: $0) } + choices
      }
      failure = failure.offering(choices, command)
    }
    return failure
  }

  /// The time on both sides of a label that begins at `start`: `tonight at 7` of `tonight dinner at 7`; empty if there
  /// is none.
  private func around(_ words: [String], _ start: Int) -> [ExpressionWords] {
    let end = words.indices.dropFirst(start + 1).first { isAhead(spaced(words[..<start] + words[$0...])) }
    return end.map {
      [ExpressionWords(expression: spaced(words[..<start] + words[$0...]), label: spaced(words[start..<$0]))]
    } ?? []
  }

  /// A dash between the label and the time belongs to neither.
  private func labelBefore(_ words: ArraySlice<String>) -> String {
    spaced(words.last.map(TypedWords.isDash) ?? false ? words.dropLast() : words)
  }

  /// The failure for a word at `index` after the time that may belong to it.
  private func refusal(_ typed: TypedWords, _ index: Int) -> Failure {
    let (words, count) = (typed.words, typed.count)
    let (expression, label) = (typed.time.text, spaced(words[count...]))
    let joined = spaced(words[...])
    let word = words[count + index]
    /// The text, or what its refusal offers; nothing where it is read and must not be.
    func choices(_ text: String, _ label: String? = nil, isRead: Bool = true) -> [ExpressionWords] {
      (error(text).map(\.readings) ?? (isRead ? [text] : []))
        .map { ExpressionWords(expression: $0, label: label) }
    }
    var found = choices(joined, isRead: false)
    var reason: String?
    var isRange = false
    // `7am gym monday`, `tomorrow meeting at 3`
    if found.isEmpty, index > 0 {
      let end = spaced(words[(count + index)...])
      let between = words[count..<(count + index)]
      // `9am in korea`
      let label = between.allSatisfy(TypedWords.isJoint) ? nil : spaced(between)
      found = choices(expression + " " + end, label)
      // `5 min plank 6pm`
      if found.isEmpty { found = choices(end, spaced(words[..<(count + index)])) }
    }
    // `monday week 10am car service`: what its refusal offers has the time of day.
    for end in (count + index..<words.count - 1).reversed() where found.isEmpty {
      found = choices(spaced(words[...end]), spaced(words[(end + 1)...]), isRead: false)
      if !found.isEmpty { found = around(words, end + 1) + found }
    }
    if case .unreadable(let offset, let why, let readings)? = error(joined),
      !readings.isEmpty || offset > expression.utf8.count || why == .noSuchDate || why == .zoneOfRecurring,
      why != .unexpected, why != .unknownZone
    {
      reason = why.words
      isRange = why == .range
    }
    // `friday to monday`
    if index == 0, found.isEmpty, TypedWords.isTo(word) {
      (found, isRange, reason) = (
        [ExpressionWords(expression: expression)], true, ExpressionError.Reason.range.words
      )
    }
    var commands = found.map { $0.entered(as: command) }
    var labelled: [ExpressionWords] = []
    func offer(_ time: String, _ label: String) {
      labelled.append(ExpressionWords(expression: time, label: label))
      commands.append(command.with(time.shellQuoted, label: label))
    }
    // In `10m 2 eggs` the number may belong to the label.
    if let shorterCount = typed.shorterCount {
      let shorter = spaced(words[..<shorterCount])
      if error(shorter) == nil { offer(shorter, spaced(words[shorterCount...])) }
    }
    if commands.isEmpty || !isRange { offer(expression, label) }
    let place = spaced(words[..<(count + index)]).utf8.count + 1
    var failure = Failure(
      .usage,
      tr("'\(word.visible)' after '\(expression.visible)' may be part of the time")
        + (reason.map { ": \($0)" } ?? ""),
      excerpt: Excerpt.caret(under: place, in: joined), hint: commands.joined(separator: tr(", or ")))
    failure.choices = found.count > 1 ? found : found + labelled
    return failure
  }

  private func spaced(_ words: ArraySlice<String>) -> String { TypedWords.spaced(words) }
}

extension Failure {
  /// With a command line for each choice, if there are any.
  fileprivate func offering(_ choices: [ExpressionWords], _ command: TypedCommand) -> Failure {
    guard !choices.isEmpty else { return self }
    var failure = self
    failure.choices = choices
    failure.hint = choices.map { $0.entered(as: command) }.joined(separator: tr(", or "))
    return failure
  }
}

extension String {
  /// The text as one word of a POSIX shell, quoted only if needed.
  var shellQuoted: String {
    let bare = unicodeScalars.allSatisfy {
      $0.isASCII && ($0.properties.isAlphabetic || $0.properties.numericType != nil)
        || ":-+./@_".unicodeScalars.contains($0)
    }
    if bare, !isEmpty { return self }
    guard visible == self else { return "$'\(unicodeScalars.map(\.inDollarQuotes).joined())'" }
    let special = "\"$`\\!".unicodeScalars
    return unicodeScalars.contains(where: special.contains) ? inSingleQuotes : "\"\(self)\""
  }
}

extension [String] {
  /// The command line with these words: `eggctl list --label 'two eggs'`.
  var asCommand: String { "eggctl " + map(\.shellQuoted).joined(separator: " ") }
}

extension Unicode.Scalar {
  /// Between `$'` and `'`, which bash, zsh and POSIX.1-2024 have: what cannot be shown as it is in octal, by bytes.
  fileprivate var inDollarQuotes: String {
    switch self {
    case "'", "\\": return "\\\(self)"
    case "\n": return "\\n"
    case "\t": return "\\t"
    default: break
    }
    let text = String(self)
    guard text.visible != text else { return text }
    return text.utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
  }
}
