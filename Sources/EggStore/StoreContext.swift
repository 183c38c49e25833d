import Dispatch
import EggTime
import GRDB
import LinuxIO
import Ringing

struct StoreContext {
  /// Serial, the store's own.
  let queue: DispatchQueue
  let clock: any Clock & DelayedCalls
  let log: @Sendable (StoreEvent) -> Void
  let state: StoreState
  let listeners: Listeners
  let zones: ZonesInUse
  let bootID: String

  /// The head as a transaction sees it.
  func head(_ database: Database, _ size: Refill.Size = .usual) throws -> Refill {
    try Refill(database, clocks: state.clocks, zones: zones, now: clock.read(), size)
  }

  func boots(_ database: Database) -> BootTable {
    BootTable(database: database, current: state.clocks.current, bootID: bootID)
  }

  func tables(_ database: Database) -> Tables {
    Tables(database: database, clocks: state.clocks, zones: zones)
  }
}

/// Who hears of commits, in this order. Confined to the store's queue.
final class Listeners {
  var observer: (any ScheduleObserver)?
  var changes: (@Sendable (CommittedChanges) -> Void)?
  var made: (@Sendable ([MadeChange]) -> Void)?

  func deliver(_ news: StoreNews) { observer?.deliver(news) }

  func tell(_ change: CommittedChanges) { changes?(change) }

  /// Subscribers have to read the whole list again.
  func tellAll(_ sequence: Int64) { tell(CommittedChanges(sequence: sequence, alarms: nil)) }

  /// Tells what clients changed. The journal must hear only of what is committed.
  func tellMade(_ requests: [ChangeRequest], _ results: [Result<ChangeOutcome, ChangeError>]) {
    guard let made else { return }
    let told = zip(requests, results).flatMap { request, result in
      (try? result.get()).map { MadeChange.all(request, $0) } ?? []
    }
    if !told.isEmpty { made(told) }
  }
}

/// The delays between attempts to write: 1, 2, 4 … 60 s.
struct RetryDelay {
  private(set) var isArmed = false
  private(set) var seconds = 1

  /// The delay; nil if an attempt is already planned.
  mutating func arm() -> Int? {
    guard !isArmed else { return nil }
    isArmed = true
    defer { seconds = min(seconds * 2, 60) }
    return seconds
  }

  mutating func fired() { isArmed = false }

  mutating func succeeded() { seconds = 1 }
}
