import EggTime

/// Sums over the listed alarms.
public struct Totals: Codable, Equatable, Sendable {
  public var alarms: Int64
  public var eggs: Int64
  /// The earliest moment to come, if any.
  public var next: Instant?

  public init(alarms: Int64, eggs: Int64, next: Instant?) {
    self.alarms = alarms
    self.eggs = eggs
    self.next = next
  }
}
