import Alarms
import EggTime
import GRDB

/// A ``ListFilter`` as SQL.
struct FilterCondition {
  /// A condition on an alarm `a` and its occurrence `o`; nil where everything passes.
  private(set) var sql: String?
  private(set) var arguments: StatementArguments = []
  /// Whether the condition uses `o`.
  private(set) var needsOccurrence = false
  /// The key of the only group whose alarms can pass.
  private(set) var group: String?
  /// Whether at most ``few`` alarms can pass. They are found without a look at the others.
  private(set) var isOfFew = false
  /// Whether nothing passes that still waits.
  private(set) var isOfIdle = false
  private var conditions = 0
  /// The group is the only condition.
  var isOfGroupAlone: Bool { conditions == 1 }

  init(_ filter: ListFilter, in reading: Reading) throws {
    if let group = filter.group {
      switch group {
      case .none: add(#"a."group" IS NULL"#)
      case .named(let name):
        let id = try String.fetchOne(
          reading.database, sql: "SELECT id FROM alarm_group WHERE name = ?", arguments: [name])
        guard let id else { throw ReadError.noSuchGroup(name) }
        self.group = id
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
    if let phases = filter.phases { try add(phases, reading) }
    if filter.dueFrom != nil || filter.dueBefore != nil {
      needsOccurrence = true
      let (moment, bounds) = (try Self.moment(reading), Bounds(filter))
      // A recurring alarm that rang today is already due on another day.
      let alternatives = filter.dueFrom == nil ? [moment] : [moment, "o.dueAt"]
      add(
        "(\(alternatives.map(bounds.condition).joined(separator: " OR ")))",
        alternatives.reduce(into: []) { arguments, _ in arguments += bounds.arguments })
    }
  }

  private mutating func add(_ phases: Set<Alarm.Phase>, _ reading: Reading) throws {
    needsOccurrence = true
    isOfIdle = phases.isSubset(of: Self.idle)
    if !phases.contains(.scheduled) {
      // Where many can pass, a page comes sooner in the order of the list.
      let numbers = Self.candidates(phases)
      isOfFew = try Self.areFew(numbers, reading)
      if isOfFew {
        add("a.number IN (\(numbers))")
      } else if isOfIdle {
        add(Self.isNotScheduled)
      }
    }
    add("\(AlarmRows.phase) IN (\(Self.list(phases.map(\.rawValue))))")
  }

  /// The phases of alarms that wait for nothing.
  private static let idle: Set<Alarm.Phase> = [.paused, .rung, .missed, .skipped]
  /// As the index of such alarms has it.
  static let isNotScheduled = "a.state <> 'scheduled'"
  /// Whether a ring of the alarm is unanswered or snoozed.
  static let isOpen = "a.number IN (SELECT alarm FROM occurrence WHERE \(open))"
  private static let open = "outcome = 'rung' AND dismissedAt IS NULL"

  /// The numbers of all alarms that can be in these phases, from indexes of such alarms alone.
  private static func candidates(_ phases: Set<Alarm.Phase>) -> String {
    var numbers: [String] = []
    if phases.contains(.snoozed) {
      numbers.append("SELECT alarm FROM occurrence WHERE \(open)")
    } else if phases.contains(.ringing) {
      numbers.append("SELECT alarm FROM occurrence WHERE \(open) AND snoozedUntil IS NULL")
    }
    if !phases.isDisjoint(with: idle) { numbers.append("SELECT number FROM alarm a WHERE \(isNotScheduled)") }
    return numbers.isEmpty ? "NULL" : numbers.joined(separator: " UNION ALL ")
  }

  private static let few = 1_000

  private static func areFew(_ numbers: String, _ reading: Reading) throws -> Bool {
    let count = try Int.fetchOne(
      try reading.database.cachedStatement(
        sql: "SELECT count(*) FROM (SELECT 1 FROM (\(numbers)) LIMIT \(few + 1))"))
    return count ?? 0 <= few
  }

  /// ` WHERE …` or ` AND …`; empty where everything passes.
  func clause(_ word: String) -> String { sql.map { " \(word) \($0)" } ?? "" }

  /// Those that also meet a condition.
  func and(_ condition: String) -> FilterCondition {
    var both = self
    both.add(condition)
    return both
  }

  private mutating func add(_ condition: String, _ values: StatementArguments = []) {
    sql = sql.map { "\($0) AND \(condition)" } ?? condition
    arguments += values
    conditions += 1
  }

  private static func list(_ names: [String]) -> String {
    names.map { "'\($0)'" }.sorted().joined(separator: ", ")
  }

  /// Half-open: from one moment to before another.
  private struct Bounds {
    let from: Int64
    let before: Int64

    init(_ filter: ListFilter) {
      from = filter.dueFrom?.microseconds ?? .min
      before = filter.dueBefore?.microseconds ?? .max
    }

    func condition(on moment: String) -> String { "(\(moment) >= ? AND \(moment) < ?)" }
    var arguments: StatementArguments { [from, before] }
  }

  /// The moment that a list shows, on the wall clock: the next one, else the one that marking done cancelled,
  /// else the occurrence's.
  private static func moment(_ reading: Reading) throws -> String {
    let cases = try reading.offsets().filter { $0.key != .wall }
      .map { "WHEN \($0.key.rawValue) THEN \($0.value)" }.sorted().joined(separator: " ")
    func wall(_ row: String) -> String {
      cases.isEmpty ? "\(row).due" : "\(row).due + CASE \(row).clock \(cases) ELSE 0 END"
    }
    let cancelled = "a.doneDue + coalesce((SELECT \"offset\" FROM boot WHERE id = a.doneClock), 0)"
    return "coalesce(min(\(wall("a")), \(wall("o"))), \(wall("a")), \(wall("o")), \(cancelled), o.dueAt)"
  }
}
