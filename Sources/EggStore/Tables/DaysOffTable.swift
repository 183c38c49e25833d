import Alarms
import EggTime
import GRDB

/// Statements on the table `days_off`, and which alarms name a calendar.
struct DaysOffTable {
  let database: Database
  let zones: ZonesInUse

  func days(of name: String) throws -> DaySet {
    guard let days = zones.daysOff(named: name) else {
      throw ChangeError.noSuchDaysOff(name, known: zones.namesOfDaysOff)
    }
    return days
  }

  /// Refuses names that do not exist.
  func check(_ rules: MomentRules) throws {
    for name in rules.except + rules.onlyOn { _ = try days(of: name) }
  }

  /// By name; unreadable days of another program are none.
  static func all(
    _ source: String = "days_off", _ arguments: StatementArguments = [], in database: Database
  ) throws -> [String: DaySet] {
    var all: [String: DaySet] = [:]
    // Without the limit of other texts.
    for row in try database.allRows("SELECT name, days FROM \(source)", arguments) {
      guard let name = String.fromDatabaseValue(row[0]) else { continue }
      all[name] = String.fromDatabaseValue(row[1]).flatMap { DaySet($0) } ?? DaySet.none
    }
    return all
  }

  func users(of name: String) throws -> [Int64] { try Self.users(of: name, in: database) }

  /// The alarms that name it, ascending.
  static func users(of name: String, in database: Database) throws -> [Int64] {
    try database.numbers(
      """
      SELECT number FROM alarm WHERE (exceptOn IS NOT NULL OR onlyOn IS NOT NULL)
        AND (instr(char(10) || exceptOn || char(10), ?1) OR instr(char(10) || onlyOn || char(10), ?1)) ORDER BY number
      """, ["\n\(name)\n"])
  }

  func set(_ days: DaySet, for name: String) throws {
    try write("INSERT OR REPLACE INTO days_off (name, days) VALUES (?, ?)", [name, days.description])
  }

  func delete(_ name: String) throws { try write("DELETE FROM days_off WHERE name = ?", [name]) }

  /// Takes back what a change did to days off.
  func restore(_ images: Images) throws {
    try images.restore(.daysOff)
    try zones.readDaysOff(database)
  }

  private func write(_ sql: String, _ values: StatementArguments) throws {
    try database.execute(sql: sql, arguments: values)
    try zones.readDaysOff(database)
  }
}

extension Images {
  /// Those that the alarms of an import name.
  func namesOfDaysOff() throws -> Set<String> {
    let lists = try String.fetchAll(
      database,
      sql: """
        SELECT exceptOn FROM alarm_image WHERE holder = ?1 AND exceptOn IS NOT NULL
        UNION SELECT onlyOn FROM alarm_image WHERE holder = ?1 AND onlyOn IS NOT NULL
        """, arguments: [holder])
    return Set(lists.flatMap { $0.split(separator: "\n") }.map(String.init))
  }

  /// Those of an import.
  func daysOff() throws -> [String: DaySet] {
    try DaysOffTable.all("days_off_image WHERE holder = ? AND side = 0", [holder], in: database)
  }
}
