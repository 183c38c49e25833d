import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Testing

@testable import EggDaemon
@testable import EggStore

@Suite("Listed parts of alarms")
struct ListedPartsTests {
  @Test(
    "Listed parts of alarms are the same, read alone or with the rest",
    arguments: [ListOrder.position, .due, .created, .label])
  func listedParts(order: ListOrder) throws {
    let bench = try StoreBench.withFive()
    try bench.submit(CreateGroupChange(Group(name: "brunch")))
    var edit = AlarmEdit()
    (edit.label, edit.group, edit.category, edit.eggs) = ("two", "brunch", .soft, 3)
    try bench.submit(EditChange(Selection(numbers: [2, 5]), edit))
    try bench.submit(MarkDoneChange(Selection(numbers: [2]), true))
    try bench.submit(PauseChange(Selection(numbers: [3])))
    let wallOf = WallClock(now: bench.clock.read())
    func shown(_ page: ListPage) -> [WireAlarm] {
      page.alarms.map { WireAlarm($0, wallOf: wallOf.callAsFunction, fields: Set(WireAlarm.listed)) }
    }
    let whole = try bench.list(ListQuery(order: order))
    #expect(whole.alarms.count == 5)
    let listed = try bench.list(ListQuery(order: order, listedOnly: true))
    #expect(shown(listed) == shown(whole))
    let (first, same) = (
      try bench.list(ListQuery(order: order, limit: 2, listedOnly: true)),
      try bench.list(ListQuery(order: order, limit: 2))
    )
    #expect(first.after == same.after)
  }
}
