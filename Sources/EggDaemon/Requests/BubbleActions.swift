import Alarms
import EggProtocol
import EggStore
import EggTime
import LinuxIO
import Ringing
import Synchronization
import Varlink

extension RequestHandler {
  /// Carries out the user's choice on the bubble of these alarms. Any thread. Dismissals and snoozes are kept
  /// until they can be stored.
  ///
  /// - Parameters:
  ///   - seen: Each alarm's last occurrence on the bubble; without it, all rings of an alarm are answered.
  ///   - failed: Called on the wire's queue for each alarm or set of alarms whose bubble has to come back, with
  ///     the error's name on the wire: for a snooze when it would have ended.
  package func perform(
    _ choice: BubbleChoice, numbers: [Int64], seen: [Int64: Int64] = [:],
    failed: @escaping @Sendable ([Int64], String) -> Void
  ) {
    let readAt = clock.read()
    queue.async { [self] in
      switch choice {
      case .dismiss: dismiss(numbers, seen, readAt, failed)
      case .snooze: snooze(numbers, seen, readAt) { failed(numbers, $0) }
      case .again: for number in numbers { again(number, seen, readAt) { failed([number], $0) } }
      }
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
    _ numbers: [Int64], _ seen: [Int64: Int64], _ readAt: ClockReading,
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    let span = configuration.settings.snooze
    let snooze = BubbleSnooze()
    let change = SnoozeChange(
      Self.selection(numbers), until: end(of: span, readAt), seen: seen, isOver: { snooze.isOver })
    let failure = Mutex(ScheduleError.storeUnavailable(reason: "").failure.name)
    submit(change, readAt, done: snooze.stored) { name in failure.withLock { $0 = name } }
    // Not before its end, when the alarm rings if it is stored.
    let seconds = (span.microseconds + 999_999) / 1_000_000
    clock.call(after: Int(clamping: seconds), on: queue) {
      if snooze.end() { failed(failure.withLock { $0 }) }
    }
  }

  /// Dismisses the old alarm once the new one is stored.
  private func again(
    _ number: Int64, _ seen: [Int64: Int64], _ readAt: ClockReading,
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    repeated(.number(number), readAt) { [self] result in
      switch result {
      case .success(let alarm):
        submit(
          ScheduleChange(alarm), readAt,
          done: { [self] in queue.async { [self] in dismiss([number], seen, readAt) { failed($1) } } }, failed
        )
      case .failure(let failure): failed(failure.name)
      }
    }
  }

  private func submit(
    _ change: any Change, _ readAt: ClockReading,
    done: @escaping @Sendable () -> Void = {},
    _ failed: @escaping @Sendable (String) -> Void
  ) {
    store.submit(ChangeRequest(change, readAt: readAt, client: .bubble)) { [queue] result in
      switch result {
      case .success: done()
      // The alarm was deleted: there is nothing to do.
      case .failure(.noSuchAlarm): break
      case .failure(let error): queue.async { failed(error.failure.name) }
      }
    }
  }
}
