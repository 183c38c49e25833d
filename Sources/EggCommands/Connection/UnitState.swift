import Gettext

/// The state of eggd.service and its socket, from the user's service manager.
struct UnitState: Equatable {
  /// The units that are masked: nothing can start them.
  var masked: [String] = []
  /// `active` while somebody listens on eggd's socket for it.
  var socketState = ""
  /// `active`, `activating`, `failed`, as in systemctl(1).
  var activeState = ""
  /// Why it last failed: `exit-code`, `signal`, `watchdog`; `success` if it did not.
  var result = ""
  /// The exit status, or the signal's number.
  var status: Int32 = 0
  var restarts = 0
  /// Whether a start or stop is queued.
  var hasJob = false

  static let units = ["eggd.service", "eggd.socket"]
  static let properties = ["LoadState", "ActiveState", "Result", "ExecMainStatus", "NRestarts", "Job"]

  init() {}

  /// Reads lines of `NAME=VALUE`, an empty one between the units; nil if the state is missing.
  init?(reading text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (unit, lines) in zip(Self.units, lines.split(separator: "")) {
      let pairs = lines.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
      let values = Dictionary(pairs.filter { $0.count == 2 }.map { ($0[0], $0[1]) }) { $1 }
      if values["LoadState"] == "masked" { masked.append(unit) }
      guard unit == Self.units[0] else {
        socketState = values["ActiveState"] ?? ""
        continue
      }
      activeState = values["ActiveState"] ?? ""
      result = values["Result"] ?? ""
      status = values["ExecMainStatus"].flatMap { Int32($0) } ?? 0
      restarts = values["NRestarts"].flatMap { Int($0) } ?? 0
      hasJob = values["Job", default: "0"] != "0"
    }
    if activeState.isEmpty { return nil }
  }

  /// The service itself is masked, so that its socket cannot start it either.
  var isMasked: Bool { masked.contains(Self.units[0]) }

  /// nil where no unit is masked.
  var mask: Failure? {
    guard !masked.isEmpty else { return nil }
    let units = masked.joined(separator: " ")
    // systemd does not start the socket of a service that runs.
    let start =
      activeState == "active" && socketState != "active"
      ? [
        "systemctl --user enable eggd.socket", "systemctl --user stop eggd.service",
        "systemctl --user start eggd.socket eggd.service",
      ] : ["systemctl --user enable --now eggd.socket"]
    return Failure(
      .unavailable,
      isMasked
        ? tr("nothing can start eggd again: masked: \(units)")
        : tr("eggctl cannot start eggd: masked: \(units)"),
      hint: (["systemctl --user unmask \(units)"] + start).joined(separator: " && "))
  }

  /// eggd runs, or its socket waits for calls.
  var serves: Bool { activeState == "active" || socketState == "active" }

  /// It failed, and nothing will start it again.
  var hasFailed: Bool { activeState == "failed" && !hasJob }

  /// It failed, and may be waiting for a restart.
  var isFailing: Bool { hasFailed || (activeState == "activating" && !["", "success"].contains(result)) }

  /// It exits at each start, however often the socket starts it.
  var refusesToStart: Bool { result == "exit-code" && status == 78 }

  /// It fails at every start: it was restarted since the earlier look and does not run.
  func keepsFailing(since earlier: UnitState) -> Bool {
    if refusesToStart { return earlier.refusesToStart }
    if hasFailed { return earlier.hasFailed }
    return isFailing && restarts > earlier.restarts
  }

  var failure: Failure {
    guard result == "exit-code" else {
      return Failure(
        .unavailable, tr("eggd.service failed (\(result.visible), \(status))"),
        hint: "journalctl --user -u eggd.service -n 20")
    }
    let (name, hint) = Self.meaning(of: status)
    return Failure(.unavailable, tr("eggd.service failed with \(status)\(name)"), hint: hint)
  }

  /// The names are those of systemd.exec(5).
  private static func meaning(of status: Int32) -> (name: String, hint: String) {
    let withoutSandbox = "systemctl --user restart eggd-plain.service"
    return switch status {
    case 78:
      (
        tr("/CONFIG: its configuration is wrong"),
        tr("journalctl --user -t eggd -n 5, then systemctl --user restart eggd.socket eggd.service")
      )
    case 79: (tr("/SANDBOX: its sandbox blocks its state directory"), withoutSandbox)
    case 203:
      (tr("/EXEC: its program cannot be run"), tr("install eggd again, then systemctl --user restart eggd"))
    case 217: (tr("/USER: user namespaces are forbidden here"), withoutSandbox)
    case 218: (tr("/CAPABILITIES: its sandbox cannot be set up"), withoutSandbox)
    case 226: (tr("/NAMESPACE: its sandbox cannot be set up"), withoutSandbox)
    case 228: (tr("/SECCOMP: its sandbox cannot be set up"), withoutSandbox)
    default: ("", "journalctl --user -u eggd.service -n 20")
    }
  }
}

/// Checks the unit while eggd does not answer.
final class UnitWatch {
  /// The second look is later than RestartSec= after the first, so that it sees a unit in a restart loop. The
  /// others are for a unit that was just starting, or fails later.
  static let looks: [Duration] = [400, 1_650, 1_800, 2_500, 4_000, 8_000, 16_000, 32_000].map {
    .milliseconds($0)
  }

  private let look: () -> UnitState?
  private var first: UnitState?

  init(_ look: @escaping () -> UnitState?) { self.look = look }

  /// false if the unit fails, so that no answer will come.
  func goesOn() -> Bool {
    let state = look()
    guard let first else {
      first = state
      return true
    }
    guard let state else { return true }
    if state.keepsFailing(since: first) { return false }
    if state.refusesToStart { self.first = state }
    return true
  }
}
