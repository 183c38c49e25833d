import Alarms

/// Stages alarms for this connection, in order. Nothing changes until ``CommitImportCall``.
public struct ImportAlarmsCall: ScheduleMethod {
  public static let method = "ImportAlarms"
  public typealias Reply = ImportAlarmsReply

  /// Alarms as an export writes them.
  public var alarms: [ImportedAlarm]
  /// Groups with their colours and icons.
  public var groups: [WireGroup]?
  /// Alarms that a synchronised calendar deletes, at most ``mostDeleted`` in all.
  public var delete: [AlarmID]?
  /// Days off with their days.
  public var daysOff: [WireDaysOff]?

  public static let mostDeleted = 1_000_000

  public init(alarms: [ImportedAlarm], groups: [WireGroup]? = nil) {
    self.alarms = alarms
    self.groups = groups
  }
}

/// An alarm with its past occurrences.
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

/// An alarm that cannot be imported.
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
