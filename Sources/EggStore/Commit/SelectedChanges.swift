import Alarms
import EggTime
import GRDB

/// Common parts of changes to selected alarms.
extension StoreTransaction {
  /// Changes the selected alarms that allow it. A named one that does not is refused; others are skipped.
  ///
  /// - Parameters:
  ///   - keepsOthers: Named alarms that are no candidates are already as requested and are returned
  ///     unchanged.
  ///   - body: Changes these alarms, ascending, and returns those that changed.
  func change(
    _ change: some SelectingChange, keepsOthers: Bool = false, _ body: ([Int64]) throws -> [Int64]
  ) throws -> ChangeOutcome {
    let selected = try SelectedAlarms(change.selection, change.candidates, in: database)
    var outcome = ChangeOutcome(selected)
    var (numbers, answered) = (selected.others, [Int64]())
    for number in selected.named {
      if try change.candidates.contain(number, in: database) {
        numbers.append(number)
      } else if keepsOthers {
        answered.append(number)
      } else {
        let alarm = try tables.alarms.read(number)
        throw ChangeError.wrongState(
          number: number, alarm?.state == .paused ? .paused : alarm?.phase ?? .rung)
      }
    }
    if !numbers.isEmpty { answered += try body(numbers.sorted()) }
    outcome.changed = Int64(answered.count)
    outcome.alarms = try tables.alarms.read(firstOf: answered.sorted())
    return outcome
  }

  /// ``change(_:keepsOthers:_:)`` as one step, alarm by alarm.
  ///
  /// - Parameter body: Changes one alarm; returns false where it cannot. A named one is then refused, others are skipped.
  func changeEach(
    _ change: some SelectingChange, at moment: Instant, _ body: (Alarm) throws -> Bool
  ) throws -> ChangeOutcome {
    let named = Set(change.selection.numbers)
    return try self.change(change) { numbers in
      var changed: [Int64] = []
      try step(numbers) {
        for number in numbers {
          guard let alarm = try tables.alarms.read(number) else { continue }
          if try body(alarm) {
            changed.append(number)
          } else if named.contains(number) || change.selection.ids.contains(alarm.id) {
            throw ChangeError.wrongState(number: number, alarm.phase)
          }
        }
        try tables.alarms.noteChange(changed, at: moment)
      }
      return changed
    }
  }
}
