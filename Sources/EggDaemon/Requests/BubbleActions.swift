import Alarms
import EggProtocol
import EggTime
import Varlink

/// What a person chose on a bubble.
package enum BubbleAction: String, Hashable, Sendable {
  case dismiss
  case snooze
  case again
}

extension RequestHandler {
  /// Does what was chosen on the bubble of these alarms. From any thread.
  ///
  /// - Parameter failed: Called on the wire's queue for each change that was not made, with the error's name
  ///   as the wire has it.
  package func perform(
    _ action: BubbleAction, numbers: [Int64], failed: @escaping @Sendable (String) -> Void
  ) {
    let readAt = clock.read()
    queue.async { [self] in
      // As ranges, which pass over those that are gone or ring no more: the others of a shared bubble go on.
      let selection = Selection(ranges: numbers.map { $0...$0 })
      switch action {
      case .dismiss: submit(.dismiss(selection), readAt, failed)
      case .snooze: submit(.snooze(selection, until: end(of: snooze, readAt)), readAt, failed)
      case .again:
        for number in numbers {
          repeated(.number(number), readAt) { [self] result in
            switch result {
            case .success(let alarm): submit(.schedule(alarm), readAt, failed)
            case .failure(let failure): failed(failure.name)
            }
          }
        }
      }
    }
  }

  private func submit(
    _ change: Change, _ readAt: ClockReading, _ failed: @escaping @Sendable (String) -> Void
  ) {
    store.submit(ChangeRequest(change, readAt: readAt, client: .bubble)) { [queue] result in
      guard case .failure(let error) = result else { return }
      if case .noSuchAlarm = error { return }  // Deleted since: nothing is left to be done.
      queue.async { failed(error.failure.name) }
    }
  }
}
