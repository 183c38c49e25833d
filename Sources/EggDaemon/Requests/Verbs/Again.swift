import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func again(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: AgainCall = try call.parameters()
    let which = try AlarmReference(number: asked.number, id: asked.id)
    repeated(which, readAt) { [self] result in
      do throws(CallFailure) {
        let alarm = try result.get()
        try permit(alarm.run, for: call)
        make(alarm, readAt, for: call) { [self] in reply($0, existed: nil, sequence: $1.sequence) }
      } catch {
        call.fail(error)
      }
    }
  }

  /// The alarm that another alarm's expression gives when read again; answered on the wire's queue.
  ///
  /// A floating time is read in the machine's zone, everything else in its original zone.
  func repeated(
    _ which: AlarmReference, _ readAt: ClockReading,
    completion: @escaping @Sendable (Result<NewAlarm, CallFailure>) -> Void
  ) {
    store.alarm(which) { [self] result in
      queue.async { [self] in
        do throws(CallFailure) {
          let old: Alarm
          switch result {
          case .success(let found): old = found.alarm
          case .failure(let error): throw error.failure(for: which)
          }
          let zone: String? =
            switch old.timing {
            case .civil(_, _, floats: true), .every(_, _, floats: true): nil
            default: old.readingZone
            }
          let reader = TimingReader(boot: store.currentBoot, machineZone: machineZone(), readAt: readAt)
          // A beginning in the past becomes now.
          let from = old.from.flatMap { $0 > readAt.wall ? $0 : nil }
          let timing = try reader.read(old.expression, kind: old.forcedKind, zone: zone, from: from)
          let recurs = timing.timing.kind == .every
          let (until, count) = recurs ? (old.until, old.count) : (nil, nil)
          let isTooLate = until.map { $0.microseconds < timing.due.microseconds } ?? false
          guard !isTooLate, count != 0 else {
            throw ScheduleError.noElapseLeft(
              number: old.number, expression: old.expression, until: isTooLate ? until : nil
            ).failure
          }
          completion(
            .success(
              NewAlarm(
                label: old.label, category: old.category, eggs: old.eggs, group: old.group,
                summary: old.summary, body: old.body, icon: old.icon, note: old.note,
                sound: old.sound, insist: old.insist, run: old.run, wake: old.wake,
                timing: timing.timing,
                expression: timing.expression,
                forcedKind: timing.forcedKind, readingZone: timing.readingZone, due: timing.due,
                ifMissed: old.ifMissed, from: from,
                until: until, count: count, anniversary: old.anniversary, key: nil, keyedRequest: nil)))
        } catch {
          completion(.failure(error))
        }
      }
    }
  }
}
