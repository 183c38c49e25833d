import Alarms
import EggProtocol
import EggTime
import Gettext

/// States as people read them. Options and JSON keep the English ones.
extension Alarm.Phase {
  var word: String {
    switch self {
    case .scheduled: tr("scheduled")
    case .paused: tr("paused")
    case .ringing: tr("ringing")
    case .snoozed: tr("snoozed")
    case .rung: tr("rung")
    case .missed: tr("missed")
    case .skipped: tr("skipped")
    case .other: tr("other")
    }
  }
}

extension Occurrence.Outcome {
  /// That of the phase of its name.
  var word: String { Alarm.Phase(rawValue: rawValue)?.word ?? rawValue }
}

extension Finding.Verdict {
  var word: String {
    switch self {
    case .ok: tr("ok")
    case .advice: tr("advice")
    case .wrong: tr("wrong")
    }
  }
}

extension WatchedList.Order {
  var word: String {
    switch self {
    case .list: tr("list")
    case .due: tr("due")
    case .label: tr("label")
    }
  }
}

extension Weekday {
  /// `Monday`
  var word: String {
    let name = tr(received: name)
    return name.prefix(1).uppercased() + name.dropFirst()
  }
}

extension ExpressionError.Reason {
  /// A fragment, lower case, without a full stop.
  var words: String {
    if case .wrongWeekday(let weekday) = self { return tr("that date is a \(weekday.word)") }
    if case .rule(let problem) = self { return problem.words(in: tr) }
    return tr(received: description)
  }
}

extension WireHookRun {
  var words: String { "\(hook.visible): \(ending)" }

  private var ending: String {
    switch HookRun(self)?.result {
    case .exited(0): tr("succeeded")
    case .exited(let status): tr("failed with status \(status)")
    case .killed(let signal?): tr("ended by signal \(signal)")
    case .killed(nil): tr("ended by a signal")
    case .timedOut: tr("ran too long and was ended")
    case .notStarted(let reason): tr("did not start: \(tr(received: reason).visible)")
    case .other, nil: tr("ended; how is not known")
    }
  }
}
