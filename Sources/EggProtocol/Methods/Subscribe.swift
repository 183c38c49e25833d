/// Asks for the list and then for every change of it; with `more` only.
public struct SubscribeCall: ScheduleMethod {
  public static let method = "Subscribe"
  public typealias Reply = SubscribeReply

  /// Whether the list is wanted too; it is if absent.
  public var pages: Bool?

  /// The list and then the changes, or without `pages` the changes alone.
  public init(pages: Bool? = nil) { self.pages = pages }
}

/// What one message of a subscription is.
public enum SubscribePart: String, WireEnum {
  /// Some alarms of the list, in order of position.
  case page
  /// One alarm before and after a change.
  case change
  /// What was told before is void; the list follows anew.
  case startOver
  /// The list is complete; changes follow.
  case ready
  /// All groups, before the list where there are any, and when one was made, changed or deleted.
  case groups
  /// Of a later version.
  case other

  public static var unknown: Self? { .other }
}

/// One message of a subscription.
public struct SubscribeReply: Codable, Equatable, Sendable {
  /// What it is.
  @Open public var part: SubscribePart
  /// The number of the change, or of the last change before the list was read.
  public var sequence: Int64
  public var alarms: [WireAlarm]?
  /// The alarm before the change; nil for one that was made by it.
  public var old: WireAlarm?
  /// The alarm after the change; nil for one that was deleted by it.
  public var new: WireAlarm?
  /// The groups, by name. Changes of alarms change what they sum up to without another message.
  public var groups: [WireGroup]?

  public init(
    part: SubscribePart, sequence: Int64, alarms: [WireAlarm]? = nil, old: WireAlarm? = nil,
    new: WireAlarm? = nil, groups: [WireGroup]? = nil
  ) {
    self.part = part
    self.sequence = sequence
    self.alarms = alarms
    self.old = old
    self.new = new
    self.groups = groups
  }
}
