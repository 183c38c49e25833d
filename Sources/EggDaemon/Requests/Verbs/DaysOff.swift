import Alarms
import EggProtocol
import EggStore
import EggTime
import Varlink

struct DaysOffVerbs: Sendable {
  let changes: Changes
  let reads: ReadTurns
  let machineZone: @Sendable () -> Zone

  func replace(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ImportDaysOffCall = try call.parameters()
    try change(asked.name, .replace(try checked(asked.days)), readAt, call)
  }

  func add(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: AddDaysOffCall = try call.parameters()
    try change(asked.name, .add(try checked(asked.days)), readAt, call)
  }

  func rename(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: RenameDaysOffCall = try call.parameters()
    try change(asked.name, .rename(try TextRules.name(asked.newName, .daysOff)), readAt, call)
  }

  func delete(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteDaysOffCall = try call.parameters()
    changes.submit(DaysOffChange(asked.name, .delete), readAt, for: call) { outcome, call in
      call.reply(DeleteDaysOffCall.Reply(sequence: outcome.sequence))
    }
  }

  func list(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: ListDaysOffCall = try call.parameters()
    let today = machineZone().civil(at: readAt.wall).dayNumber
    reads.answer(call, { try $0.daysOff(named: asked.name) }) { found in
      call.reply(
        ListDaysOffReply(daysOff: found.map { WireDaysOff($0, today: today, withDays: asked.name != nil) }))
    }
  }

  private func checked(_ days: [DayRange]) throws(CallFailure) -> [DayRange] {
    guard !days.isEmpty, days.count <= Limits.daysOff.ranges else { throw .invalidParameter("days") }
    return days
  }

  private func change(
    _ name: String, _ edit: DaysOffChange.Edit, _ readAt: ClockReading, _ call: ServerCall
  ) throws(CallFailure) {
    let today = machineZone().civil(at: readAt.wall).dayNumber
    changes.submit(DaysOffChange(try TextRules.name(name, .daysOff), edit), readAt, for: call) {
      outcome, call in
      guard let sums = outcome.daysOff else {
        let reason = translatable("the days off cannot be read")
        return call.fail(ScheduleError.storeUnavailable(reason: reason).failure)
      }
      call.reply(
        DaysOffReply(
          daysOff: WireDaysOff(sums, today: today), moved: outcome.alarmsMoved, sequence: outcome.sequence))
    }
  }
}

extension WireDaysOff {
  /// - Parameter today: Since 1970-01-01.
  init(_ sums: DaysOffSums, today: Int, withDays: Bool = false) {
    self.init(
      name: sums.name, count: Int64(sums.days.count),
      next: sums.days.first(from: today).map { CivilDate(dayNumber: $0) }, alarms: sums.alarms,
      days: withDays ? sums.days.ranges : nil)
  }
}
