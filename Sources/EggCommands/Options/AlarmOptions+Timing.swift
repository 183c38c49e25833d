import Alarms
import EggTime
import Gettext

/// When a recurring alarm begins and ends, and what happens to one that cannot ring on time.
extension AlarmOptions {
  /// A date without a time of day means its midnight.
  func firstMoment(in surroundings: Surroundings) throws -> Instant? {
    try from.map { try surroundings.beginning(reading: $0) }
  }

  /// A date without a time of day includes the whole day.
  func lastMoment(in surroundings: Surroundings) throws -> Instant? {
    guard let until, !isEndless else { return nil }
    return try surroundings.endOfPeriod(reading: until)
  }

  var isEndless: Bool { until == "none" }

  func checkedCount() throws -> Int64? {
    if let count, count < 1 { throw Failure(.usage, tr("--count must be at least 1")) }
    return count
  }

  /// nil if neither option is given.
  func missedPolicy(in surroundings: Surroundings) throws -> MissedPolicy? {
    if ifMissed != nil, ringWithin != nil {
      throw Failure(.usage, tr("--if-missed and --ring-within exclude each other"))
    }
    if let ringWithin {
      let span = try surroundings.span(reading: ringWithin)
      guard span > .zero else {
        throw Failure(.usage, tr("--ring-within needs a span longer than zero"), hint: "--ring-within 10m")
      }
      return .ringWithin(span)
    }
    switch ifMissed {
    case nil: return nil
    case "ring": return .ring
    case "record": return .record
    case let text?:
      throw Failure(
        .usage, tr("'\(text.visible)' is neither ring nor record"),
        hint: text.hasPrefix("ring-within") ? "--ring-within 10m" : "--if-missed record")
    }
  }
}

extension Surroundings {
  /// Reads a moment, which may be past. A date without a time of day means its midnight.
  func beginning(reading text: String) throws -> Instant {
    guard let moment = try timestamp(reading: text, in: readingContext()).moment else {
      throw Failure(.usage, tr("'\(text.visible)' is not a moment"))
    }
    return moment
  }

  /// Reads a moment. A date without a time of day means the end of that day.
  fileprivate func endOfPeriod(reading text: String) throws -> Instant {
    let context = try readingContext()
    let expression = try timestamp(reading: text, in: context)
    guard let moment = expression.moment else { return .latest }
    guard expression.isDayAlone else { return moment }
    // Without a zone, a day has 24 hours.
    var end = moment + .seconds(86_400)
    if case .civil(let civil, let name) = expression.reading {
      end = try (name.map { try Zone.named($0) } ?? context.zone).resolve(civil.adding(days: 1)).instant
    }
    return end - TimeSpan(microseconds: 1)
  }
}
