import Alarms
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
    if case .wrongWeekday(let weekday) = self { return tr("that date is a \(tr(received: weekday.name))") }
    if case .rule(let problem) = self { return problem.words(in: tr) }
    return tr(received: description)
  }
}
