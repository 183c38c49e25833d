import EggTime

/// Which moments an alarm makes of those that its timing gives.
public struct MomentRules: Hashable, Sendable {
  /// Ascending; empty for a ring at the moment alone.
  public var leads: [Lead] = []
  /// Days on which a recurring alarm keeps quiet.
  public var skips = DaySet.none
  /// The names of calendars: a recurring alarm keeps quiet on their days.
  public var except: [String] = []
  /// The names of calendars: a recurring alarm rings on their days only; on all days if empty.
  public var onlyOn: [String] = []

  public init(leads: [Lead] = [], except: [String] = [], onlyOn: [String] = []) {
    self.leads = leads
    self.except = except
    self.onlyOn = onlyOn
  }

  public static let none = MomentRules()

  public var ofOneShot: MomentRules { MomentRules(leads: leads) }
}
