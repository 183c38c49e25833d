import Alarms
import EggTime
import GRDB
import Ringing

/// Common parts of changes to selected alarms.
extension StoreTransaction {
  /// The limit of alarms in an outcome; a larger change is made in full, and its outcome holds the first.
  static let outcomeAlarms = 1_000

  /// Selects the alarms that allow the change. A named one that does not is refused; others are skipped.
  ///
  /// - Parameter phases: The phases of ringing or snoozed alarms.
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
  ///   - body: Changes the selected alarms and returns those that changed.
  func change(
    _ selection: Selection, others: String? = nil,
    _ body: (_ numbers: [Int64], _ named: Set<Int64>) throws -> [Int64]
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(selection, in: database, others: others)
    var outcome = ChangeOutcome(sequence: 0)
    (outcome.missing, outcome.missingIDs) = (selected.missing, selected.missingIDs)
    let numbers = selected.numbers.sorted()
    let changed = numbers.isEmpty ? [] : try body(numbers, Set(selected.named))
    try tell(changed, in: &outcome)
    return outcome
  }

  private func tell(_ changed: [Int64], in outcome: inout ChangeOutcome) throws {
    if isSlice {
      outcome.numbers = changed
    } else {
      outcome.changed = Int64(changed.count)
      outcome.alarms = try changed.prefix(Self.outcomeAlarms).compactMap { try alarm($0) }
    }
  }

  /// - Parameters:
  ///   - candidate: SQL for the alarms that can change; others in a range are skipped.
  ///   - keepsOthers: Named alarms that are no candidates are already as requested and are returned
  ///     unchanged.
  ///   - body: Changes one alarm; returns false where its state does not allow it. A named one is then
  ///     refused, others are skipped.
  ///   - afterwards: Completes the change after the last alarm.
  func changeEach(
    _ selection: Selection, where candidate: String, keepsOthers: Bool = false, at moment: Instant,
    _ body: (Alarm) throws -> Bool, afterwards: () throws -> Void = {}
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(
      selection, in: database, others: SelectedAlarms.candidates(candidate))
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
        let modify = try database.cachedStatement(
          sql: "UPDATE main.alarm SET modifiedAt = ? WHERE number = ?")
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
    try tell(answered.sorted(), in: &outcome)
    return outcome
  }
}
