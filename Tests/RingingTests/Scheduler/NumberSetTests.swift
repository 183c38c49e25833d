import Ringing
import Testing

@Suite struct NumberSetTests {
  @Test("Ranges in any order, overlapping or touching, hold exactly their numbers")
  func ranges() {
    let set = NumberSet(ranges: [5...7, 1...2, 6...9, 2...3, 20...20])
    let held = (0...25).filter { set.contains(Int64($0)) }
    #expect(held == [1, 2, 3, 5, 6, 7, 8, 9, 20])
    #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
  }

  @Test("The set of all holds every number, an empty set none")
  func extremes() {
    #expect([Int64.min, 0, 1, .max].allSatisfy(NumberSet.all.contains))
    #expect(!NumberSet([]).contains(1))
  }

  @Test("Added ranges that follow each other are one; others stay sorted and disjoint")
  func adding() {
    var set: NumberSet = [1, 2]
    #expect(set.ranges == [1...1, 2...2])
    set.add([3, 4])
    #expect(set.ranges == [1...1, 2...4])
    set.add(NumberSet(ranges: [2...2, 9...10]))
    #expect(set.ranges == [1...4, 9...10])
    set.add([])
    set.add([.max])
    #expect(set.ranges == [1...4, 9...10, .max ... .max])
    #expect(set.count == 7)
    #expect(set.first(6) == [1, 2, 3, 4, 9, 10])
    #expect(NumberSet.all.count == .max)
    #expect(NumberSet([]).first(3).isEmpty && NumberSet([]).isEmpty && !set.isEmpty)
  }
}
