import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// Reads a call's time expressions, relative to the moment when the call was read.
struct TimingReader {
  /// The clock of this boot's countdowns.
  let boot: ClockID
  let machineZone: Zone
  let readAt: ClockReading
  /// When days ring that are entered without a time of day.
  let dayAt: TimeOfDay
  /// The least distance between two rings of an alarm: each is a journal entry and a bubble.
  static let leastGap = TimeSpan.milliseconds(100)

  /// Reads an expression in `zone`; nil for the machine's.
  ///
  /// A civil time without a zone of its own floats if it was entered in the machine's zone; otherwise it
  /// belongs to `zone`. A recurring alarm does not elapse before `from`.
  func read(
    _ text: String, kind: Timing.Kind?, zone name: String?, from: Instant? = nil
  ) throws(CallFailure) -> AlarmEdit.NewTiming {
    try Self.checkBeginning(from)
    let text = try TextRules.expression(text)
    let zone = try zone(named: name)
    let context = ReadingContext(now: readAt.wall, zone: zone, from: from, dayAt: dayAt)
    let expression: TimeExpression
    let due: Instant
    do throws(ExpressionError) {
      expression = try TimeExpression.read(text, in: context, as: kind?.expressionKind)
      due = try expression.instant(in: context)
      guard due <= .latest else { throw .unreadable(offset: 0, reason: .outOfBounds, readings: []) }
    } catch {
      throw error.failure(of: text)
    }

    func timing(_ timing: Timing, due: DuePoint) -> AlarmEdit.NewTiming {
      AlarmEdit.NewTiming(
        timing: timing, expression: text, forcedKind: kind, readingZone: zone.identifier, due: due,
        from: expression.from, until: expression.until, count: expression.count.map(Int64.init))
    }
    switch expression.reading {
    case .span(let span):
      let end = Instant(microseconds: readAt.boot) + span
      return timing(.countdown(span), due: DuePoint(clock: boot, microseconds: end.microseconds))
    case .instant(let instant):
      return timing(.instant(instant), due: .wall(due))
    case .civil(let civil, let typed):
      let floats = typed == nil && zone.identifier == machineZone.identifier
      return timing(
        .civil(civil, zone: typed ?? zone.identifier, floats: floats), due: .wall(due))
    case .recurring(let time):
      guard !time.isDenser(than: Self.leastGap) else {
        throw ExpressionError.unreadable(offset: 0, reason: .tooDense, readings: []).failure(of: text)
      }
      let floats = time.zoneName == nil && zone.identifier == machineZone.identifier
      return timing(
        .every(time, zone: time.zoneName ?? zone.identifier, floats: floats), due: .wall(due))
    }
  }

  /// The call's zone; the machine's by default.
  func zone(named name: String?) throws(CallFailure) -> Zone {
    // The machine's zone may have a name without a file, such as a POSIX TZ string.
    guard let name, name != machineZone.identifier else { return machineZone }
    do throws(ZoneError) {
      return try Zone.named(name)
    } catch {
      throw ScheduleError.invalidZone(zone: name).failure
    }
  }

  /// The beginning has to be in the range of moments.
  static func checkBeginning(_ from: Instant?) throws(CallFailure) {
    if let from, from.microseconds < 0 || from > .latest { throw .invalidParameter("from") }
  }

  /// Refuses bounds for what does not recur, and bounds that allow no elapse.
  static func checkBounds(
    from: Instant?, until: Instant?, count: Int64?, of timing: AlarmEdit.NewTiming?
  ) throws(CallFailure) {
    if let count, count < 1 { throw .invalidParameter("count") }
    guard let timing, from != nil || until != nil || count != nil else { return }
    guard timing.timing.kind == .every else {
      throw .invalidParameter(from != nil ? "from" : until != nil ? "until" : "count")
    }
    if let until, until.microseconds < timing.due.microseconds {
      throw ScheduleError.inThePast(expression: timing.expression, due: until).failure
    }
  }
}

extension TimingReader {
  /// Reads an expression without storing anything.
  func resolve(_ asked: ResolveCall) throws(CallFailure) -> ResolveReply {
    let count = asked.count ?? 5
    guard (1...1_000).contains(count) else { throw .invalidParameter("count") }
    if let base = asked.base, base.microseconds < 0 || base > .latest { throw .invalidParameter("base") }
    try Self.checkBeginning(asked.from)
    let text = try TextRules.expression(asked.expression)
    let context = ReadingContext(
      now: asked.base ?? readAt.wall, zone: try zone(named: asked.zone), from: asked.from, dayAt: dayAt)
    let reply: ResolveReply
    do throws(ExpressionError) {
      let expression = try TimeExpression.read(text, in: context, as: asked.kind?.expressionKind)
      reply = ResolveReply(expression, try expression.moments(in: context, count: Int(count)))
    } catch {
      throw error.failure(of: text)
    }
    guard asked.from == nil || reply.kind == .calendar else { throw .invalidParameter("from") }
    return reply
  }
}
