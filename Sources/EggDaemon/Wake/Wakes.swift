import Dispatch
import EggProtocol
import EggStore
import EggTime
import LinuxIO

/// Has eggd-wake wake the machine from suspend for the next alarm that asks for it. Without such an alarm nothing is
/// connected and nothing watched.
///
/// Confined to the wire's queue, hence safe to capture in closures that return to it.
package final class Wakes: @unchecked Sendable {
  /// How long an ended connection waits for the next, in seconds.
  private static let pause = 1
  /// How long a question about the state waits for eggd-wake, in seconds. Long enough for a second connection.
  private static let patience = 3

  private let queue: DispatchQueue
  private let store: AlarmStore
  private let clock: any DelayedCalls
  /// Where eggd-wake may listen, the best first.
  private let paths: [String]
  private var watches: [DirectoryWatch] = []
  private var connection: (path: String, waker: WakerConnection, isAnswered: Bool)?
  /// Where eggd-wake may not set a timer. Asked again when the socket is made anew.
  private var refused: Set<String> = []
  /// How many connections in a row were closed without an answer. After one, eggd-wake may have been ending: it is asked
  /// again. After two it does not start: it is asked when the socket is made anew, or for another moment.
  private var closings: [String: Int] = [:]
  private var hasBegun = false
  private var isReading = false
  /// A commit came during the read.
  private var isStale = false
  private var waiting: [@Sendable () -> Void] = []
  /// The next moment for which the machine is to wake.
  package private(set) var moment: Instant?
  /// nil where no alarm asks for it.
  private(set) var state: WakeState? {
    didSet { isAsked = false }
  }
  /// eggd-wake may answer yet. Until then ``state`` says that it does not.
  private var isAsked = false

  package init(queue: DispatchQueue, store: AlarmStore, clock: any DelayedCalls, paths: [String]) {
    self.queue = queue
    self.store = store
    self.clock = clock
    self.paths = paths
  }

  /// Where eggd-wake listens: started by the system's manager for this user, or by the user's own.
  package static func paths(runtimeDirectory: String?, environment: [String: String]) -> [String] {
    let user = environment["USER"].flatMap {
      $0.isEmpty || $0.contains("/") ? nil : "/run/eggd-wake-\($0).sock"
    }
    return [user, runtimeDirectory.map { "\($0)/eggd/wake.sock" }].compactMap { $0 }
  }

  /// Reads the schedule; follows it from then on.
  package func begin() {
    dispatchPrecondition(condition: .onQueue(queue))
    hasBegun = true
    read()
  }

  func committed(_ changes: CommittedChanges) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard hasBegun else { return }
    if changes.alarms?.contains(where: { $0.old?.wake == true || $0.new?.wake == true }) != false { read() }
  }

  /// Countdowns have moved on the wall clock.
  func clockStepped() {
    dispatchPrecondition(condition: .onQueue(queue))
    if moment != nil { read() }
  }

  /// Calls back when ``state`` and ``moment`` follow all commits, and eggd-wake has answered, or has not in time.
  func whenSettled(_ body: @escaping @Sendable () -> Void) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard hasBegun else { return body() }
    waiting.append(body)
    // A commit is answered before it is told here.
    read()
  }

  private func tellWaiting() {
    guard !isReading else { return }
    let told = waiting
    waiting = []
    for body in told { body() }
  }

  private func read() {
    isStale = isReading
    guard !isReading else { return }
    isReading = true
    store.ask({ try $0.nextWake() }) { [self] result in
      queue.async { [self] in
        isReading = false
        if isStale { return read() }
        // Everything is committed anew when a database that cannot be read is readable.
        if case .success(let next) = result { follow(next) }
        guard isAsked else { return tellWaiting() }
        if !waiting.isEmpty { clock.call(after: Self.patience, on: queue) { [self] in tellWaiting() } }
      }
    }
  }

  private func follow(_ next: Instant?) {
    guard next != moment || next != nil && connection == nil && !isAsked else { return }
    if next != moment { closings = [:] }
    moment = next
    guard next != nil else {
      // eggd-wake ends by itself.
      connection?.waker.tell(nil)
      connection = nil
      for watch in watches { watch.pause() }
      state = nil
      return
    }
    if let connection { connection.waker.tell(next) } else { connect() }
  }

  /// To the first that listens.
  private func connect() {
    guard moment != nil, connection == nil else { return }
    // Watched first: a socket that appears after the failed connect(2) is seen.
    watch()
    for path in paths where !refused.contains(path) && closings[path, default: 0] < 2 {
      let heard = { [weak self] (answer: WakerConnection.Answer?) -> Void in self?.heard(answer) }
      guard let waker = WakerConnection(path: path, queue: queue, heard: heard) else { continue }
      connection = (path, waker, false)
      awaitAnswer()
      return waker.tell(moment)
    }
    state = closings.values.contains { $0 > 1 } ? .noAnswer : refused.isEmpty ? .nobody : .notPermitted
    tellWaiting()
  }

  private func watch() {
    if watches.isEmpty {
      watches = paths.compactMap { path in
        DirectoryWatch(path: path, queue: queue) { [weak self] in
          self?.appeared(path)
        }
      }
    }
    for watch in watches { watch.watch() }
  }

  private func appeared(_ path: String) {
    refused.remove(path)
    closings[path] = nil
    connect()
    // A socket is there before anybody listens.
    if connection == nil { connectLater() }
  }

  private func heard(_ answer: WakerConnection.Answer?) {
    guard let (path, waker, isAnswered) = connection else { return }
    switch answer {
    case .armed?, .noClock?:
      connection?.isAnswered = true
      closings[path] = nil
      state = answer == .armed ? .ready : .noClock
      for watch in watches { watch.pause() }
      tellWaiting()
    case .past?: read()
    case nil where isAnswered || !waker.managerLacksCapability:
      // It was stopped or upgraded, or does not start.
      connection = nil
      if !isAnswered { closings[path, default: 0] += 1 }
      awaitAnswer()
      connectLater()
    case .notPermitted?, nil:
      connection = nil
      refused.insert(path)
      connect()
    }
  }

  private func awaitAnswer() {
    state = .noAnswer
    isAsked = true
  }

  private func connectLater() {
    clock.call(after: Self.pause, on: queue) { [self] in connect() }
  }
}
