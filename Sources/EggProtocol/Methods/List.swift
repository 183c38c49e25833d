import Alarms
import EggTime

/// Asks for alarms, page by page.
public struct ListCall: ScheduleMethod {
  /// The interface's name for it.
  public static let method = "List"
  /// What it is answered with.
  public typealias Reply = ListReply

  /// The page begins after the alarm of this number.
  public var after: Int64?
  /// The most alarms on a page, 1 to 1 000; 1 000 where it is left out.
  public var limit: Int64?
  /// By position where it is left out.
  public var order: ListOrder?
  /// Only alarms in one of these; all where it is left out.
  public var states: [Alarm.Phase]?
  /// Only alarms of one of these.
  public var categories: [Category]?
  /// Only alarms of the group of this name; of none where it is empty.
  public var group: String?
  /// Only alarms that are marked done, or that are not.
  public var done: Bool?
  /// Only alarms whose label has this in it, in any case.
  public var label: String?
  /// Only alarms whose next moment, or last one, is this or later, and earlier than ``dueBefore``.
  public var dueFrom: Instant?
  /// Only alarms whose next moment, or last where nothing is to come, is earlier.
  public var dueBefore: Instant?
  /// The optional fields that are wanted; all where it is left out.
  public var fields: [WireAlarm.Field]?

  /// All fields; what is left out is absent.
  public init(
    after: Int64? = nil, limit: Int64? = nil, order: ListOrder? = nil, states: [Alarm.Phase]? = nil,
    fields: [WireAlarm.Field]? = nil, group: String? = nil
  ) {
    self.group = group
    self.after = after
    self.limit = limit
    self.order = order
    self.states = states
    self.fields = fields
  }
}

/// How a list is ordered.
public enum ListOrder: String, WireEnum {
  /// As the person arranged it, new alarms last.
  case position
  /// By the next moment, those that have none last.
  case due
  /// As they were made.
  case created
  /// By label, those without one last.
  case label
}

/// One page.
public struct ListReply: Codable, Equatable, Sendable {
  /// In the order that was asked for.
  public var alarms: [WireAlarm]
  /// Of all pages together.
  public var totals: Totals
  /// The number after which the next page begins; nil on the last.
  public var after: Int64?

  /// All fields.
  public init(alarms: [WireAlarm], totals: Totals, after: Int64?) {
    self.alarms = alarms
    self.totals = totals
    self.after = after
  }
}
