/// Alarms that a change is about to take away from their moment: until COMMIT or its failure none begins to ring.
package struct Holds: Sendable {
  /// As many as changes share one transaction.
  private var numbers: [HoldID: NumberSet] = [:]

  /// These do not ring from now on.
  package mutating func begin(_ hold: HoldID, _ numbers: NumberSet) { self.numbers[hold] = numbers }

  /// Whom the hold was about; nil when there is no such hold.
  package mutating func end(_ hold: HoldID) -> NumberSet? { numbers.removeValue(forKey: hold) }

  /// Whether any hold is about that alarm.
  package func contain(_ number: Int64) -> Bool { numbers.values.contains { $0.contains(number) } }
}

/// Identifies a hold until it ends.
package struct HoldID: Hashable, Sendable {
  package var rawValue: UInt64
  /// Never reused.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
