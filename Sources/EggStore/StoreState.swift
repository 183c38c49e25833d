import Alarms
import EggTime
import GRDB
import Synchronization

/// What any thread may know of the store.
final class StoreState: Sendable {
  private struct State {
    /// nil while no file is open.
    var pool: (any DatabaseWriter)?
    var condition: StoreCondition
    var clocks: BootClocks
    var isFailing = false
    var isStopping = false
    var sequence: Int64 = 0
    var lastOccurrence: Int64 = 0
  }

  private let state: Mutex<State>

  init(clocks: BootClocks) {
    state = Mutex(State(condition: .unavailable(reason: translatable("not opened yet")), clocks: clocks))
  }

  var pool: (any DatabaseWriter)? { state.withLock { $0.pool } }
  var condition: StoreCondition { state.withLock { $0.condition } }
  var clocks: BootClocks { state.withLock { $0.clocks } }
  var sequence: Int64 { state.withLock { $0.sequence } }
  var lastOccurrence: Int64 { state.withLock { $0.lastOccurrence } }
  var isStopping: Bool { state.withLock { $0.isStopping } }

  var isFailing: Bool {
    get { state.withLock { $0.isFailing } }
    set { state.withLock { $0.isFailing = newValue } }
  }

  var unavailability: String {
    switch condition {
    case .writable: translatable("the database can't be written")
    case .readOnly(let reason), .unavailable(let reason): reason
    }
  }

  func opened(_ pool: any DatabaseWriter, readOnly reason: String?) {
    state.withLock {
      $0.pool = pool
      $0.condition = reason.map { .readOnly(reason: $0) } ?? .writable
    }
  }

  func closed(reason: String) {
    state.withLock {
      $0.pool = nil
      $0.condition = .unavailable(reason: reason)
    }
  }

  /// Another file may have lower numbers; nobody must see them decrease.
  func raise(sequence: Int64, lastOccurrence: Int64) {
    state.withLock {
      $0.sequence = max($0.sequence, sequence)
      $0.lastOccurrence = max($0.lastOccurrence, lastOccurrence)
    }
  }

  func committed(_ sequence: Int64) { state.withLock { $0.sequence = sequence } }

  func learn(_ offsets: [ClockID: Int64]) { state.withLock { $0.clocks.learn(offsets) } }

  func stop() { state.withLock { $0.isStopping = true } }
}
