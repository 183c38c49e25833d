import Alarms

/// Which alarms a call is about: the union of all four.
public struct WireSelection: Equatable, Sendable {
  /// Numbers; those that do not exist are named in the reply.
  public var numbers: [Int64]
  /// Identities; those that do not exist are named in the reply.
  public var ids: [AlarmID]
  /// Ranges of numbers; those that exist.
  public var ranges: [NumberRange]
  /// Every alarm there is.
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

/// Numbers from first to last, both included.
public struct NumberRange: Codable, Equatable, Sendable {
  /// The lowest number.
  public var first: Int64
  /// The highest number; no lower than `first`.
  public var last: Int64

  /// Those numbers.
  public init(first: Int64, last: Int64) {
    self.first = first
    self.last = last
  }
}

/// A call that is about a selection of alarms; an empty part of the selection is left out.
public protocol SelectingCall {
  var numbers: [Int64]? { get set }
  var ids: [AlarmID]? { get set }
  var ranges: [NumberRange]? { get set }
  var all: Bool? { get set }
}

extension SelectingCall {
  /// The four fields as one value.
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
