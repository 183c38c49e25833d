import Alarms
import EggTime
import GRDB
import Ringing

/// What changes of selected alarms have in common.
extension StoreTransaction {
  /// How many alarms an outcome carries; a change of more is made in full, and its outcome carries the first.
  static let outcomeAlarms = 1_000

  /// Selects those that allow the change. One that was named and doesn't is refused; others are passed over.
  ///
  /// - Parameter phases: Of what rings or is snoozed.
  func change(
    _ selection: Selection, allowing phases: Set<Alarm.Phase>, _ body: ([Int64]) throws -> Void
  ) throws -> ChangeOutcome {
    try change(selection, others: SelectedAlarms.openBetween) { numbers, named in
      let statement = try self.database.cachedStatement(
        sql: "SELECT \(AlarmRows.phase) \(AlarmRows.from) WHERE a.number = ?")
      var allowed: [Int64] = []
      for number in numbers {
        let phase = try String.fetchOne(statement, arguments: [number]).flatMap { Alarm.Phase(rawValue: $0) }
        if let phase, phases.contains(phase) {
          allowed.append(number)
        } else if named.contains(number) {
          throw ChangeError.wrongState(number: number, phase ?? .rung)
        }
      }
      if !allowed.isEmpty { try body(allowed) }
      return allowed
    }
  }

  /// - Parameters:
  ///   - others: See ``SelectedAlarms``.
  ///   - body: Changes those selected, of whom some are named, and returns those it changed.
  func change(
    _ selection: Selection, others: String? = nil,
    _ body: (_ numbers: [Int64], _ named: Set<Int64>) throws -> [Int64]
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(selection, in: database, others: others)
    var outcome = ChangeOutcome(sequence: 0)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    let numbers = selected.numbers.sorted()
    let changed = numbers.isEmpty ? [] : try body(numbers, Set(selected.named))
    outcome.changed = Int64(changed.count)
    outcome.alarms = try changed.prefix(Self.outcomeAlarms).compactMap { try alarm($0) }
    return outcome
  }

  /// - Parameters:
  ///   - candidate: What can be changed at all, in SQL; others of a range are passed over.
  ///   - keepsOthers: Those that were named and are no candidates are so already: they are answered as they are.
  ///   - body: Changes one alarm; false where its state does not allow it. One that was named and doesn't allow it is
  ///     refused, others are passed over.
  ///   - afterwards: Ends the change, once all have been changed one by one.
  func changeEach(
    _ selection: Selection, where candidate: String, keepsOthers: Bool = false, at moment: Instant,
    _ body: (Alarm) throws -> Bool, afterwards: () throws -> Void = {}
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(
      selection, in: database, others: SelectedAlarms.between + " AND (\(candidate)) ORDER BY number")
    let named = Set(selected.named)
    var outcome = ChangeOutcome(sequence: 0)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    let isCandidate = try database.cachedStatement(
      sql: "SELECT 1 FROM alarm a WHERE number = ? AND (\(candidate))")
    var answered: [Int64] = []
    if keepsOthers {
      answered = try selected.named.filter { try Int64.fetchOne(isCandidate, arguments: [$0]) == nil }
    }
    let numbers = Set(selected.numbers).subtracting(answered).sorted()
    if !numbers.isEmpty {
      try step(numbers) {
        let modify = try database.cachedStatement(sql: "UPDATE alarm SET modifiedAt = ? WHERE number = ?")
        for number in numbers {
          guard let alarm = try alarm(number) else { continue }
          if try body(alarm) {
            answered.append(number)
            try modify.execute(arguments: [moment.microseconds, number])
            try settle(number, at: moment)
          } else if named.contains(number) {
            throw ChangeError.wrongState(number: number, alarm.phase)
          }
        }
        try afterwards()
        return []
      }
    }
    outcome.changed = Int64(answered.count)
    outcome.alarms = try answered.sorted().prefix(Self.outcomeAlarms).compactMap { try alarm($0) }
    return outcome
  }
}
