import Alarms
import EggTime
import Varlink

/// Reads alarms and their occurrences.
extension JSONReader {
  mutating func alarm() throws -> WireAlarm {
    var number: Int64?
    var state: Alarm.Phase?
    var done: Bool?
    var category: Category?
    var eggs: Int64?
    var alarm = WireAlarm(number: 0, state: .scheduled, done: false, category: .other, eggs: 0)
    // Fields come in the order of `codings`: the next one usually follows the last.
    var rest = WireAlarm.codings[...]
    try members { reader, name in
      switch name {
      case "number": number = try reader.integer()
      case "state": state = Alarm.Phase(rawValue: try reader.text())
      case "done": done = try reader.scanner.bool()
      case "category": category = Category(rawValue: try reader.text())
      case "eggs": eggs = try reader.integer()
      default:
        guard
          let index = rest.firstIndex(where: { name.isWritten($0.name) })
            ?? WireAlarm.codings.firstIndex(where: { name.isWritten($0.name) })
        else { throw Unusual() }
        rest = WireAlarm.codings[(index + 1)...]
        try WireAlarm.codings[index].read(&reader, &alarm)
      }
    }
    guard let number, let state, let done, let category, let eggs else { throw Unusual() }
    (alarm.number, alarm.state, alarm.done) = (number, state, done)
    (alarm.category, alarm.eggs) = (category, eggs)
    return alarm
  }

  mutating func occurrence() throws -> WireOccurrence {
    var id: Int64?
    var dueAt: Instant?
    var outcome: Occurrence.Outcome?
    var occurrence = WireOccurrence(
      Occurrence(id: 0, dueAt: Instant(microseconds: 0), outcome: .rung))
    try members { reader, name in
      switch name {
      case "id": id = try reader.integer()
      case "dueAt": dueAt = try reader.instant()
      case "outcome": outcome = Occurrence.Outcome(rawValue: try reader.text())
      case "missedCount": occurrence.missedCount = try reader.integer()
      case "firedAt": occurrence.firedAt = try reader.instant()
      case "journaledAt": occurrence.journaledAt = try reader.instant()
      case "shownAt": occurrence.shownAt = try reader.instant()
      case "dismissedAt": occurrence.dismissedAt = try reader.instant()
      case "snoozedUntil": occurrence.snoozedUntil = try reader.instant()
      case "lateness": occurrence.lateness = TimeSpan(microseconds: try reader.integer())
      case "lateReason": occurrence.lateReason = try Self.known(LateReason(rawValue: try reader.text()))
      case "hooks":
        var runs: [WireHookRun] = []
        var elements = try reader.scanner.beginArray()
        while try reader.scanner.nextElement(&elements) { runs.append(try reader.hookRun()) }
        occurrence.hooks = runs
      default: throw Unusual()
      }
    }
    guard let id, let dueAt, let outcome else { throw Unusual() }
    (occurrence.id, occurrence.dueAt, occurrence.outcome) = (id, dueAt, outcome)
    return occurrence
  }

  private mutating func hookRun() throws -> WireHookRun {
    var run = WireHookRun(HookRun(hook: "", result: .other))
    var (hook, result): (String?, WireHookRun.Result?)
    try members { reader, name in
      switch name {
      case "hook": hook = try reader.text()
      case "result": result = WireHookRun.Result(rawValue: try reader.text())
      case "status": run.status = try reader.integer()
      case "reason": run.reason = try reader.text()
      default: throw Unusual()
      }
    }
    guard let hook, let result else { throw Unusual() }
    (run.hook, run.result) = (hook, result)
    return run
  }
}
