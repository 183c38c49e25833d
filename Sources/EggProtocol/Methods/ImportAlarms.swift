import Alarms

/// Stages alarms for this connection, in the order of the list; nothing changes yet.
public struct ImportAlarmsCall: ScheduleMethod {
  public static let method = "ImportAlarms"
  public typealias Reply = ImportAlarmsReply

  /// Alarms as an export has them.
  public var alarms: [ImportedAlarm]
  /// Groups with their colours and icons.
  public var groups: [WireGroup]?

  public init(alarms: [ImportedAlarm], groups: [WireGroup]? = nil) {
    self.alarms = alarms
    self.groups = groups
  }
}

/// An alarm with what became of it.
public struct ImportedAlarm: Codable, Equatable, Sendable {
  /// The alarm. A number of 0, and one that is taken, becomes a new one.
  public var alarm: WireAlarm
  /// What became of it, latest first.
  public var occurrences: [WireOccurrence]

  public init(alarm: WireAlarm, occurrences: [WireOccurrence] = []) {
    self.alarm = alarm
    self.occurrences = occurrences
  }
}

/// What was staged.
public struct ImportAlarmsReply: Codable, Equatable, Sendable {
  /// How many alarms of this call were.
  public var staged: Int64
  /// Those that were not.
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
