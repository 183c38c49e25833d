import GRDB

/// A ``ListFilter`` as SQL.
struct FilterCondition {
  /// A condition on an alarm `a` and its occurrence `o`; nil where everything passes.
  private(set) var sql: String?
  private(set) var arguments: StatementArguments = []
  /// Whether the condition uses `o`.
  private(set) var needsOccurrence = false

  init(_ filter: ListFilter, in reading: Reading) throws {
    if let group = filter.group {
      switch group {
      case .none: add(#"a."group" IS NULL"#)
      case .named(let name):
        let id = try String.fetchOne(
          reading.database, sql: "SELECT id FROM alarm_group WHERE name = ?", arguments: [name])
        guard let id else { throw ChangeError.noSuchGroup(name) }
        add(#"a."group" = ?"#, [id])
      }
    }
    if let numbers = filter.numbers {
      add("a.number BETWEEN ? AND ?", [numbers.lowerBound, numbers.upperBound])
    }
    if let categories = filter.categories {
      add("a.category IN (\(Self.list(categories.map(\.rawValue))))")
    }
    if let done = filter.done { add("a.doneAt IS \(done ? "NOT " : "")NULL") }
    if let label = filter.label, !label.isEmpty {
      let text =
        "\(DatabaseFunction.lowercase.name)(coalesce(a.label, '') || char(10) || coalesce(a.note, ''))"
      add("instr(\(text), ?) > 0", [label.lowercased()])
    }
    if let phases = filter.phases {
      needsOccurrence = true
      // Alarms that ring or are snoozed come from an index of their own.
      if phases.isSubset(of: [.ringing, .snoozed]) {
        add("a.number IN (SELECT alarm FROM occurrence WHERE outcome = 'rung' AND dismissedAt IS NULL)")
      }
      let phase = "\(AlarmRows.phase) IN (\(Self.list(phases.map(\.rawValue))))"
      // One that rings or is snoozed may be paused, too.
      add(phases.contains(.paused) ? "(\(phase) OR a.state = 'paused')" : phase)
    }
    if filter.dueFrom != nil || filter.dueBefore != nil {
      needsOccurrence = true
      // A recurring alarm that rang today is already due on another day.
      let moments = [try Self.moment(reading)] + (filter.dueFrom == nil ? [] : ["o.dueAt"])
      let (from, before) = (filter.dueFrom?.microseconds ?? .min, filter.dueBefore?.microseconds ?? .max)
      add("(\(moments.map { "\($0) >= \(from) AND \($0) < \(before)" }.joined(separator: " OR ")))")
    }
  }

  /// ` WHERE …` or ` AND …`; empty where everything passes.
  func clause(_ word: String) -> String { sql.map { " \(word) \($0)" } ?? "" }

  private mutating func add(_ condition: String, _ values: StatementArguments = []) {
    sql = sql.map { "\($0) AND \(condition)" } ?? condition
    arguments += values
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.sorted().joined(separator: ", ")
  }

  /// The moment that a list shows, on the wall clock: the next one, else the one that marking done cancelled,
  /// else the occurrence's.
  private static func moment(_ reading: Reading) throws -> String {
    let cancelled = "a.doneDue + coalesce((SELECT \"offset\" FROM boot WHERE id = a.doneClock), 0)"
    return "coalesce(\(try reading.next()), \(cancelled), o.dueAt)"
  }
}
