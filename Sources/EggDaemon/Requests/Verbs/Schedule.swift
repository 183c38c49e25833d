import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

/// Gives alarms their timing: new ones here, the same again in `Again`, other timings in `Edit`.
struct Scheduling: Sendable {
  let changes: Changes

  /// Reads the expression, checks the rest of the call, and makes the alarm.
  func schedule(_ call: ServerCall, _ reader: TimingReader, _ settings: Settings) throws(CallFailure) {
    let asked: ScheduleCall = try call.parameters()
    let key = try TextRules.key(asked.key)
    let timing: AlarmEdit.NewTiming
    do throws(CallFailure) {
      timing = try reader.read(asked.expression, kind: asked.kind, zone: asked.zone, from: asked.from)
    } catch {
      guard let key, error.name == "\(ScheduleInterface.name).InThePast" else { throw error }
      return replay(asked, key: key, orElse: error, for: call)
    }
    try make(try asked.change(timing, settings, reader.readAt), reader.readAt, for: call) { alarm, outcome in
      ScheduleReply(
        alarm: wire(alarm), existed: outcome.existed, sequence: outcome.sequence,
        past: outcome.past.isEmpty ? nil : outcome.past)
    }
  }

  /// Makes an alarm and answers with it.
  func make<Reply: Encodable & Sendable>(
    _ change: ScheduleChange, _ readAt: ClockReading, for call: ServerCall,
    reply: @escaping @Sendable (Alarm, ChangeOutcome) -> Reply
  ) throws(CallFailure) {
    try changes.clients.permit(change.alarm.manner, for: call)
    changes.submit(change, readAt, for: call) { outcome, call in
      guard let made = outcome.alarms.first else {
        let reason = translatable("the new alarm cannot be read")
        return call.fail(ScheduleError.storeUnavailable(reason: reason).failure)
      }
      call.reply(reply(made, outcome))
    }
  }

  /// Repeats the answer to an earlier request with the same key, although its expression may no longer be
  /// valid.
  private func replay(
    _ asked: ScheduleCall, key: String, orElse failure: CallFailure, for call: ServerCall
  ) {
    changes.store.keyHolder(key) { result in
      changes.queue.async {
        switch result {
        case .success(let holder?):
          guard asked.isRequest(holder.request) else {
            return call.fail(ScheduleError.keyInUse(key: key, number: holder.alarm.number).failure)
          }
          call.reply(
            ScheduleReply(alarm: wire(holder.alarm), existed: true, sequence: changes.store.sequence))
        case .success: call.fail(failure)
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  func wire(_ alarm: Alarm) -> WireAlarm {
    WireAlarm(alarm, wallOf: WallClock(now: changes.clock.read()).callAsFunction)
  }
}

extension ScheduleCall {
  private func rules(of timing: AlarmEdit.NewTiming) throws(CallFailure) -> MomentRules {
    let rules = MomentRules(
      leads: try TextRules.leads(leads ?? []), except: try TextRules.daysOff(except ?? [], "except"),
      onlyOn: try TextRules.daysOff(onlyOn ?? [], "onlyOn"))
    guard timing.timing.kind == .every || rules == rules.ofOneShot else {
      throw .invalidParameter(rules.except.isEmpty ? "onlyOn" : "except")
    }
    return rules
  }

  /// The alarm that is asked for, with the configured settings where the call says nothing.
  fileprivate func change(
    _ timing: AlarmEdit.NewTiming, _ settings: Settings, _ readAt: ClockReading
  ) throws(CallFailure) -> ScheduleChange {
    let (from, until) = (self.from ?? timing.from, self.until ?? timing.until)
    let count = self.count ?? timing.count
    try TimingReader.checkBounds(from: from, until: until, count: count, of: timing)
    var ifMissed = settings.ifMissed
    if self.ifMissed != nil || ringWithin != nil {
      guard let policy = MissedPolicy(self.ifMissed ?? .ring, ringWithin: ringWithin) else {
        throw .invalidParameter("ringWithin")
      }
      ifMissed = policy
    }
    let alarm = Alarm(
      number: 0, id: .zero, label: try TextRules.label(label), category: category ?? settings.category,
      eggs: try TextRules.eggs(eggs) ?? 1, group: group.map { $0.isEmpty ? nil : $0 } ?? settings.group,
      position: 0, manner: try TextRules.manner(manner, over: settings.manner), timing: timing.timing,
      expression: timing.expression, forcedKind: timing.forcedKind, readingZone: timing.readingZone,
      ifMissed: ifMissed, from: from, until: until, count: count, rules: try rules(of: timing), key: key,
      anniversary: anniversary, createdAt: readAt.wall, due: timing.due)
    return ScheduleChange(
      alarm, isGroupOptional: group == nil, keyedRequest: key == nil ? nil : keyedRequest,
      isRequest: isRequest)
  }
}
