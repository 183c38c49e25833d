import Alarms
import GRDB

/// Which commands eggd was told to run, and for which alarms; see ``Schema``.
enum Approval {
  /// What the triggers of `approved_command` call. Only a connection that has it can add commands.
  static let function = DatabaseFunction("eggd_approves", argumentCount: 0) { _ in nil }

  /// The command of a row of `alarm` if it may run, else NULL.
  static func command(of alarm: String) -> String {
    """
    CASE WHEN \(alarm).run IS NOT NULL THEN (
      SELECT command FROM approved_command WHERE alarmID = \(alarm).id AND command = \(alarm).run) END
    """
  }

  /// From now on that alarm may run that command.
  static func add(_ command: AlarmCommand, for alarm: AlarmID, in database: Database) throws {
    try database.cachedStatement(
      sql: "INSERT OR IGNORE INTO approved_command (alarmID, command) VALUES (?, ?)"
    )
    .run([alarm.description, command.text])
  }

  /// From now on those alarms may run that command.
  static func add(_ command: AlarmCommand, for numbers: [Int64], in database: Database) throws {
    let approve = try database.cachedStatement(
      sql: """
        INSERT OR IGNORE INTO approved_command (alarmID, command) SELECT id, ? FROM alarm WHERE number = ?
        """)
    for number in numbers { try approve.run([command.text, number]) }
  }
}
