/// A command that ran because an alarm rang or was not answered, and how it ended.
public struct HookRun: Hashable, Sendable {
  /// The alarm's own command, or the path of a program in `on-ring.d` or `on-unanswered.d`.
  public var hook: String
  public var result: Result

  public enum Result: Hashable, Sendable {
    /// It ended by itself, with that exit status.
    case exited(Int64)
    /// A signal ended it; its number is nil where the service manager does not say.
    case killed(Int64?)
    /// It ran too long and was ended.
    case timedOut
    /// It did not begin, for that reason.
    case notStarted(String)
    /// From a later version; only read.
    case other
  }

  public init(hook: String, result: Result) {
    self.hook = hook
    self.result = result
  }
}

extension HookRun {
  /// As a line of the database: the result, its detail and the hook, separated by tabs.
  public var line: String {
    let (name, detail) =
      switch result {
      case .exited(let status): ("exited", String(status))
      case .killed(let signal): ("killed", signal.map { String($0) } ?? "")
      case .timedOut: ("timedOut", "")
      case .notStarted(let reason): ("notStarted", reason)
      case .other: ("other", "")
      }
    return [name, detail, hook].map(\.visible).joined(separator: "\t")
  }

  /// Reads a ``line``; nil for what is none.
  public init?(line: some StringProtocol) {
    // By bytes: a mark at the beginning of a part would join the tab before it into another character.
    let tab = UInt8(ascii: "\t")
    let parts = Array(line.utf8).split(separator: tab, maxSplits: 2, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 3 else { return nil }
    hook = parts[2]
    switch parts[0] {
    case "exited":
      guard let status = Int64(parts[1]) else { return nil }
      result = .exited(status)
    case "killed": result = .killed(Int64(parts[1]))
    case "timedOut": result = .timedOut
    case "notStarted": result = .notStarted(parts[1])
    default: result = .other
    }
  }
}
