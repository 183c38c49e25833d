import Dispatch
import EggProtocol
import EggStore
import EggTime
import LinuxIO
import Ringing
import Varlink

/// Answers the calls of io.eggd.Schedule: decodes, makes one call of the store, encodes.
///
/// Confined to the wire's queue and never blocks it; the store's answers return to it. The verbs are in
/// `Verbs`, in the types that have what they share.
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
  let status: @Sendable (@escaping @Sendable (StatusReply) -> Void) -> Void
  let reads: ReadTurns
  let feed: ChangeFeed
  let waits: Waits
  let wakes: Wakes
  private let clients: Clients
  private let changes: Changes

  /// `queue` is the server's; `wakers` are the places where eggd-wake may listen, see ``Wakes``.
  package init(
    queue: DispatchQueue, store: AlarmStore, clock: any Clock & DelayedCalls,
    machineZone: @escaping @Sendable () -> Zone,
    configuration: ConfigurationState = ConfigurationState(),
    reload: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() },
    wakers: [String] = [],
    status: @escaping @Sendable (@escaping @Sendable (StatusReply) -> Void) -> Void
  ) {
    self.queue = queue
    self.store = store
    self.clock = clock
    self.machineZone = machineZone
    self.configuration = configuration
    self.reload = reload
    self.status = status
    reads = ReadTurns(queue: queue, store: store)
    feed = ChangeFeed(queue: queue, store: store, clock: clock, reads: reads)
    waits = Waits(queue: queue, reads: reads)
    wakes = Wakes(queue: queue, store: store, clock: clock, paths: wakers)
    clients = Clients(store: store)
    changes = Changes(queue: queue, store: store, clock: clock, clients: clients)
  }

  private var scheduling: Scheduling { Scheduling(changes: changes) }
  private var lists: Lists { Lists(clock: clock, reads: reads, machineZone: machineZone) }
  private var imports: Imports { Imports(changes: changes, reads: reads) }
  private var groups: GroupVerbs { GroupVerbs(changes: changes, reads: reads) }
  private var daysOff: DaysOffVerbs { DaysOffVerbs(changes: changes, reads: reads, machineZone: machineZone) }
  private var undoing: Undoing { Undoing(changes: changes, reads: reads) }
  private var bubbles: BubbleActions { BubbleActions(changes: changes, scheduling: scheduling) }

  package func interface() throws(InterfaceError) -> VarlinkInterface {
    try VarlinkInterface(text: ScheduleInterface.text) { self.handle($0) }
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

  /// Carries out the user's choice on the bubble of these alarms. Any thread.
  package func perform(
    _ choice: BubbleChoice, numbers: [Int64], seen: [Int64: Int64] = [:],
    failed: @escaping @Sendable ([Int64], String) -> Void
  ) {
    let readAt = clock.read()
    queue.async { [self] in
      let reader = reader(readAt)
      let snooze =
        switch choice {
        case .snooze(let length?): length
        default: configuration.settings.usualSnooze
        }
      // A bubble's text may name a zone that is gone.
      let end = (try? reader.end(of: snooze)) ?? reader.end(after: .seconds(300))
      bubbles.perform(choice, numbers, seen, reader, snooze: end, failed)
    }
  }

  private func reader(_ readAt: ClockReading) -> TimingReader {
    TimingReader(
      boot: store.currentBoot, machineZone: machineZone(), readAt: readAt, dayAt: configuration.settings.dayAt
    )
  }

  private func handle(_ call: ServerCall) {
    // Durations count from here.
    let readAt = clock.read()
    dispatchPrecondition(condition: .onQueue(queue))
    do throws(CallFailure) {
      switch call.method {
      case ScheduleCall.method: try scheduling.schedule(call, reader(readAt), configuration.settings)
      case AgainCall.method: try scheduling.again(call, reader(readAt))
      case EditCall.method: try scheduling.edit(call, reader(readAt))
      case ResolveCall.method: call.reply(try reader(readAt).resolve(try call.parameters()))
      case ShowCall.method: try lists.show(call)
      case ListCall.method: try lists.list(call)
      case HistoryCall.method: try lists.history(call)
      case DeleteCall.method: try changes.delete(call, readAt)
      case SnoozeCall.method:
        try changes.snooze(call, reader(readAt), usual: configuration.settings.usualSnooze)
      case DismissCall.method: try changes.change(DismissCall.self, call, readAt) { DismissChange($1) }
      case SkipCall.method: try changes.skip(call, readAt)
      case PauseCall.method: try changes.change(PauseCall.self, call, readAt) { PauseChange($1) }
      case ResumeCall.method: try changes.change(ResumeCall.self, call, readAt) { ResumeChange($1) }
      case ExtendCall.method:
        try changes.change(ExtendCall.self, call, readAt) { ExtendChange($1, by: $0.span) }
      case MarkDoneCall.method:
        try changes.change(MarkDoneCall.self, call, readAt) { MarkDoneChange($1, $0.done) }
      case MoveCall.method: try changes.move(call, readAt)
      case PruneHistoryCall.method: try changes.pruneHistory(call, readAt)
      case UndoCall.method: try undoing.undo(call, readAt, redoes: false)
      case RedoCall.method: try undoing.undo(call, readAt, redoes: true)
      case ImportAlarmsCall.method: try imports.stage(call, reader(readAt))
      case CommitImportCall.method: try imports.commit(call, readAt)
      case SyncMarkCall.method: try imports.syncMark(call)
      case CreateGroupCall.method: try groups.create(call, readAt)
      case EditGroupCall.method: try groups.edit(call, readAt)
      case DeleteGroupCall.method: try groups.delete(call, readAt)
      case ListGroupsCall.method: try groups.list(call)
      case ImportDaysOffCall.method: try daysOff.replace(call, readAt)
      case AddDaysOffCall.method: try daysOff.add(call, readAt)
      case RenameDaysOffCall.method: try daysOff.rename(call, readAt)
      case DeleteDaysOffCall.method: try daysOff.delete(call, readAt)
      case ListDaysOffCall.method: try daysOff.list(call, readAt)
      case WaitCall.method: try waits.wait(call)
      case SubscribeCall.method: try feed.subscribe(call)
      case RelayCall.method: try clients.relay(call)
      case ForbidCommandsCall.method: clients.forbidCommands(call)
      case StatusCall.method: reportStatus(call)
      case ConfigCall.method: reportConfiguration(call)
      case ReloadCall.method: reload(call)
      default: throw .methodNotImplemented(ScheduleInterface.name + "." + call.method)
      }
    } catch {
      call.fail(error)
    }
  }
}
