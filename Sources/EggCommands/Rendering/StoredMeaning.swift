import Alarms
import EggProtocol
import EggTime
import Gettext

/// What an alarm's expression meant when it was scheduled, perhaps by an earlier version of eggd.
///
/// The stored timing stays as it is. `again` reads the expression anew, and the rules for reading may have
/// changed.
struct StoredMeaning {
  let alarm: WireAlarm
  let moments: Moments

  /// `'1h30' was 1 h 30 s when it was entered and is 1 h 30 min now`; nil if the meaning is the same. `new`
  /// is the alarm scheduled from it.
  func difference(from new: WireAlarm) -> String? {
    let dayAt = new.civil.map(TimeOfDay.init) ?? .usual
    guard let text = alarm.expression, isReadDifferently(dayAt), let then = Self.words(alarm, moments),
      let now = Self.words(new, moments), then != now
    else { return nil }
    return tr("'\(text.visible)' was \(then) when it was entered and is \(now) now")
  }

  /// The failure if the expression cannot be read any more, with a command for the same alarm; nil for other
  /// errors.
  func failure(_ error: ScheduleError) -> Failure? {
    guard case .invalidExpression(let text, let offset, let why, let nearest, let readings) = error else {
      return nil
    }
    let reason = tr(received: why).visible
    let message =
      Self.words(alarm, moments).map {
        tr("'\(text.visible)' was \($0) when it was entered and cannot be read any more: \(reason)")
      } ?? tr("'\(text.visible)' cannot be read any more: \(reason)")
    return Failure(
      .usage, message,
      excerpt: Excerpt.caret(under: Int(clamping: offset), in: text),
      hint: command ?? Failure.question(readings ?? [nearest].compactMap(\.self)) ?? "eggctl help times")
  }

  /// Whether the expression, read as of then, differs from what is stored.
  ///
  /// A later change may have moved the date and time, and when the expression was entered is then unknown.
  /// For a changed alarm they are not compared.
  private func isReadDifferently(_ dayAt: TimeOfDay) -> Bool {
    let readings = [alarm.modifiedAt, alarm.createdAt].compactMap { $0.flatMap { reading(at: $0, dayAt) } }
    guard let reading = readings.last, !readings.contains(where: isStored) else { return false }
    switch reading {
    case .civil where alarm.civil != nil, .instant where alarm.instant != nil: return alarm.modifiedAt == nil
    case .span, .civil, .instant, .recurring: return true
    }
  }

  private func reading(at moment: Instant, _ dayAt: TimeOfDay) -> ExpressionReading? {
    var zone = moments.zone
    if let name = alarm.readingZone, name != zone.identifier, let named = try? Zone.named(name) {
      zone = named
    }
    let context = ReadingContext(now: moment, zone: zone, from: alarm.from, dayAt: dayAt)
    guard let text = alarm.expression else { return nil }
    return try? TimeExpression.read(text, in: context, as: alarm.forcedKind?.expressionKind).reading
  }

  private func isStored(_ reading: ExpressionReading) -> Bool {
    switch reading {
    case .span(let span): span == alarm.span
    case .instant(let instant): instant == alarm.instant
    case .civil(let civil, let zone): civil == alarm.civil && (zone == nil || zone == alarm.zone)
    case .recurring(let time): alarm.recurringTime.map { Self.isSame(time, $0) } ?? false
    }
  }

  /// An interval or rule without a start begins when it was entered, so starts are not compared.
  private static func isSame(_ time: RecurringTime, _ other: RecurringTime) -> Bool {
    switch (time, other) {
    case (.interval(let interval), .interval(let stored)):
      interval.step == stored.step && interval.zoneName == stored.zoneName
    case (.rule(let set), .rule(let stored)): set.rule == stored.rule && set.zoneName == stored.zoneName
    default: time == other
    }
  }

  /// `1 h 30 s`, `2026. 11. 25. 07:30:00`, `every Mon–Fri 07:30`; nil if the alarm has no timing.
  private static func words(_ alarm: WireAlarm, _ moments: Moments) -> String? {
    if let span = alarm.span { return SpanText.whole(span) }
    if let instant = alarm.instant { return moments.text(instant) }
    guard let civil = alarm.civil else { return alarm.rule(in: moments.zone) }
    let zone = alarm.zone.flatMap { $0 == moments.zone.identifier ? nil : " \($0.visible)" } ?? ""
    return moments.text(civil) + zone
  }

  /// A command for the same alarm; nil if its moment is past.
  private var command: String? {
    guard let text = canonical else { return nil }
    let context = ReadingContext(now: moments.now, zone: moments.zone)
    for kind in [nil, alarm.kind] {
      guard let time = try? TimeExpression.read(text, in: context, as: kind?.expressionKind),
        isStored(time.reading) || time.canonical == text, (try? time.instant(in: context)) != nil
      else { continue }
      return "eggctl schedule" + (kind.map { " --\($0.rawValue)" } ?? "") + " \(text.shellQuoted)" + options
    }
    return nil
  }

  /// An expression with the stored meaning; see ``TimeExpression/canonical``.
  private var canonical: String? {
    if let span = alarm.span { return SpanText.canonical(span) }
    if let instant = alarm.instant {
      return Self.text(instant)
    }
    if let civil = alarm.civil {
      let isOfCaller = alarm.floats == true || alarm.zone == moments.zone.identifier
      return civil.description + (isOfCaller ? "" : alarm.zone.map { " \($0)" } ?? "")
    }
    return alarm.recurrence
  }

  /// `2026-12-24T22:59:59.999999Z`
  private static func text(_ moment: Instant) -> String {
    Zone.utc.civil(at: moment).description.replacing(" ", with: "T") + "Z"
  }

  private var options: String {
    var words: [String] = []
    if let label = alarm.label { words += ["--label", label.shellQuoted] }
    if alarm.eggs != 1 { words += ["--eggs", "\(alarm.eggs)"] }
    if alarm.category != .other { words += ["--category", alarm.category.rawValue] }
    if let group = alarm.group { words += ["--group", group.shellQuoted] }
    words += alarm.manner.options
    if let from = alarm.from, from > moments.now { words += ["--from", Self.text(from)] }
    if let until = alarm.until { words += ["--until", Self.text(until)] }
    if let count = alarm.count { words += ["--count", "\(count)"] }
    for lead in alarm.leads ?? [] where lead > .zero { words += ["--before", lead.description.shellQuoted] }
    if let leads = alarm.leads, !leads.contains(.zero) { words += ["--only-before"] }
    for name in alarm.except ?? [] { words += ["--except", name.shellQuoted] }
    for name in alarm.onlyOn ?? [] { words += ["--only-on", name.shellQuoted] }
    switch alarm.ifMissed {
    case .record?: words += ["--if-missed", "record"]
    case .ringWithin?:
      let span = alarm.ringWithin.map(SpanText.canonical) ?? "0s"
      words += ["--ring-within", span.shellQuoted]
    case .ring?, nil: break
    }
    return words.map { " " + $0 }.joined()
  }
}
