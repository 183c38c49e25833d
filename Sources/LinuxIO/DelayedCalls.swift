import Dispatch

/// Calls back after a delay. Tests pass in one without delays.
package protocol DelayedCalls: Sendable {
  /// Calls `body` on that queue after `seconds`, not counting suspend.
  func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void)
}

extension DelayedCalls {
  package func call(after seconds: Int, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
    queue.asyncAfter(deadline: .now() + .seconds(seconds), execute: body)
  }
}
