import Alarms
import EggProtocol
import Gettext

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
