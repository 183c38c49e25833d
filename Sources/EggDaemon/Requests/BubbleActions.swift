import EggProtocol
import EggStore
import EggTime
import Ringing
import Synchronization

/// Carries out what the user chooses on bubbles. Dismissals and snoozes are kept until they can be stored.
struct BubbleActions: Sendable {
  let changes: Changes
  let scheduling: Scheduling

  /// - Parameters:
  ///   - seen: Each alarm's last occurrence on the bubble; without it, all rings of an alarm are answered.
  ///   - end: When a snooze ends.
  ///   - failed: Called on the wire's queue for each alarm or set of alarms whose bubble has to come back, with
  ///     the error's name on the wire: for a snooze when it would have ended.
  func perform(
    _ choice: BubbleChoice, _ numbers: [Int64], _ seen: [Int64: Int64], _ reader: TimingReader,
    snooze end: SnoozeEnd, _ failed: @escaping @Sendable ([Int64], String) -> Void
  ) {
    let readAt = reader.readAt
    switch choice {
    case .dismiss: dismiss(numbers, seen, readAt, failed)
    case .snooze: snooze(numbers, seen, readAt, end) { failed(numbers, $0) }
    case .again: for number in numbers { again(number, seen, reader) { failed([number], $0) } }
    }
  }

  /// As ranges, which skip alarms that are gone or no longer ring: the others of a shared bubble still
  /// change.
  private static func selection(_ numbers: [Int64]) -> Selection {
    Selection(ranges: numbers.map { $0...$0 })
  }

  private func dismiss(
    _ numbers: [Int64], _ seen: [Int64: Int64], _ readAt: ClockReading,
    _ failed: @escaping @Sendable ([Int64], String) -> Void
  ) {
    submit(DismissChange(Self.selection(numbers), seen: seen), readAt) { failed(numbers, $0) }
  }

  private func snooze(
    _ numbers: [Int64], _ seen: [Int64: Int64], _ readAt: ClockReading, _ end: SnoozeEnd,
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    let snooze = BubbleSnooze()
    let change = SnoozeChange(
      Self.selection(numbers), until: end.due, end.timing, seen: seen, isOver: { snooze.isOver })
    let failure = Mutex(ScheduleError.storeUnavailable(reason: "").failure.name)
    submit(change, readAt, done: snooze.stored) { name in failure.withLock { $0 = name } }
    // Not before its end, when the alarm rings if it is stored.
    let seconds = (end.left(from: readAt).microseconds + 999_999) / 1_000_000
    changes.clock.call(after: Int(clamping: seconds), on: changes.queue) {
      if snooze.end() { failed(failure.withLock { $0 }) }
    }
  }

  /// Dismisses the old alarm once the new one is stored.
  private func again(
    _ number: Int64, _ seen: [Int64: Int64], _ reader: TimingReader,
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    scheduling.repeated(.number(number), reader) { result in
      switch result {
      case .success(let change):
        submit(
          change, reader.readAt,
          done: { changes.queue.async { dismiss([number], seen, reader.readAt) { failed($1) } } }, failed)
      case .failure(let failure): failed(failure.name)
      }
    }
  }

  private func submit(
    _ change: any Change, _ readAt: ClockReading,
    done: @escaping @Sendable () -> Void = {},
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    changes.store.submit(ChangeRequest(change, readAt: readAt, client: .bubble)) { [changes] result in
      switch result {
      case .success: done()
      // The alarm was deleted: there is nothing to do.
      case .failure(.noSuchAlarm): break
      case .failure(let error): changes.queue.async { failed(error.failure.name) }
      }
    }
  }
}

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
