import Alarms
import Dispatch
import EggTestSupport
import Synchronization

@testable import EggStore

extension StoreBench {
  /// Makes a change, and does something after each step. Meanwhile the store stands still: what the body asks of it
  /// comes after.
  @discardableResult
  func make(_ change: any Change, meanwhile body: () throws -> Void) throws -> ChangeOutcome {
    let answer = Mutex<Result<ChangeOutcome, ChangeError>?>(nil)
    let (queue, stands) = (queue, DispatchSemaphore(value: 0))
    // In the queue before the next step is.
    func stand() {
      queue.async {
        queue.suspend()
        stands.signal()
      }
    }
    stand()
    ask(change) { result in answer.withLock { $0 = result } }
    while true {
      stands.wait()
      defer { queue.resume() }
      if let result = answer.withLock({ $0 }) { return try result.get() }
      try body()
      stand()
    }
  }

  func ask(
    _ change: any Change, _ completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    store.submit(ChangeRequest(change, readAt: clock.read()), completion: completion)
  }
}
