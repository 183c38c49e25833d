import Alarms

/// Stages alarms for this connection, in order. Nothing changes until ``CommitImportCall``.
public struct ImportAlarmsCall: ScheduleMethod {
  public static let method = "ImportAlarms"
  public typealias Reply = ImportAlarmsReply

  /// Alarms as an export writes them.
  public var alarms: [ImportedAlarm]
  public var groups: [WireGroup]?
  /// Alarms that a synchronised calendar deletes, at most ``mostDeleted`` in all.
  public var delete: [AlarmID]?
  public var daysOff: [WireDaysOff]?

  public static let mostDeleted = 1_000_000

  public init(alarms: [ImportedAlarm], groups: [WireGroup]? = nil) {
    self.alarms = alarms
    self.groups = groups
  }
}

public struct ImportedAlarm: Codable, Equatable, Sendable {
  /// The number 0, or one that is taken, is replaced by a new one.
  public var alarm: WireAlarm
  /// Latest first.
  public var occurrences: [WireOccurrence]

  public init(alarm: WireAlarm, occurrences: [WireOccurrence] = []) {
    self.alarm = alarm
    self.occurrences = occurrences
  }
}

public struct ImportAlarmsReply: Codable, Equatable, Sendable {
  /// How many alarms of this call were staged.
  public var staged: Int64
  public var refused: [RefusedAlarm]

  public init(staged: Int64, refused: [RefusedAlarm]) {
    self.staged = staged
    self.refused = refused
  }
}

public struct RefusedAlarm: Codable, Equatable, Sendable {
  /// Its index in the call, from 0.
  public var index: Int64
  /// The field whose value cannot be used.
  public var field: String

  public init(index: Int64, field: String) {
    self.index = index
    self.field = field
  }
}

/// Creates all alarms that this connection has staged, in one change. For a synchronised calendar, it also changes
/// those whose identities exist and deletes others.
public struct CommitImportCall: ScheduleMethod {
  public static let method = "CommitImport"
  public typealias Reply = CommitImportReply

  /// The caller's name of a synchronised calendar, 1 to 255 bytes.
  public var calendar: String?
  /// Required with a calendar: ``SyncMarkCall`` replies it from this change on. 1 to 255 bytes.
  public var mark: String?
  /// Only with a calendar: refused if the list's last change has another number.
  public var sequence: Int64?

  public init() {}
}

public struct CommitImportReply: Codable, Equatable, Sendable {
  /// How many alarms were created.
  public var count: Int64
  /// How many were skipped because an alarm with their identity exists.
  public var existed: Int64
  /// How many of the created alarms were recorded as missed because their moment had passed.
  public var missed: Int64
  /// The number of the last change.
  public var sequence: Int64
  /// How many were changed for a calendar.
  public var replaced: Int64?
  public var deleted: Int64?

  public init(
    count: Int64, existed: Int64, missed: Int64, sequence: Int64, replaced: Int64? = nil,
    deleted: Int64? = nil
  ) {
    self.replaced = replaced
    self.deleted = deleted
    self.count = count
    self.existed = existed
    self.missed = missed
    self.sequence = sequence
  }
}

/// Asks which of its changes a synchronised calendar has made; see ``CommitImportCall``.
public struct SyncMarkCall: ScheduleMethod {
  public static let method = "SyncMark"
  public typealias Reply = SyncMarkReply

  /// The caller's name of the calendar, 1 to 255 bytes.
  public var calendar: String
  /// Alarms that it had and that are gone.
  public var gone: [AlarmID]?

  public init(calendar: String, gone: [AlarmID]? = nil) { (self.calendar, self.gone) = (calendar, gone) }
}

public struct SyncMarkReply: Codable, Equatable, Sendable {
  /// The mark of the calendar's last change; nil if it made none.
  public var mark: String?
  /// The number of the list's last change.
  public var sequence: Int64
  /// Those of the gone alarms that eggd deleted by itself; nil for none.
  public var cleared: [AlarmID]?

  public init(mark: String?, sequence: Int64, cleared: [AlarmID]? = nil) {
    self.mark = mark
    self.sequence = sequence
    self.cleared = cleared
  }
}
