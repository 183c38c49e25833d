import Alarms

/// The alarms that a call selects: the union of all four.
public struct WireSelection: Equatable, Sendable {
  /// The reply names numbers that do not exist.
  public var numbers: [Int64]
  /// The reply names identities that do not exist.
  public var ids: [AlarmID]
  /// Ranges select the numbers that exist.
  public var ranges: [NumberRange]
  public var all: Bool

  public init(
    numbers: [Int64] = [], ids: [AlarmID] = [], ranges: [NumberRange] = [], all: Bool = false
  ) {
    self.numbers = numbers
    self.ids = ids
    self.ranges = ranges
    self.all = all
  }
}

/// First to last, both included.
public struct NumberRange: Codable, Equatable, Sendable {
  public var first: Int64
  /// At least `first`.
  public var last: Int64

  public init(first: Int64, last: Int64) {
    self.first = first
    self.last = last
  }
}

/// A call with a selection of alarms. Empty parts of the selection are not sent.
public protocol SelectingCall {
  var numbers: [Int64]? { get set }
  var ids: [AlarmID]? { get set }
  var ranges: [NumberRange]? { get set }
  var all: Bool? { get set }
}

extension SelectingCall {
  /// The selection's four fields as one value.
  public var selection: WireSelection {
    get {
      WireSelection(numbers: numbers ?? [], ids: ids ?? [], ranges: ranges ?? [], all: all ?? false)
    }
    set {
      numbers = newValue.numbers.isEmpty ? nil : newValue.numbers
      ids = newValue.ids.isEmpty ? nil : newValue.ids
      ranges = newValue.ranges.isEmpty ? nil : newValue.ranges
      all = newValue.all ? true : nil
    }
  }
}
