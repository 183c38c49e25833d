import Alarms
import EggTestSupport
import Ringing
import Testing

@testable import EggStore

@Suite("Marks beside a change of many alarms")
struct ManyMarksTests {
  @Test("A mark that comes while such a change waits for its turn is written")
  func markIsKept() throws {
    let bench = try StoreBench()
    bench.store.fewAlarms = 2
    for _ in 0..<3 { try bench.schedule() }
    let ring = try bench.ring(try #require(bench.alarm(1)))
    var edit = AlarmEdit()
    edit.eggs = 3
    let request = ChangeRequest(EditChange(Selection(all: true), edit), readAt: bench.clock.read())
    bench.queue.sync {
      bench.store.commits.pending.changes = [Batch.Submitted(request: request, completion: { _ in })]
      bench.store.commits.pending.rings = [ring]
      // The ring goes first.
      bench.store.commits.commit()
      bench.store.commits.pending.marks.append(.journaled(ring.ring, at: bench.clock.read().wall))
      bench.store.commits.commit()
      bench.store.commits.commit()
    }
    #expect(bench.alarm(1)?.eggs == 3)
    #expect(bench.alarm(1)?.latest?.journaledAt == bench.clock.read().wall)
  }
}
