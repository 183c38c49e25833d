import Alarms
import ArgumentParser
import EggProtocol
import LinuxIO

/// Where completion finds the values of an argument or an option.
enum ValueSource: String, CaseIterable {
  /// Every alarm; the following ones only the alarms that their verb accepts.
  case alarms, snoozable, dismissable, pausable, resumable, extendable, skippable, markable, unmarkable
  case awaitable
  case groups
  case daysOff
  case zones
  /// A time expression, in which only a zone has a name that is known.
  case times
  /// The same, or the name of a timer of config.toml.
  case timers
  /// Names of the sound theme, or a file.
  case sounds
  /// Programs in PATH, or a file.
  case programs
}

extension CompletionKind {
  /// ArgumentParser has no kind for this, and passes a shell command on as it is.
  static func values(_ source: ValueSource) -> CompletionKind { .shellCommand(source.rawValue) }
}

extension ValueSource {
  /// The call that lists the alarms; nil for other values.
  var alarmCall: ListCall? {
    var call = ListCall(order: .created, fields: [.label, .expression, .kind])
    call.totals = false
    switch self {
    case .alarms: break
    case .snoozable: call.states = [.ringing]
    case .dismissable: call.states = [.ringing, .snoozed]
    case .pausable, .skippable, .awaitable: call.states = [.scheduled, .ringing, .snoozed]
    case .resumable: call.states = [.paused]
    case .extendable: call.states = [.scheduled, .snoozed, .paused]
    case .markable: call.done = false
    case .unmarkable: call.done = true
    case .groups, .daysOff, .zones, .times, .timers, .sounds, .programs: return nil
    }
    return call
  }

  /// Whether the verb accepts an alarm in one of the states of the call.
  func fits(_ alarm: WireAlarm) -> Bool {
    switch self {
    case .pausable: alarm.kind == .every || (alarm.kind == .in && alarm.state == .scheduled)
    case .skippable: alarm.kind == .every || alarm.state == .scheduled
    case .extendable: alarm.kind != .every || alarm.state == .snoozed
    default: true
    }
  }

  /// Sounds of the freedesktop theme that are installed.
  static func soundNames() -> [String] {
    (FileSystem.names(in: "/usr/share/sounds/freedesktop/stereo") ?? []).filter { $0.hasSuffix(".oga") }
      .map { String($0.dropLast(4)) }.sorted()
  }
}
