import Alarms
import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

extension Surroundings {
  /// The caller's zone. Throws if TZ or /etc/localtime is not a zone.
  func zone() throws -> Zone {
    do {
      return try localZone()
    } catch {
      switch error {
      case .invalidIdentifier(let name), .unknown(let name):
        throw ScheduleError.invalidZone(zone: name).failure(precondition: nil) { _ in "" }
      case .unreadable(let path, _), .malformed(let path):
        throw Failure(.usage, tr("the zone data in \(path.visible) cannot be read"))
      }
    }
  }

  /// The zone to send to eggd. nil if /etc/localtime has no name: eggd then reads the same file.
  func zoneName() throws -> String? {
    let name = try zone().identifier
    guard name == "localtime" else { return name }
    guard let host else { return nil }
    throw Failure(
      .usage, tr("this machine's zone has no name that \(host.name.text) would know"),
      hint: tr("set TZ to the name of a file in /usr/share/zoneinfo, such as Europe/Paris"))
  }

  func readingContext() throws -> ReadingContext { ReadingContext(now: now(), zone: try zone()) }

  /// Throws if --from, --until, --count or days off are given for a time that does not recur, or that never rings
  /// between the first two.
  func checkRecurs(
    _ text: String, as kind: Timing.Kind?, from: Instant?, until: Instant?, with options: AlarmOptions
  ) throws {
    let isBounded = from != nil || until != nil || options.count != nil || options.isEndless
    guard isBounded || options.namesDaysOff else { return }
    let context = ReadingContext(now: now(), zone: try zone(), from: from)
    let expression = try? expression(reading: text, as: kind, in: context)
    guard let expression, expression.kind == .calendar else {
      var failure = Failure.ringsOnce(text, isBounded: isBounded)
      failure.hint = recurring(text, in: context)
      throw failure
    }
    if options.isEndless, expression.until != nil || expression.count != nil {
      throw Failure(.usage, tr("--until none, but '\(text.visible)' names an end"))
    }
    if let from, let until, until < from { throw Failure(.usage, tr("--until is before --from")) }
    if let until, let first = try? expression.instant(in: context), until < first {
      throw Failure(.usage, tr("'\(text.visible)' does not ring before --until"))
    }
  }

  /// Suggests a recurring time for one that rings once.
  private func recurring(_ text: String, in context: ReadingContext) -> String {
    let every = "every " + text
    if (try? TimeExpression.read(every, in: context))?.kind == .calendar,
      let command = Eggctl.commands(typed, with: [every], for: text)
    {
      return command
    }
    return tr(
      "recurring times: 'every monday 9:00', 'every 20m', daily, Mon..Fri 07:30; more: eggctl help times")
  }

  /// Prints hints on what may be surprising about an alarm or its expression. `text` was read just now.
  func explain(_ alarm: WireAlarm, typed text: String? = nil, as kind: Timing.Kind? = nil) throws {
    let zone = try alarm.zone.flatMap { try? Zone.named($0) } ?? zone()
    let expression = text.flatMap {
      try? TimeExpression.read($0, in: readingContext(), as: kind?.expressionKind)
    }
    let isDense = alarm.recurringTime?.isDense ?? false
    let isAtDayAt = kind == nil && expression?.isDayAlone ?? false
    let hints = [
      isDense ? ExpressionHint.denseEvent.words : expression?.hint?.words,
      isAtDayAt ? dates.dayAt.asDayAt : nil,
    ].compactMap(\.self)
    for hint in hints { try output.hint(hint) }
    if !hints.isEmpty, text != nil { try output.hint(tr("eggctl undo takes it back")) }
    guard let time = alarm.recurringTime, let due = alarm.due else { return }
    let base = ReadingContext(now: now(), zone: zone, from: alarm.from).base
    guard
      let skipped = time.skipped(
        after: base, first: due, until: alarm.until, count: alarm.count, in: zone)
    else { return }
    try output.hint(skipped.words(clock: tr("the clock"), zone: " (\(zone.identifier))"))
  }

  /// Alarms and a span behind them. A number that the span needs counts as the span's: `1 10 minutes`.
  ///
  /// - Parameters:
  ///   - isSnooze: A moment may stand in the span's place, and without a name it is the alarm that rings.
  func selectionAndSpan(
    reading typed: [String], all: Bool, _ naming: AlarmNaming, isSnooze: Bool = false
  ) throws -> (selection: WireSelection, span: String) {
    let context = try readingContext()
    func isSpan(_ words: [String]) -> Bool {
      let text = words.joined(separator: " ")
      if isSnooze, SnoozeWords.moment(text) != nil || SnoozeWords(text, in: context) != nil { return true }
      return (try? TimeExpression.span(text, in: context)) != nil
    }
    func isOwn(_ words: [String]) -> Bool {
      words[0].hasPrefix("-") || words[0].hasPrefix("+") || isSpan(words)
    }
    // Behind a number there is a span.
    let isNumbered = try WireSelection.read(Array(typed.prefix(1))).rest.isEmpty
    let words = try all || isNumbered ? typed : naming.numbered(typed, isOwn: isOwn)
    var (selection, rest) = try WireSelection.read(words, all: all)
    let place = words.count - rest.count - 1
    let first = all || isSnooze ? 0 : 1
    if !rest.isEmpty, place >= first, !isSpan(rest), isSpan([words[place]] + rest) {
      (selection, _) = try WireSelection.read(Array(words[..<place]), all: all)
      rest.insert(words[place], at: 0)
    }
    if isSnooze, selection == WireSelection(), rest.isEmpty || isSpan(rest) {
      selection = try naming.ringing()
    }
    if let word = rest.first, !all, !selection.isNamed, !isOwn(rest) { throw Failure.noAlarm(word) }
    try selection.check(verb: naming.verb)
    // `snooze tea 5`
    if isSnooze, rest.isEmpty, words.count > 1, let number = typed.last,
      number.allSatisfy({ "0"..."9" ~= $0 })
    {
      let command = "eggctl \(naming.verb) \(TypedWords.spaced(words[...]))"
      let span = "eggctl \(naming.verb) \(TypedWords.spaced(words.dropLast())) \(number)m"
      if let value = Int64(number) {
        _ = try Connection(self).read(ShowCall(number: value), absent: span)
      }
      guard isNumbered else {
        throw Failure(
          .usage, tr("'\(number)' may be an alarm or part of the time"),
          hint: [span, command].joined(separator: tr(", or ")))
      }
    }
    return (selection, rest.joined(separator: " "))
  }

  func span(reading text: String) throws -> TimeSpan {
    let context = try readingContext()
    do {
      return try TimeExpression.span(text, in: context)
    } catch {
      var failure = Failure(error, of: text)
      if error.nearest == nil, failure.hint != nil { failure.hint = tr("enter a span: 90s, 10m, 1h30m") }
      throw failure
    }
  }

  /// The caller's clock and zone, unless the options replace them.
  func readingContext(base: String?, zone name: String?, from: String? = nil) throws -> ReadingContext {
    var clock = try zone()
    if let name {
      do {
        clock = try Zone.named(name)
      } catch {
        throw Failure(
          .usage, tr("there is no zone '\(name.visible)' on this machine"),
          hint: tr("--zone takes the name of a file below /usr/share/zoneinfo, such as Europe/Paris"))
      }
    }
    var context = ReadingContext(now: now(), zone: clock)
    if let base, let moment = try timestamp(reading: base, in: context).moment {
      context.now = moment
    }
    if let from { context.from = try timestamp(reading: from, in: context).moment }
    return context
  }

  /// The moment of a time expression, which may be past. A day without a time of day means its midnight.
  func moment(reading text: String) throws -> Instant {
    let context = ReadingContext(now: now(), zone: try zone(), dayAt: .midnight)
    guard let moment = try expression(reading: text, as: nil, in: context).moment else {
      throw Failure(.usage, tr("'\(text.visible)' is not a moment"))
    }
    return moment
  }

  /// A moment that is past. Refuses one ahead: nobody means what is to come by `1h` or `9:00`.
  func pastMoment(reading text: String) throws -> Instant {
    let moment = try moment(reading: text)
    guard moment > now() else { return moment }
    let words = text.utf8.contains { $0 > 0x7f } ? ("전", "오늘", "어제") : ("ago", "today", "yesterday")
    let past = ["\(text) \(words.0)", "\(words.1) \(text)", "\(words.2) \(text)"].first {
      (try? self.moment(reading: $0)).map { $0 < now() } ?? false
    }
    throw Failure(
      .usage, tr("'\(text.visible)' is in the future"), hint: past.map { tr("enter '\($0.visible)'") })
  }

  /// A sound as eggd accepts it: `none`, a name, or the absolute path of a readable file; empty for
  /// `default`.
  func soundText(_ text: String) throws -> String {
    if text == "default" { return "" }
    let isFile = text.contains("/") || text.contains(".")
    let path = isFile ? pathFromRoot(text) : text
    guard let sound = AlarmSound(path) else {
      if let failure = Failure(.sound, path) { throw failure }
      throw Failure(
        .usage,
        tr("'\(text.visible)' is not a sound: enter a name of the sound theme, a file, none or default"),
        hint: "ls /usr/share/sounds/freedesktop/stereo")
    }
    guard case .file = sound else { return path }
    if let host { return try host.file(text) }
    guard FileSystem.isFile(path), access(path, R_OK) == 0 else {
      throw Failure(.usage, tr("cannot read the sound file '\(path.visible)'"))
    }
    return path
  }

  func pathFromRoot(_ text: String) -> String {
    guard !text.hasPrefix("/"), let directory = variable("PWD") else { return text }
    return directory + "/" + (text.hasPrefix("./") ? text.dropFirst(2) : text[...])
  }

  /// An icon as eggd accepts it: the absolute path of a readable file, or a name. Names of icons have no file
  /// extension.
  func iconName(_ text: String) throws -> String {
    let isFile = text.contains("/") || [".png", ".svg", ".xpm", ".jpg"].contains { text.hasSuffix($0) }
    guard isFile else { return text }
    if let host { return try host.file(text) }
    let path = pathFromRoot(text)
    guard access(path, R_OK) == 0 else {
      throw Failure(.usage, tr("cannot read the icon file '\(path.visible)'"))
    }
    return path
  }

  /// One moment, of which a day without a time of day means its midnight. Unlike a typed `--at`, refuses what may be two.
  func timestamp(reading text: String, in context: ReadingContext) throws -> TimeExpression {
    var context = context
    context.dayAt = .midnight
    let expression = try expression(reading: text, as: nil, in: context)
    guard expression.kind != .timestamp else { return expression }
    return try self.expression(reading: text, as: .at, in: context)
  }

  func expression(
    reading text: String, as kind: Timing.Kind?, in context: ReadingContext
  ) throws -> TimeExpression {
    do {
      let expression = try TimeExpression.read(text, in: context, as: kind?.expressionKind)
      guard kind == nil, expression.isDayAlone, context.dayAt == .usual else { return expression }
      var context = context
      context.dayAt = dates.dayAt
      return try TimeExpression.read(text, in: context)
    } catch {
      throw Failure(error, of: text)
    }
  }
}

extension Surroundings {
  /// A text that names that moment: the given one as long as it does.
  func text(of expression: String, at moment: Instant?, in context: ReadingContext) throws -> String {
    guard let moment else { return expression }
    let isNamed = try self.expression(reading: expression, as: nil, in: context).moment == moment
    return isNamed ? expression : "\(context.zone.civil(at: moment))"
  }
}

extension TimeOfDay {
  /// The hint on a day without a time of day.
  var asDayAt: String { tr("no time of day was entered: \(text) is day-at of config.toml") }
}

extension Failure {
  /// Of options for recurring alarms: those that bound one, or days off.
  static func ringsOnce(_ text: String, isBounded: Bool) -> Failure {
    Failure(
      .usage,
      isBounded
        ? tr("--from, --until and --count are for recurring alarms, and '\(text.visible)' rings once")
        : tr("--except and --only-on are for recurring alarms, and '\(text.visible)' rings once"))
  }

  init(_ error: ExpressionError, of text: String) {
    switch error {
    case .unreadable(let offset, let reason, let readings):
      self = .unreadable(text, at: offset, reason: reason.words, readings: readings)
      // These reasons have an example of their own.
      if readings.isEmpty, [.spanWanted, .momentWanted, .recurrenceWanted].contains(reason) { hint = nil }
    case .inThePast:
      self = Failure(
        .usage, tr("'\(text.visible)' is in the past"), excerpt: Excerpt.caret(under: 0, in: text))
    }
  }
}

extension ExpressionHint {
  /// Lower case, without a full stop.
  var words: String {
    switch self {
    case .averageUnits(let instead):
      tr("a month is 30.44 days here and a year 365.25; for calendar months enter '\(instead)'")
    case .denseEvent: tr("this rings more often than once a minute")
    case .calendarUnits:
      tr("months and years are counted on the calendar: the same day of the month, the same time")
    case .timeOfDay(let instead): tr("this counts from now; for a time of day enter '\(instead)'")
    case .afternoon(let instead): tr("this is in the morning; for twelve hours later enter '\(instead)'")
    case .weekAfter(let instead): tr("this is the coming one; for the one after it enter '\(instead)'")
    case .dayAfter(let instead):
      tr("this is midnight at the start of that day; for its end enter '\(instead)'")
    case .midnight(let instead): tr("this is noon; for midnight enter '\(instead)'")
    case .firstDay(let instead): tr("this keeps the day and the time; for the first day enter '\(instead)'")
    case .usualTime(let time): tr("no time of day was entered: \(time) was taken")
    }
  }
}

extension RecurringTime {
  /// The first time after `base` that the clock jumps over or shows twice, up to `end` or a year after the
  /// first elapse; nil if there is none.
  func skipped(
    after base: Instant, first: Instant, until end: Instant? = nil, count: Int64? = nil, in zone: Zone
  ) -> SkippedTime? {
    // A skipped time before the first elapse counts too: it is why the first elapse is late.
    if let skipped = firstSkipped(after: base, before: first, within: 1, in: zone) { return skipped }
    let moment = TimeSpan(microseconds: 1)
    let year = first + .seconds(366 * 86_400)
    return firstSkipped(
      after: first - moment, before: end.map { min(year, $0 + moment) } ?? year, within: count ?? .max,
      in: zone)
  }
}

extension SkippedTime {
  /// Lower case except for `clock`, without a full stop. `zone` follows the time.
  func words(clock: String, zone: String = "") -> String {
    switch self {
    case .jumpedOver(let time): tr("\(clock) jumps over \(time)\(zone): it does not ring then")
    case .shownTwice(let time): tr("\(clock) shows \(time) twice\(zone): it rings the first time only")
    }
  }
}
