import ArgumentParser
import EggProtocol

/// Whether the terminal rings its bell when an alarm rings; for `wait` and `watch`.
struct BellOptions: ParsableArguments {
  @Flag(name: .customLong("no-bell"), help: "Do not ring the terminal's bell when an alarm rings.")
  var isOff = false

  var isOn: Bool { !isOff }
}

extension SubscribeReply {
  /// Whether an alarm begins to ring: the first time, again, or after a snooze.
  var isRing: Bool {
    guard part == .change, let new, new.state == .ringing else { return false }
    return old?.state != .ringing || old?.latest?.id != new.latest?.id
  }
}
