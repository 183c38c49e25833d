import EggProtocol
import EggTime
import Gettext

extension WakeState {
  /// Why the machine does not wake from suspend, in English; nil where it does.
  var problem: String? {
    switch self {
    case .ready: nil
    case .nobody: translatable("eggd-wake is not enabled")
    case .noAnswer: translatable("eggd-wake does not answer")
    case .notPermitted: translatable("eggd-wake lacks the capability CAP_WAKE_ALARM")
    case .noClock: translatable("none of its clocks (RTC) can wake it")
    case .other: translatable("unknown to this eggctl")
    }
  }

  /// What helps.
  func command(_ variable: (String) -> String?) -> String? {
    switch self {
    case .nobody: "systemctl --user enable --now eggd-wake.socket"
    case .noAnswer: "journalctl -b -n 20 -g eggd-wake"
    case .notPermitted:
      "sudo systemctl enable --now eggd-wake@\(variable("USER").map(\.shellQuoted) ?? "$USER").socket"
    case .ready, .noClock, .other: nil
    }
  }
}

extension Surroundings {
  /// Says where the machine will not wake for alarms that ask for it.
  func warnUnlessAwake(for alarms: [WireAlarm], _ connection: Connection, _ form: AnswerForm) throws {
    // One that waits for nothing wakes nobody.
    guard form == .text, alarms.contains(where: { $0.wake == true && $0.due != nil }),
      let state = try connection.read(StatusCall()).wake, let problem = state.problem
    else { return }
    let reason = tr(received: problem)
    try output.note(
      host.map { tr("\($0.name.text) will not wake from suspend: \(reason)") }
        ?? tr("this machine will not wake from suspend: \(reason)"))
    // Who the user is there, its shell knows.
    if let command = state.command(host == nil ? variable : { _ in nil }) { try output.hint(command) }
  }
}
