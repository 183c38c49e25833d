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
  /// Refuses a word that may belong to the time; the hint gives a command line for each reading. `command`
  /// comes before the words: `eggctl schedule`.
  static func split(
    _ typed: [String], command: String, as kind: Timing.Kind?, in context: ReadingContext
  ) throws -> ExpressionWords {
    let moments = MomentWords(typed, as: kind?.expressionKind, in: context)
    var found = try splitTime(moments.rest, command: command, as: kind, in: context)
    found.moments = moments.isEmpty ? nil : moments
    return found
  }

  private static func splitTime(
    _ typed: [String], command: String, as kind: Timing.Kind?, in context: ReadingContext
  ) throws -> ExpressionWords {
    guard let found = TypedWords(typed, as: kind?.expressionKind, in: context) else {
      let arranged = TypedWords.arranged(typed, as: kind?.expressionKind, in: context)
      throw lunar(arranged.words, kind, context)
        ?? unread(arranged.words, arranged.doubtfulStart, command, kind, context)
    }
    if let index = found.suspect {
      throw lunar(found.words, kind, context) ?? refusal(found, index - found.count, command, kind, context)
    }
    return ExpressionWords(expression: found.time.text, label: found.label)
  }

  /// The command that keeps a label of any length as a note; nil without a label.
  func noted(_ command: String) -> String? {
    label.map { "\(command) \(Self.typed(expression)) --note \($0.shellQuoted)" }
  }

  /// The failure for a day of the lunar calendar that recurs: it does as an anniversary.
  private static func lunar(_ words: [String], _ kind: Timing.Kind?, _ context: ReadingContext) -> Failure? {
    for count in words.indices.reversed().map({ $0 + 1 }) {
      let text = spaced(words[..<count])
      guard case .unreadable(let offset, let reason, _)? = error(text, kind, context),
        case .lunarRecurs(let month, let day) = reason
      else { continue }
      let year = context.zone.civil(at: context.now).year
      let date = (year - 1...year).compactMap { LunarDate(year: $0, month: month, day: day) }.last
      let name = spaced(count < words.count ? words[count...] : words.dropFirst()).shellQuoted
      return Failure(
        .usage, reason.words, excerpt: Excerpt.caret(under: offset, in: spaced(words[...])),
        hint: date.map { "eggctl anniversary \(name) \($0.year)-\($0.month)-\($0.day) --lunar" })
    }
    return nil
  }

  private static func error(
    _ text: String, _ kind: Timing.Kind?, _ context: ReadingContext
  ) -> ExpressionError? {
    do throws(ExpressionError) {
      _ = try TimeExpression.read(text, in: context, as: kind?.expressionKind)
      return nil
    } catch {
      return error
    }
  }

  /// The failure if no first words form an expression. From `start` on they do, and those before it may be a label.
  private static func unread(
    _ words: [String], _ start: Int?, _ command: String, _ kind: Timing.Kind?, _ context: ReadingContext
  ) -> Failure {
    guard !words.isEmpty, let error = error(spaced(words[...]), kind, context) else {
      return Failure(.usage, tr("no time was given"), hint: "\(command) 6m30s")
    }
    // `meeting at 3`
    if let start, error.nearest == nil, let part = self.error(spaced(words[start...]), kind, context),
      part.nearest != nil
    {
      var failure = Failure(part, of: spaced(words[start...]))
      failure.choices = part.readings.map { ExpressionWords(expression: $0, label: spaced(words[..<start])) }
      failure.hint = hint(failure.choices, command)
      return failure
    }
    // If a label follows a wrong time, the error is about the time, provided that has readings alone.
    let isCut =
      switch error {
      case .unreadable(_, .unexpected, []), .unreadable(_, .unknownUnit, []),
        .unreadable(_, .unknownZone, []), .unreadable(_, .countIsMissing, []):
        true
      default: false
      }
    for count in (1..<max(words.count, 1)).reversed() where isCut {
      let text = spaced(words[..<count])
      if let part = self.error(text, kind, context), part.nearest != nil {
        var failure = Failure(part, of: text)
        let label = spaced(words[count...])
        failure.choices = part.readings.map { ExpressionWords(expression: $0, label: label) }
        return failure
      }
    }
    var failure = Failure(error, of: spaced(words[...]))
    failure.choices = error.readings.map { ExpressionWords(expression: $0) }
    // `--in tomorrow`
    if kind != nil, error.nearest == nil, let found = TypedWords(words, as: nil, in: context),
      found.suspect == nil, (try? found.time.instant(in: context)) != nil
    {
      failure.hint =
        ExpressionWords(expression: found.time.text, label: found.label).entered(behind: command)
    }
    // `black coffee friday 2030`, `call tom at 5pm`
    if let start, error.nearest == nil {
      let starts = [start, start + 1].filter { self.error(spaced(words[$0...]), kind, context) == nil }
      failure.choices = starts.map {
        ExpressionWords(expression: spaced(words[$0...]), label: spaced(words[..<$0]))
      }
      failure.hint = hint(failure.choices, command)
    }
    return failure
  }

  private static func hint(_ choices: [ExpressionWords], _ command: String) -> String {
    choices.map { $0.entered(behind: command) }.joined(separator: tr(", or "))
  }

  /// The failure for a word at `index` after the time that may belong to it.
  private static func refusal(
    _ found: TypedWords, _ index: Int, _ command: String, _ kind: Timing.Kind?, _ context: ReadingContext
  ) -> Failure {
    let (words, count) = (found.words, found.count)
    let (expression, label) = (found.time.text, spaced(words[count...]))
    let joined = spaced(words[...])
    let word = words[count + index]
    let readings = { (text: String) in error(text, kind, context)?.readings }
    var choices = (readings(joined) ?? []).map { ExpressionWords(expression: $0) }
    var reason: String?
    var isRange = false
    // `7am gym monday`, `tomorrow meeting at 3`
    if choices.isEmpty, index > 0 {
      let text = expression + " " + spaced(words[(count + index)...])
      let between = spaced(words[count..<(count + index)])
      choices = (readings(text) ?? [text]).map { ExpressionWords(expression: $0, label: between) }
    }
    if choices.isEmpty, count + index + 1 < words.count {
      let text = spaced(words[...(count + index)])
      let behind = spaced(words[(count + index + 1)...])
      choices = (readings(text) ?? []).map { ExpressionWords(expression: $0, label: behind) }
    }
    if case .unreadable(let offset, let why, let readings)? = error(joined, kind, context),
      !readings.isEmpty || offset > expression.utf8.count, why != .unexpected, why != .unknownZone
    {
      reason = why.words
      isRange = why == .range
    }
    var commands = choices.map { $0.entered(behind: command) }
    var labelled: [ExpressionWords] = []
    func offer(_ time: String, _ label: String) {
      labelled.append(ExpressionWords(expression: time, label: label))
      commands.append("\(command) \(time.shellQuoted) \(Self.labelled(label.shellQuoted))")
    }
    // In `10m 2 eggs` the number may belong to the label.
    if let shorterCount = found.shorterCount {
      let shorter = spaced(words[..<shorterCount])
      if error(shorter, kind, context) == nil { offer(shorter, spaced(words[shorterCount...])) }
    }
    if commands.isEmpty || !isRange { offer(expression, label) }
    let place = spaced(words[..<(count + index)]).utf8.count + 1
    var failure = Failure(
      .usage,
      tr("'\(word.visible)' after '\(expression.visible)' may be part of the time")
        + (reason.map { ": \($0)" } ?? ""),
      excerpt: Excerpt.caret(under: place, in: joined), hint: commands.joined(separator: tr(", or ")))
    failure.choices = choices.count > 1 ? choices : choices + labelled
    return failure
  }

  /// The command line with this time and label.
  private func entered(behind command: String) -> String {
    "\(command) \(Self.typed(expression))" + (label.map { " " + Self.labelled($0.shellQuoted) } ?? "")
  }

  /// A label that begins with a hyphen must follow `=`.
  private static func labelled(_ quoted: String) -> String {
    let isHyphened = quoted.drop { $0 == "\"" || $0 == "'" }.first == "-"
    return (isHyphened ? "--label=" : "--label ") + quoted
  }

  /// A reading in words of its own, unless the shell would read one of them otherwise: `at 7 o'clock`.
  private static func typed(_ reading: String) -> String {
    let special = "'\"$`\\!*?[](){}<>;&|~#".unicodeScalars
    return reading.unicodeScalars.contains(where: special.contains) ? reading.shellQuoted : reading.visible
  }

  private static func spaced(_ words: ArraySlice<String>) -> String { TypedWords.spaced(words) }
}

extension String {
  /// The text as one word of a POSIX shell, quoted only if needed.
  var shellQuoted: String {
    let bare = utf8.allSatisfy {
      switch $0 {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
        UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: ":"), UInt8(ascii: "-"), UInt8(ascii: "+"),
        UInt8(ascii: "."), UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    if bare, !isEmpty { return self }
    let special = "\"$`\\!".unicodeScalars
    return unicodeScalars.contains(where: special.contains) ? visible.inSingleQuotes : "\"\(visible)\""
  }
}
