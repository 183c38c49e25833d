/// Days from the first to the last, both included, in no zone: `2026-12-24..2027-01-01`; `2026-12-25` for one day.
public struct DayRange: Hashable, Sendable {
  /// Since 1970-01-01.
  public let days: ClosedRange<Int>

  public var first: CivilDate { CivilDate(dayNumber: days.lowerBound) }
  public var last: CivilDate { CivilDate(dayNumber: days.upperBound) }

  /// nil where `last` is before `first`.
  public init?(_ first: CivilDate, through last: CivilDate) {
    guard first.dayNumber <= last.dayNumber else { return nil }
    days = first.dayNumber...last.dayNumber
  }

  fileprivate init(days: ClosedRange<Int>) { self.days = days }
}

extension DayRange: LosslessStringConvertible {
  public var description: String { days.count == 1 ? "\(first)" : "\(first)..\(last)" }

  /// Accepts only what ``description`` writes; nil otherwise and for dates that do not exist.
  public init?(_ text: String) {
    let dates = [text.prefix(10), text.count > 12 ? text.dropFirst(12) : text[...]]
      .compactMap { CivilDate(String($0)) }
    guard dates.count == 2, let range = DayRange(dates[0], through: dates[1]), range.description == text
    else { return nil }
    self = range
  }
}

/// Days off: ranges that lie apart, ascending.
public struct DaySet: Hashable, Sendable {
  public let ranges: [DayRange]

  public static let none = DaySet([])

  /// Of any ranges in any order.
  public init(_ ranges: [DayRange]) {
    var joined: [ClosedRange<Int>] = []
    for days in ranges.map(\.days).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, days.lowerBound <= last.upperBound + 1 {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, days.upperBound)
      } else {
        joined.append(days)
      }
    }
    self.ranges = joined.map { DayRange(days: $0) }
  }

  public var isEmpty: Bool { ranges.isEmpty }
  /// How many days.
  public var count: Int { ranges.reduce(0) { $0 + $1.days.count } }

  /// The first of its days that is not before `day`; nil for none. Days are counted from 1970-01-01.
  public func first(from day: Int) -> Int? { range(endingFrom: day).map { max($0.days.lowerBound, day) } }

  /// The last of its days from `day` on without a gap; nil where `day` is none of them.
  public func last(around day: Int) -> Int? {
    range(endingFrom: day).flatMap { $0.days.contains(day) ? $0.days.upperBound : nil }
  }

  /// The first range that does not end before `day`.
  private func range(endingFrom day: Int) -> DayRange? {
    var (low, high) = (0, ranges.count)
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].days.upperBound < day { low = middle + 1 } else { high = middle }
    }
    return low < ranges.count ? ranges[low] : nil
  }
}

extension DaySet: LosslessStringConvertible {
  /// Ranges with a blank between.
  public var description: String { ranges.map(\.description).joined(separator: " ") }

  /// Accepts any ranges; nil where one is unreadable.
  public init?(_ text: String) {
    let words = text.split(separator: " ")
    let ranges = words.compactMap { DayRange(String($0)) }
    guard ranges.count == words.count else { return nil }
    self.init(ranges)
  }
}
