import EggTime

/// Sums over what is listed.
public struct Totals: Codable, Equatable, Sendable {
  /// How many alarms.
  public var alarms: Int64
  /// How many eggs in all of them.
  public var eggs: Int64
  /// The earliest moment to come; nil when nothing is to come.
  public var next: Instant?

  /// Those sums.
  public init(alarms: Int64, eggs: Int64, next: Instant?) {
    self.alarms = alarms
    self.eggs = eggs
    self.next = next
  }
}

extension Totals {
  /// Writes the object that its coder writes too.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("alarms", alarms)
      json.member("eggs", eggs)
      json.member("next", next?.microseconds)
    }
  }
}
