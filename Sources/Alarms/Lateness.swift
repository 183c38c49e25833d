import EggTime
import Gettext

/// How late an alarm rang, and why, in words.
public enum Lateness {
  /// `3 s late: eggd was not running`; nil for an alarm that rang on time.
  ///
  /// - Parameter words: A span in words, in the language of `wording`.
  public static func text(
    _ lateness: TimeSpan, _ reason: LateReason?, words: (TimeSpan) -> String, in wording: Wording
  ) -> String? {
    guard lateness > MissedPolicy.onTime else { return nil }
    let seconds = TimeSpan.seconds(lateness.microseconds / 1_000_000)
    let late = wording("\(words(seconds)) late")
    return reason?.phrase.map { "\(late): \(wording($0))" } ?? late
  }
}

extension LateReason {
  /// What happened; nil where nothing is known.
  var phrase: Phrase? {
    switch self {
    case .down: "eggd was not running"
    case .asleep: "the machine was asleep"
    case .clockStep: "the clock was set"
    case .zoneChange: "the time zone changed"
    case .store: "the database was not available"
    case .noServer: "no notification server was running"
    case .busy: "the machine was busy"
    case .other: nil
    }
  }
}

/// How late an alarm may still ring. Later than that, it is recorded as missed.
public enum MissedPolicy: Hashable, Sendable {
  /// Ring however late.
  case ring
  /// Ring at most this late; longer than ``onTime``.
  case ringWithin(TimeSpan)
  case record

  /// Up to this late counts as on time.
  public static let onTime = TimeSpan.seconds(1)

  /// The largest lateness at which it still rings; nil for no bound.
  public var mostLate: TimeSpan? {
    switch self {
    case .ring: nil
    case .ringWithin(let span): max(span, Self.onTime)
    case .record: Self.onTime
    }
  }
}
