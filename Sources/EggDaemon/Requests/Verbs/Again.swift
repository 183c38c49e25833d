import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension Scheduling {
  func again(_ call: ServerCall, _ reader: TimingReader) throws(CallFailure) {
    let asked: AgainCall = try call.parameters()
    let which = try AlarmReference(number: asked.number, id: asked.id)
    repeated(which, reader) { result in
      do throws(CallFailure) {
        try make(try result.get(), reader.readAt, for: call) { alarm, outcome in
          AgainReply(alarm: wire(alarm), sequence: outcome.sequence)
        }
      } catch {
        call.fail(error)
      }
    }
  }

  /// The alarm that another alarm's expression gives when read again; answered on the wire's queue.
  func repeated(
    _ which: AlarmReference, _ reader: TimingReader,
    completion: @escaping @Sendable (Result<ScheduleChange, CallFailure>) -> Void
  ) {
    changes.store.alarm(which) { result in
      changes.queue.async {
        completion(
          result.mapError(\.failure).flatMap { found in
            Result { () throws(CallFailure) in try repeated(found.alarm, reader) }
          })
      }
    }
  }

  /// A floating time is read in the machine's zone, everything else in its original zone.
  private func repeated(_ old: Alarm, _ reader: TimingReader) throws(CallFailure) -> ScheduleChange {
    let now = reader.readAt.wall
    let zone: String? =
      switch old.timing {
      case .civil(_, _, floats: true), .every(_, _, floats: true): nil
      default: old.readingZone
      }
    // A beginning in the past becomes now.
    let from = old.from.flatMap { $0 > now ? $0 : nil }
    let timing = try reader.read(old.expression, kind: old.forcedKind, zone: zone, from: from)
    let recurs = timing.timing.kind == .every
    // An edit has removed the end that the text names.
    let isEndless = old.until == nil && old.count == nil
    let until = isEndless ? nil : timing.until ?? (recurs ? old.until : nil)
    let count = isEndless ? nil : timing.count ?? (recurs ? old.count : nil)
    let isTooLate = until.map { $0.microseconds < timing.due.microseconds } ?? false
    guard !isTooLate, count != 0 else {
      throw ScheduleError.noElapseLeft(
        number: old.number, expression: old.expression, until: isTooLate ? until : nil
      ).failure
    }
    // A range to skip belongs to the other alarm.
    let rules = recurs ? old.rules : old.rules.ofOneShot
    let alarm = Alarm(
      number: 0, id: .zero, label: old.label, category: old.category, eggs: old.eggs, group: old.group,
      position: 0, manner: old.manner, timing: timing.timing, expression: timing.expression,
      forcedKind: timing.forcedKind, readingZone: timing.readingZone, ifMissed: old.ifMissed,
      from: timing.from ?? from, until: until, count: count,
      rules: MomentRules(leads: rules.leads, except: rules.except, onlyOn: rules.onlyOn),
      anniversary: old.anniversary, createdAt: now, due: timing.due)
    return ScheduleChange(alarm)
  }
}
