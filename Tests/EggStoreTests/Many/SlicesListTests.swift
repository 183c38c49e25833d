import Alarms
import Dispatch
import EggTestSupport
import EggTime
import GRDB
import Ringing
import Synchronization
import Testing

@testable import EggStore

@Suite("Moves and groups in slices")
struct SlicesListTests {
  @Test(
    "Many are moved all at once, as one would move them; and back",
    arguments: [Place.top, .bottom, .before(7), .after(7), .before(1), .after(12)])
  func moved(place: Place) throws {
    func bench() throws -> StoreBench {
      let bench = try StoreBench()
      for index in 1...12 { try bench.schedule("egg \(index)", after: .seconds(600)) }
      try bench.submit(MoveChange(Selection(numbers: [4]), .top))
      try bench.submit(MoveChange(Selection(numbers: [10]), .after(2)))
      return bench
    }
    func order(_ bench: StoreBench) throws -> [Int64] { try bench.list().alarms.map(\.number) }
    let change = MoveChange(Selection(ranges: [2...5, 9...11, 14...100_000]), place)
    let (whole, bench) = (try bench(), try bench())
    let expected = try whole.submit(change)
    bench.store.prepareChanges(of: 2, atOnce: 1)
    let before = try order(bench)
    var steps = 0
    let outcome = try bench.make(change) { () throws in
      guard try bench.mark() != nil else { return }
      steps += 1
      #expect(try order(bench).filter { $0 <= 12 } == before)
      #expect(
        try bench.list(ListQuery(filter: ListFilter(phases: [.scheduled]), limit: 3)).alarms.map(\.number)
          == Array(before.prefix(3)))
      switch steps {
      case 3:
        var edit = AlarmEdit()
        edit.label = "changed"
        bench.ask(EditChange(Selection(numbers: [11, 2]), edit)) { _ in }
        bench.ask(ScheduleChange(bench.new("added"))) { _ in }
      case 5: #expect(bench.alarm(11)?.label == "changed")
      default: break
      }
    }
    #expect(steps > 5)
    #expect(outcome.changed == 7)
    #expect(outcome.alarms.map(\.number) == expected.alarms.map(\.number))
    #expect(try order(bench).filter { $0 <= 12 } == order(whole))
    #expect(bench.alarm(2)?.label == "changed")
    let after = try order(bench)
    try bench.make(UndoChange(expected: nil)) { () throws in #expect(try order(bench) == after) }
    #expect(try order(bench).filter { $0 <= 12 } == before)
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in }
    #expect(try order(bench) == after)
  }

  @Test("A group that is deleted leaves its alarms all at once, and those that join it meanwhile")
  func group() throws {
    let bench = try SlicesBench.make()
    try bench.submit(CreateGroupChange(Group(name: "Sunday")))
    var join = AlarmEdit()
    join.group = .some("Sunday")
    try bench.submit(EditChange(Selection(ranges: [1...8, 10...14, 16...1_000]), join))
    let members = try bench.list().alarms.count { $0.group == "Sunday" }
    let before = try bench.view()
    var asked = 0
    let outcome = try bench.make(DeleteGroupChange(name: "Sunday", withAlarms: false)) { () throws in
      guard try bench.mark() != nil else { return }
      asked += 1
      switch asked {
      case 3: #expect(try bench.view() == before)
      // One leaves, and another comes.
      case 4:
        var leave = AlarmEdit()
        leave.group = .some(nil)
        bench.ask(EditChange(Selection(numbers: [2]), leave)) { _ in }
        bench.ask(EditChange(Selection(numbers: [9]), join)) { _ in }
      case 7: #expect(try bench.list().alarms.count { $0.group == "Sunday" } == members)
      default: break
      }
    }
    #expect(asked > 7)
    #expect(outcome.changed == Int64(members))
    #expect(try bench.groups().isEmpty)
    #expect(try bench.list().alarms.allSatisfy { $0.group == nil })
    try bench.make(UndoChange(expected: nil)) { () throws in #expect(try bench.groups().isEmpty) }
    #expect(try bench.groups().map(\.alarms) == [Int64(members)])
    #expect(bench.alarm(2)?.group == nil)
    #expect(bench.alarm(9)?.group == "Sunday")
    try bench.make(UndoChange(expected: nil, redoes: true)) { () throws in }
    #expect(try bench.groups().isEmpty)
    #expect(try bench.list().alarms.allSatisfy { $0.group == nil })
  }
}
