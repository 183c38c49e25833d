import Synchronization

/// A snooze that was chosen on a bubble: stored, or over before it could be. Both can come first, on different
/// queues.
package final class BubbleSnooze: Sendable {
  private enum State {
    case open
    case stored
    case over
  }

  private let state = Mutex(State.open)

  package init() {}

  package func stored() { state.withLock { if $0 == .open { $0 = .stored } } }

  /// Its end has come.
  ///
  /// - Returns: Whether its alarms still ring, so that their bubble has to come back.
  package func end() -> Bool {
    state.withLock {
      guard $0 == .open else { return false }
      $0 = .over
      return true
    }
  }

  /// Whether its end came before it was stored.
  package var isOver: Bool { state.withLock { $0 == .over } }
}
