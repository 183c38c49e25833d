import Alarms
import Dispatch
import EggProtocol
import EggStore
import EggTime
import LinuxIO
import Varlink

/// Makes the changes of calls; answers once they are committed, on the wire's queue.
struct Changes: Sendable {
  let queue: DispatchQueue
  let store: AlarmStore
  let clock: any Clock & DelayedCalls
  let clients: Clients

  func submit(
    _ change: any Change, _ readAt: ClockReading, for call: ServerCall,
    answer: @escaping @Sendable (ChangeOutcome, ServerCall) -> Void
  ) {
    let request = ChangeRequest(
      change, readAt: readAt, client: clients.program(of: call), processID: call.peer.pid)
    store.submit(request) { [queue] result in
      queue.async {
        switch result {
        case .success(let outcome): answer(outcome, call)
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  /// Answers with as many alarms as fit a message: a change of all may have changed more.
  func answer(_ outcome: ChangeOutcome, _ call: ServerCall) {
    let text = PageWriter(wallOf: WallClock(now: clock.read()), bytes: 768 << 10)
    for alarm in outcome.alarms where !text.add(alarm) { break }
    call.reply(
      WrittenAlarms(
        alarms: text.elements, count: outcome.changed, missing: outcome.missing,
        missingIds: outcome.missingIDs, sequence: outcome.sequence))
  }
}

/// An ``AlarmsReply``, ``ListReply`` or ``SubscribeReply`` with its alarms written already.
struct WrittenAlarms: Encodable {
  let alarms: EncodedElements
  var part: SubscribePart?
  var totals: Totals?
  var after: Int64?
  var count: Int64?
  var missing: [Int64]?
  var missingIds: [AlarmID]?
  var sequence: Int64?
}

/// Writes alarms as elements of a JSON array, in order, until they reach `bytes`, so that a page fits a
/// message and arrives quickly. Writes all fields unless some are named.
///
/// Confined to the reader's thread while it reads a page.
final class PageWriter: @unchecked Sendable {
  private let codings: [WireAlarm.FieldCoding]
  private let wallOf: WallClock
  private let bytes: Int
  private(set) var elements = EncodedElements()

  init(fields: Set<WireAlarm.Field>? = nil, wallOf: WallClock, bytes: Int = 256 << 10) {
    codings = WireAlarm.codings(of: fields)
    self.wallOf = wallOf
    self.bytes = bytes
  }

  /// Returns whether another alarm has room.
  func add(_ alarm: Alarm) -> Bool {
    try? elements.append { members in
      try WireAlarm.write(alarm, wallOf: wallOf.callAsFunction, codings: codings, to: &members)
    }
    return elements.bytes.count < bytes
  }
}

/// Converts points of clocks to the wall clock as it stood at one reading. The store returns points of the
/// wall clock and of this boot's clock only.
struct WallClock: Sendable {
  let now: ClockReading

  func callAsFunction(_ point: DuePoint) -> Instant {
    guard point.clock != .wall else { return Instant(microseconds: point.microseconds) }
    return Instant(microseconds: point.microseconds) + TimeSpan(microseconds: now.bootOffset)
  }
}

extension SystemClock: DelayedCalls {}
