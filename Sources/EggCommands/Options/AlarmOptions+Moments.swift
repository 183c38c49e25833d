import Alarms
import EggTime
import Gettext

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
