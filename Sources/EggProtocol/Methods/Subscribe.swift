/// Asks for the list and then for every change; only with `more`.
public struct SubscribeCall: ScheduleMethod {
  public static let method = "Subscribe"
  public typealias Reply = SubscribeReply

  /// Whether to send the list; true if absent.
  public var pages: Bool?

  public init(pages: Bool? = nil) { self.pages = pages }
}

public enum SubscribePart: String, OpenEnum {
  /// Some alarms of the list, in order of position.
  case page
  /// One alarm before and after a change.
  case change
  /// Forget everything; the list follows again.
  case startOver
  /// The list is complete; changes follow.
  case ready
  /// All groups: before the pages, if there are any, and whenever one is created, changed or deleted.
  case groups
  /// A part added by a later version.
  case other
}

public struct SubscribeReply: Codable, Equatable, Sendable {
  public var part: SubscribePart
  /// The number of the change; in pages, that of the last change before the list was read.
  public var sequence: Int64
  public var alarms: [WireAlarm]?
  /// The alarm before the change; nil if it was created.
  public var old: WireAlarm?
  /// The alarm after the change; nil if it was deleted.
  public var new: WireAlarm?
  /// Sorted by name. When alarms change, no message repeats the sums.
  public var groups: [WireGroup]?

  public init(
    part: SubscribePart, sequence: Int64, old: WireAlarm? = nil, new: WireAlarm? = nil,
    groups: [WireGroup]? = nil
  ) {
    self.part = part
    self.sequence = sequence
    self.old = old
    self.new = new
    self.groups = groups
  }
}
