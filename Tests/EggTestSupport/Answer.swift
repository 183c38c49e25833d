import Dispatch
import Synchronization

/// Something that comes later, from another thread.
package final class Answer<Value: Sendable>: Sendable {
  package init() {}

  private let value = Mutex<Value?>(nil)
  private let arrived = DispatchSemaphore(value: 0)

  package func give(_ value: Value) {
    self.value.withLock { $0 = value }
    arrived.signal()
  }

  /// nil after ``patience``.
  package func wait() -> Value? {
    let end = DispatchTime.now() + .seconds(Int(patience.components.seconds))
    return arrived.wait(timeout: end) == .success ? value.withLock { $0 } : nil
  }
}
