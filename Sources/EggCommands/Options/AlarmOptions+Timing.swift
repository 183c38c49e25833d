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

/// When an alarm rings besides its moment, and on which days it keeps quiet.
extension AlarmOptions {
  /// A recurring alarm's own: whether days off are named.
  var namesDaysOff: Bool { (except + onlyOn).contains { $0 != "none" } }

  /// With those of a sentence. nil if none is given, empty for none.
  func leads(_ said: [Lead]) throws -> [Lead]? {
    if before == ["none"], said.isEmpty, !onlyBefore { return [] }
    guard !before.isEmpty || !said.isEmpty else {
      if onlyBefore {
        throw Failure(.usage, tr("--only-before needs --before"), hint: "--before 15m --only-before")
      }
      return nil
    }
    let leads = Set(try before.map(Self.lead) + said + (onlyBefore ? [] : [.zero])).sorted()
    guard leads.filter({ $0 != .zero }).count <= Limits.leads else {
      throw Failure(.usage, tr("an alarm rings at most \(Limits.leads) times before its moment"))
    }
    return leads
  }

  private static func lead(_ text: String) throws -> Lead {
    let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }
    guard parts.count < 2 else {
      throw Failure(
        .usage, tr("--before takes one span: not '\(text.visible)'"),
        hint: parts.map { "--before " + String($0).shellQuoted }.joined(separator: " "))
    }
    guard let lead = Lead(reading: text) else {
      throw Failure(
        .usage, tr("--before takes whole seconds, at most 28 days, or none: not '\(text.visible)'"),
        hint: "--before 15m --before 1d")
    }
    return lead
  }

  /// The names of `--except`, with those of a sentence. nil if none is given, empty for none.
  func exceptions(_ said: [String]) throws -> [String]? { try Self.checked(except + said) }

  /// The names of `--only-on`, likewise.
  func onlyDays(_ said: [String]) throws -> [String]? { try Self.checked(onlyOn + said) }

  private static func checked(_ names: [String]) throws -> [String]? {
    guard let names = names.named else { return nil }
    for name in names { try Failure.checkDaysOff(name) }
    guard names.count <= Limits.namedDaysOff else {
      throw Failure(.usage, tr("an alarm names at most \(Limits.namedDaysOff) days off"))
    }
    return names
  }
}

extension MomentWords {
  /// For a call: the leads and the moment itself; nil without leads.
  var withMoment: [Lead]? { leads.isEmpty ? nil : leads + (leads.contains(.zero) ? [] : [.zero]) }
  var exceptions: [String]? { except.named }
  var onlyDays: [String]? { onlyOn.named }
}

extension [String] {
  /// For a call: nil without names, empty for `none`.
  fileprivate var named: [String]? { isEmpty ? nil : self == ["none"] ? [] : self }
}

extension Failure {
  static func checkDaysOff(_ name: String) throws {
    guard !name.isEmpty else { throw Failure(.usage, tr("days off need a name")) }
    guard name != "none" else { throw Failure(.usage, tr("'none' is no name of days off")) }
    if let failure = Failure(.daysOff, name) { throw failure }
  }
}
