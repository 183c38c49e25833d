import Alarms
import EggTestSupport
import EggTime
import GRDB
import Testing

@testable import EggStore

@Suite("The order of the list")
struct PlacingTests {
  private func order(_ bench: StoreBench) throws -> [Int64] { try bench.list().alarms.map(\.number) }

  @Test("Alarms can be moved to either end and next to others, and stay there")
  func move() throws {
    let bench = try StoreBench()
    for _ in 1...5 { try bench.schedule() }
    let moved = try bench.submit(MoveChange(Selection(numbers: [4]), .top)).alarms
    #expect(moved.map(\.number) == [4])
    #expect(moved.first?.modifiedAt == bench.now)
    #expect(try order(bench) == [4, 1, 2, 3, 5])
    try bench.submit(MoveChange(Selection(numbers: [1]), .bottom))
    try bench.submit(MoveChange(Selection(numbers: [5]), .before(2)))
    try bench.submit(MoveChange(Selection(numbers: [4]), .after(3)))
    try bench.reopen()
    #expect(try order(bench) == [5, 2, 3, 4, 1])
    try bench.schedule()
    #expect(try order(bench) == [5, 2, 3, 4, 1, 6])
  }

  @Test("Several alarms keep their order")
  func several() throws {
    let bench = try StoreBench()
    for _ in 1...5 { try bench.schedule() }
    try bench.submit(MoveChange(Selection(numbers: [5]), .top))
    try bench.submit(MoveChange(Selection(numbers: [1, 5, 3]), .after(4)))
    #expect(try order(bench) == [2, 4, 5, 1, 3])
    try bench.submit(MoveChange(Selection(all: true), .top))
    #expect(try order(bench) == [2, 4, 5, 1, 3])
  }

  @Test("A place next to the alarm itself, or to no alarm, is refused")
  func refused() throws {
    let bench = try StoreBench()
    try bench.schedule()
    #expect(bench.submitted(MoveChange(Selection(numbers: [1]), .after(1))).error == .wrongPlace(number: 1))
    let missing = bench.submitted(MoveChange(Selection(numbers: [1]), .after(9))).error
    #expect(missing == .noSuchAlarm(numbers: [9], ids: []))
  }

  @Test("A used-up gap is widened again, without end", arguments: [3, 1_500])
  func usedUp(alarms: Int) throws {
    let bench = try StoreBench()
    for _ in 1...alarms { try bench.schedule() }
    var expected = Array(1...Int64(alarms))
    // The last two alarms swap places repeatedly: each move halves the same gap.
    for round in 0..<200 {
      let last = expected.removeLast()
      expected.insert(last, at: 1)
      try bench.submit(MoveChange(Selection(numbers: [last]), .after(expected[0])))
      if round % 20 == 0 || alarms == 3 {
        #expect(try bench.list(ListQuery(limit: alarms)).alarms.map(\.number) == expected)
      }
    }
    #expect(try bench.list(ListQuery(limit: alarms)).alarms.map(\.number) == expected)
  }

  @Test("Positions at the limits of Int64 do not trap")
  func far() throws {
    let bench = try StoreBench()
    for _ in 1...4 { try bench.schedule() }
    try bench.stranger().write {
      try $0.execute(sql: "UPDATE alarm SET position = ? WHERE number = 4", arguments: [Int64.max])
      try $0.execute(sql: "UPDATE alarm SET position = ? WHERE number = 1", arguments: [Int64.min])
    }
    try bench.submit(MoveChange(Selection(numbers: [3]), .top))
    try bench.submit(MoveChange(Selection(numbers: [2]), .bottom))
    #expect(try order(bench) == [3, 1, 4, 2])
    try bench.submit(MoveChange(Selection(numbers: [3]), .after(4)))
    #expect(try order(bench) == [1, 4, 3, 2])
  }
}
