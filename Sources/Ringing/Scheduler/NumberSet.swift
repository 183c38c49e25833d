/// Alarm numbers as sorted, disjoint ranges: deleting all of a million alarms takes one range.
package struct NumberSet: Hashable, Sendable, ExpressibleByArrayLiteral {
  /// Ascending, disjoint.
  package private(set) var ranges: [ClosedRange<Int64>]

  package static let all = NumberSet(ranges: [Int64.min...Int64.max])

  /// Ranges in any order, possibly overlapping.
  package init(ranges: [ClosedRange<Int64>]) {
    self.ranges = []
    for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = self.ranges.last, range.lowerBound <= last.upperBound {
        self.ranges[self.ranges.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
      } else {
        self.ranges.append(range)
      }
    }
  }

  /// In any order.
  package init(_ numbers: some Sequence<Int64>) { self.init(ranges: numbers.map { $0...$0 }) }

  /// Ranges that follow each other become one.
  package mutating func add(_ other: NumberSet) {
    var more = other.ranges
    if let last = ranges.last, let first = more.first, first.lowerBound <= last.upperBound {
      more = NumberSet(ranges: ranges + more).ranges
      ranges = []
    }
    for range in more {
      if let last = ranges.last, last.upperBound < .max, range.lowerBound == last.upperBound + 1 {
        ranges[ranges.count - 1] = last.lowerBound...range.upperBound
      } else {
        ranges.append(range)
      }
    }
  }

  package init(arrayLiteral numbers: Int64...) { self.init(numbers) }

  package var isEmpty: Bool { ranges.isEmpty }

  /// The smallest numbers, ascending.
  package func first(_ most: Int) -> [Int64] { Array(ranges.lazy.joined().prefix(most)) }

  /// Saturates.
  package var count: Int64 {
    ranges.reduce(0) { sum, range in
      let (width, isWide) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
      let (count, isMany) = sum.addingReportingOverflow(width)
      return isWide || isMany || count == .max ? .max : count + 1
    }
  }

  /// Binary search.
  package func contains(_ number: Int64) -> Bool {
    let index = ranges.partitioningIndex { $0.upperBound >= number }
    return index < ranges.count && ranges[index].contains(number)
  }
}

extension Array {
  /// The first index whose element satisfies the condition, by binary search: all behind it satisfy it too.
  func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
