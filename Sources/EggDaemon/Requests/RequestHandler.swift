import Alarms
import Dispatch
import EggProtocol
import EggStore
import EggTime
import LinuxIO
import Varlink

/// Answers the calls of io.eggd.Schedule: decodes, makes one call of the store, encodes.
///
/// Confined to the wire's queue and never blocks it; the store's answers return to it. Each verb has a file
/// in `Verbs`.
package final class RequestHandler: @unchecked Sendable {
  /// The wire's, serial.
  let queue: DispatchQueue
  let store: AlarmStore
  let clock: any Clock & DelayedCalls
  /// The machine's zone as the daemon last read it.
  let machineZone: @Sendable () -> Zone
  /// Wire queue.
  package var configuration: ConfigurationState
  /// Reads config.toml anew and calls back on the wire's queue, when ``configuration`` says the outcome.
  let reload: @Sendable (@escaping @Sendable () -> Void) -> Void
  /// The daemon's own status. Called on the wire's queue; may answer later and on any thread.
  let status: @Sendable (@escaping @Sendable (DaemonStatus) -> Void) -> Void
  let feed: ChangeFeed
  let waits: Waits
  let wakes: Wakes
  /// Wire queue; the machine's zone for the calls of this turn.
  private var turnZone: Zone?
  /// Wire queue; connections that have made changes.
  var clients: [ConnectionID: ChangeClient] = [:]
  /// Wire queue; connections that have staged alarms. Each is also in `clients`.
  var imports: [ConnectionID: PendingImport] = [:]
  /// Wire queue; connections that may give no alarm a command. Each is also in `clients`.
  var commandless: Set<ConnectionID> = []
  /// Wire queue.
  var cursors = HandedCursors()
  /// The order of reads.
  let reads: ReadTurns

  /// `queue` is the server's; `wakers` are the places where eggd-wake may listen, see ``Wakes``.
  package init(
    queue: DispatchQueue, store: AlarmStore, clock: any Clock & DelayedCalls,
    machineZone: @escaping @Sendable () -> Zone,
    configuration: ConfigurationState = ConfigurationState(),
    reload: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    wakers: [String] = [],
    status: @escaping @Sendable (@escaping @Sendable (DaemonStatus) -> Void) -> Void
  ) {
    self.queue = queue
    self.store = store
    self.clock = clock
    self.machineZone = machineZone
    self.configuration = configuration
    self.reload = reload
    self.status = status
    reads = ReadTurns(queue: queue)
    feed = ChangeFeed(queue: queue, store: store, clock: clock, reads: reads)
    waits = Waits(queue: queue, store: store, reads: reads)
    wakes = Wakes(queue: queue, store: store, clock: clock, paths: wakers)
  }

  package func interface() throws(InterfaceError) -> VarlinkInterface {
    try VarlinkInterface(name: ScheduleInterface.name, text: ScheduleInterface.text) { self.handle($0) }
  }

  /// Tells waits and subscribers of a commit. Any thread, in commit order.
  package func committed(_ changes: CommittedChanges) {
    queue.async {
      self.waits.committed(changes)
      self.feed.committed(changes)
      self.wakes.committed(changes)
    }
  }

  /// Has the machine wake for alarms, once clients are served. Any thread.
  package func beginWakes() { queue.async { self.wakes.begin() } }

  /// Has subscribers read everything again: countdowns have moved on the wall clock. Any thread.
  package func clockStepped() {
    queue.async {
      self.feed.startOver()
      self.wakes.clockStepped()
    }
  }

  private func handle(_ call: ServerCall) {
    // Durations count from here.
    let readAt = clock.read()
    dispatchPrecondition(condition: .onQueue(queue))
    do throws(CallFailure) {
      switch call.method {
      case ScheduleCall.method: try schedule(call, readAt)
      case ShowCall.method: try show(call)
      case ListCall.method: try list(call)
      case EditCall.method: try edit(call, readAt)
      case DeleteCall.method: try delete(call, readAt)
      case SnoozeCall.method: try snooze(call, readAt)
      case DismissCall.method: try dismiss(call, readAt)
      case SkipCall.method: try skip(call, readAt)
      case PauseCall.method: try pause(call, readAt)
      case ResumeCall.method: try resume(call, readAt)
      case ExtendCall.method: try extend(call, readAt)
      case MarkDoneCall.method: try markDone(call, readAt)
      case MoveCall.method: try move(call, readAt)
      case UndoCall.method: try undo(call, readAt)
      case RedoCall.method: try redo(call, readAt)
      case ImportAlarmsCall.method: try importAlarms(call, readAt)
      case CommitImportCall.method: try commitImport(call, readAt)
      case SyncMarkCall.method: try syncMark(call)
      case CreateGroupCall.method: try createGroup(call, readAt)
      case EditGroupCall.method: try editGroup(call, readAt)
      case DeleteGroupCall.method: try deleteGroup(call, readAt)
      case ListGroupsCall.method: try listGroups(call)
      case ResolveCall.method: try resolve(call, readAt)
      case AgainCall.method: try again(call, readAt)
      case WaitCall.method: try wait(call)
      case SubscribeCall.method: try subscribe(call)
      case HistoryCall.method: try history(call)
      case PruneHistoryCall.method: try pruneHistory(call, readAt)
      case StatusCall.method: reportStatus(call)
      case ConfigCall.method: reportConfiguration(call)
      case ReloadCall.method: reload(call)
      case RelayCall.method: try relay(call)
      case ForbidCommandsCall.method: forbidCommands(call)
      default: throw .methodNotImplemented(ScheduleInterface.name + "." + call.method)
      }
    } catch {
      call.fail(error)
    }
  }

  /// Makes a change; `answer` gets its outcome after COMMIT, on the wire's queue.
  func submit(
    _ change: any Change, _ readAt: ClockReading, for call: ServerCall,
    answer: @escaping @Sendable (ChangeOutcome, ServerCall) -> Void
  ) {
    let request = ChangeRequest(
      change, readAt: readAt, client: client(of: call), processID: call.peer.pid)
    store.submit(request) { [queue] result in
      queue.async {
        switch result {
        case .success(let outcome): answer(outcome, call)
        case .failure(let error): call.fail(error.failure)
        }
      }
    }
  }

  /// The program that made the call.
  func client(of call: ServerCall) -> ChangeClient {
    if let known = clients[call.connection] { return known }
    let client = ChangeClient(processID: call.peer.pid)
    clients[call.connection] = client
    // Capturing the call itself would keep its message until then.
    call.whenConnectionEnds { [weak self, connection = call.connection] in
      self?.clients[connection] = nil
      self?.commandless.remove(connection)
      self?.endImport(of: connection)
    }
    return client
  }

  /// Reads the expressions of a call in the machine's present zone. All calls of a turn arrived before it, so
  /// one check of the zone files is enough for them.
  func timingReader(_ readAt: ClockReading) -> TimingReader {
    let zone = turnZone ?? machineZone()
    if turnZone == nil {
      turnZone = zone
      // Runs before the next turn.
      queue.async { [self] in turnZone = nil }
    }
    return TimingReader(boot: store.currentBoot, machineZone: zone, readAt: readAt)
  }

  /// The wall clock's present offsets.
  func wallClock() -> WallClock { WallClock(now: clock.read()) }
}
