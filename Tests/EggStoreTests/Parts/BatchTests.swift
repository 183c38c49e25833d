import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

@testable import EggStore

@Suite("What goes into one transaction")
struct BatchTests {
  private static let now = ClockReading(wall: Instant(microseconds: 1_000_000), boot: 0, monotonic: 0)

  private static func submitted(_ change: any Change) -> Batch.Submitted {
    Batch.Submitted(request: ChangeRequest(change, readAt: now)) { _ in }
  }

  private static func changes(_ count: Int) -> [Batch.Submitted] {
    (0..<count).map { submitted(DeleteChange(Selection(numbers: [Int64($0)]))) }
  }

  private static func numbers(_ batch: Batch) -> [Int64] {
    batch.changes.compactMap { ($0.request.change as? DeleteChange)?.selection.numbers.first }
  }

  @Test("More changes than one transaction takes wait for the next, in order")
  func most() {
    var batch = Batch(bootOffset: 7, changes: Self.changes(300))
    let rest = batch.cut()
    #expect(Self.numbers(batch) == Array(0..<256))
    #expect(Self.numbers(rest) == Array(256..<300))
    #expect(batch.bootOffset == 7 && !rest.hasOthers)
  }

  @Test("Few chunks of an import are in one transaction, and nothing overtakes them")
  func chunks() {
    let id = ImportID(holder: -1)
    var all = (0..<6).map { _ in Self.submitted(ImportAlarmsChange(id, alarms: [])) }
    all.append(Self.submitted(CommitImportChange(id)))
    var batch = Batch(changes: Self.changes(1) + all)
    var rest = batch.cut()
    #expect(Self.numbers(batch) == [0])
    #expect(batch.changes.count == 5)
    #expect(rest.changes.count == 3 && rest.changes.last?.request.change is CommitImportChange)
    #expect(rest.cut().isEmpty)
  }

  @Test("What is tried again goes before what came later; the later offset counts")
  func again() {
    var pending = Batch(bootOffset: 2, changes: Array(Self.changes(2).dropFirst()))
    pending.put(first: Batch(bootOffset: 1, changes: Self.changes(1)))
    #expect(Self.numbers(pending) == [0, 1])
    #expect(pending.bootOffset == 2)
    #expect(pending.parts.count == 3)
  }
}
