/// Alarms that a change is about to take away from their moment: until COMMIT or its failure none begins to ring. As many
/// holds as changes share one transaction.
package typealias Holds = [HoldID: NumberSet]

extension Holds {
  /// Whether any hold is about that alarm.
  package func contain(_ number: Int64) -> Bool { values.contains { $0.contains(number) } }
}

/// Identifies a hold until it ends.
package struct HoldID: Hashable, Sendable {
  package var rawValue: UInt64
  /// Never reused.
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}
