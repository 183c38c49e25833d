import Alarms
import EggTime

/// Asks for alarms, page by page.
public struct ListCall: ScheduleMethod {
  public static let method = "List"
  public typealias Reply = ListReply

  /// Starts after the alarm with this number.
  public var after: Int64?
  /// The most alarms on a page, 1 to 1 000; 1 000 if absent.
  public var limit: Int64?
  /// By position if absent.
  public var order: ListOrder?
  /// Only alarms in one of these states; all if absent.
  public var states: [Alarm.Phase]?
  /// Only alarms of one of these categories; all if absent.
  public var categories: [Category]?
  /// Only alarms of the group with this name; empty for alarms without a group.
  public var group: String?
  /// Only alarms that are marked done, or only those that are not.
  public var done: Bool?
  /// Only alarms whose label or note contains this text, in any case.
  public var label: String?
  /// Only alarms whose next or last moment is at or after this one, and before ``dueBefore``.
  public var dueFrom: Instant?
  /// Only alarms whose next moment, or last if there is none, is before this one.
  public var dueBefore: Instant?
  /// Only alarms with these numbers.
  public var range: NumberRange?
  /// Whether the totals are counted; true if absent.
  public var totals: Bool?
  /// The optional fields to send; all if absent.
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

public struct ListReply: Codable, Equatable, Sendable {
  /// In the requested order.
  public var alarms: [WireAlarm]
  /// Sums over all pages; zeros if the call asked for none.
  public var totals: Totals
  /// Where the next page starts: after this number. nil on the last page.
  public var after: Int64?
}

/// Sums over the listed alarms.
public struct Totals: Codable, Equatable, Sendable {
  public var alarms: Int64
  public var eggs: Int64
  /// The earliest moment to come, if any.
  public var next: Instant?

  public init(alarms: Int64, eggs: Int64, next: Instant?) {
    self.alarms = alarms
    self.eggs = eggs
    self.next = next
  }
}
