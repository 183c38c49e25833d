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
}
