import Alarms
import Ringing

/// How a hook ended.
package struct HookEnd: Hashable, Sendable {
  var number: Int64
  var ring: RingID
  var run: HookRun

  package init(number: Int64, ring: RingID, run: HookRun) {
    (self.number, self.ring, self.run) = (number, ring, run)
  }
}

extension HookEnd {
  /// Its entry in the journal.
  var record: JournalRecord {
    let whose = "of alarm #\(number)"
    let (id, priority, text, field): (MessageID, JournalPriority, String, (String, String)?) =
      switch run.result {
      case .exited(0): (.hookEnded, .info, "A command \(whose) succeeded", ("EXIT_STATUS", "0"))
      case .exited(let status):
        (
          .hookFailed, .warning, "A command \(whose) failed with status \(status)",
          ("EXIT_STATUS", "\(status)")
        )
      case .killed(let signal):
        (
          .hookFailed, .warning, "A command \(whose) was ended by signal \(signal ?? 0)",
          ("EGG_SIGNAL", "\(signal ?? 0)")
        )
      case .timedOut:
        (.hookFailed, .warning, "A command \(whose) ran for more than \(Hook.patience) s and was ended", nil)
      case .notStarted(let reason):
        (.hookNotStarted, .warning, "A command \(whose) did not start: \(reason)", ("EGG_REASON", reason))
      case .other: (.hookEnded, .info, "A command \(whose) ended; how is not known", nil)
      }
    return JournalRecord(
      id, priority, "\(text): \(run.hook.visible)",
      [("EGG_ALARM_NUMBER", String(number)), ("EGG_HOOK", run.hook)] + [field].compactMap { $0 })
  }
}
