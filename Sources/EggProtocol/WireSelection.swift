import Alarms

/// The alarms that a call selects: the union of all four. Empty parts are not sent.
public struct WireSelection: Codable, Equatable, Sendable {
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

  private enum Member: CodingKey { case numbers, ids, ranges, all }

  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: Member.self)
    numbers = try members.decodeIfPresent([Int64].self, forKey: .numbers) ?? []
    ids = try members.decodeIfPresent([AlarmID].self, forKey: .ids) ?? []
    ranges = try members.decodeIfPresent([NumberRange].self, forKey: .ranges) ?? []
    all = try members.decodeIfPresent(Bool.self, forKey: .all) ?? false
  }

  public func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: Member.self)
    if !numbers.isEmpty { try members.encode(numbers, forKey: .numbers) }
    if !ids.isEmpty { try members.encode(ids, forKey: .ids) }
    if !ranges.isEmpty { try members.encode(ranges, forKey: .ranges) }
    if all { try members.encode(all, forKey: .all) }
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
