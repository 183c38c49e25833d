import Alarms
import EggTime

/// Asks for alarms, page by page.
public struct ListCall: ScheduleMethod {
  public static let method = "List"
  public typealias Reply = ListReply

  /// The page begins after the alarm of this number.
  public var after: Int64?
  /// The most alarms on a page, 1 to 1 000; 1 000 if absent.
  public var limit: Int64?
  /// By position if absent.
  public var order: ListOrder?
  /// Only alarms in one of these; all if absent.
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
  /// The optional fields that are wanted; all if absent.
  public var fields: [WireAlarm.Field]?

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

public struct ListReply: Codable, Equatable, Sendable {
  /// In the order that was asked for.
  public var alarms: [WireAlarm]
  /// Of all pages together.
  public var totals: Totals
  /// The number after which the next page begins; nil on the last.
  public var after: Int64?

  public init(alarms: [WireAlarm], totals: Totals, after: Int64?) {
    self.alarms = alarms
    self.totals = totals
    self.after = after
  }
}
