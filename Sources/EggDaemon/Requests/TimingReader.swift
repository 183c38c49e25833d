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
  /// The least distance between two rings of an alarm: each is a journal entry and a bubble.
  static let leastGap = TimeSpan.milliseconds(100)

  /// Reads an expression in `zone`; nil for the machine's.
  ///
  /// A civil time without a zone of its own floats if it was entered in the machine's zone; otherwise it
  /// belongs to `zone`. A recurring alarm does not elapse before `from`.
  func read(
    _ text: String, kind: Timing.Kind?, zone name: String?, from: Instant? = nil
  ) throws(CallFailure) -> AlarmEdit.NewTiming {
    let text = try TextRules.expression(text)
    let zone = try zone(named: name)
    let context = ReadingContext(now: readAt.wall, zone: zone, from: from)
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
        timing: timing, expression: text, forcedKind: kind, readingZone: zone.identifier, due: due)
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
}
