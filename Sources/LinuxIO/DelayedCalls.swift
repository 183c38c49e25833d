import Dispatch

/// Calls back after a while. Tests pass in one that does not wait.
package protocol DelayedCalls: Sendable {
  /// Calls `body` on that queue when so many seconds have passed, suspend left out.
  func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

extension DelayedCalls {
  package func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds), execute: body)
  }
}
