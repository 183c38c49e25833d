import Alarms
import EggTime
import Testing

@testable import EggStore

@Suite("What any thread may know of the store")
struct StoreStateTests {
  private let state = StoreState(clocks: BootClocks(current: ClockID(rawValue: 1)))

  @Test("Another file never lowers the sequence or the last occurrence")
  func raise() {
    state.raise(sequence: 5, lastOccurrence: 9)
    state.raise(sequence: 4, lastOccurrence: 10)
    #expect(state.sequence == 5)
    #expect(state.lastOccurrence == 10)
  }

  @Test("The reason why nothing can be written is the condition's")
  func unavailability() {
    state.closed(reason: "gone")
    #expect(state.condition == .unavailable(reason: "gone"))
    #expect(state.unavailability == "gone")
    #expect(state.pool == nil)
  }

  @Test("An import is open until it ends, and each has a key of its own")
  func imports() {
    let imports = StagedImports()
    let now = Instant(microseconds: 7)
    let ids = [imports.begin(at: now), imports.begin(at: now)]
    #expect(imports.open == [-7, -8])
    imports.end(ids[0])
    #expect(imports.open == [-8])
  }
}
