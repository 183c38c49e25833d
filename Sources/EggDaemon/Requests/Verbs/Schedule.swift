import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

extension RequestHandler {
  func schedule(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ScheduleCall = try call.parameters()
    let label = try TextRules.label(asked.label)
    let eggs = try TextRules.eggs(asked.eggs)
    let summary = try TextRules.summary(asked.summary)
    let body = try TextRules.body(asked.body)
    let icon = try TextRules.icon(asked.icon)
    let note = try TextRules.note(asked.note)
    let sound = try TextRules.sound(asked.sound)
    let run = try TextRules.run(asked.run)
    try permit(run, for: call)
    let settings = configuration.settings
    let insist = asked.insist == nil ? settings.insist : try TextRules.insist(asked.insist)
    let key = try TextRules.key(asked.key)
    let timing: AlarmEdit.NewTiming
    do throws(CallFailure) {
      timing = try timingReader(readAt).read(
        asked.expression, kind: asked.kind, zone: asked.zone, from: try beginning(asked.from))
    } catch {
      guard let key, error.name == "\(ScheduleInterface.name).InThePast" else { throw error }
      replay(asked, key: key, orElse: error, for: call)
      return
    }
    let (until, count) = try bounds(from: asked.from, until: asked.until, count: asked.count, of: timing)
    var ifMissed = settings.ifMissed
    if asked.ifMissed != nil || asked.ringWithin != nil {
      guard let policy = MissedPolicy(asked.ifMissed ?? .ring, ringWithin: asked.ringWithin) else {
        throw .invalidParameter("ringWithin")
      }
      ifMissed = policy
    }
    let alarm = NewAlarm(
      label: label, category: asked.category ?? settings.category, eggs: eggs ?? 1,
      group: asked.group.map { $0.isEmpty ? nil : $0 } ?? settings.group, isGroupOptional: asked.group == nil,
      summary: summary,
      body: body, icon: icon, note: note, sound: sound, insist: insist, run: run,
      wake: asked.wake ?? settings.wake, timing: timing.timing,
      expression: timing.expression,
      forcedKind: timing.forcedKind,
      readingZone: timing.readingZone, due: timing.due, ifMissed: ifMissed, from: asked.from,
      until: until, count: count,
      anniversary: asked.anniversary, key: key,
      keyedRequest: key == nil ? nil : asked.keyedRequest)
    make(alarm, readAt, for: call) { [self] in reply($0, existed: $1.existed, sequence: $1.sequence) }
  }

  /// Repeats the answer to an earlier request with the same key, although its expression may no longer be
  /// valid.
  private func replay(
    _ asked: ScheduleCall, key: String, orElse failure: CallFailure, for call: ServerCall
  ) {
    store.keyHolder(key) { [self] result in
      queue.async { [self] in
        switch result {
        case .success(let holder?):
          guard holder.request == asked.keyedRequest else {
            call.fail(ScheduleError.keyInUse(key: key, number: holder.alarm.number).failure)
            return
          }
          let alarm = WireAlarm(holder.alarm, wallOf: wallClock().callAsFunction)
          call.reply(ScheduleReply(alarm: alarm, existed: true, sequence: store.sequence))
        case .success: call.fail(failure)
        case .failure(let error): call.fail(error.failure(for: nil))
        }
      }
    }
  }

  func make(
    _ alarm: NewAlarm, _ readAt: ClockReading, for call: ServerCall,
    reply: @escaping @Sendable (Alarm, ChangeOutcome) -> [UInt8]
  ) {
    store.submit(
      ChangeRequest(ScheduleChange(alarm), readAt: readAt, client: client(of: call), processID: call.peer.pid)
    ) {
      [self] result in
      queue.async {
        switch result {
        case .success(let outcome):
          guard let made = outcome.alarms.first else {
            call.fail(
              ScheduleError.storeUnavailable(reason: translatable("the new alarm cannot be read")).failure)
            return
          }
          call.reply(json: reply(made, outcome))
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  /// ``ScheduleReply``, or without `existed` ``AgainReply``. Written by hand: the general encoder would cost
  /// as much as the rest of the call on the wire's queue.
  func reply(_ alarm: Alarm, existed: Bool?, sequence: Int64) -> [UInt8] {
    let wallOf = wallClock()
    var json = JSONWriter()
    json.object { json in
      json.name("alarm")
      json.alarm(alarm, wallOf: wallOf.callAsFunction)
      json.member("existed", existed)
      json.member("sequence", sequence)
    }
    return json.bytes
  }
}
