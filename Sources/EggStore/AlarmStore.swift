import Alarms
import Dispatch
import EggTime
import GRDB
import LinuxIO
import Ringing

/// The alarm database: joins its parts, and serves callers of any thread.
///
/// Its parts are confined to `queue`, hence `@unchecked Sendable`; ``StoreState`` and ``StagedImports`` are any thread's, and
/// so is what others call, unless it says otherwise. Rows are written on that queue only, through GRDB's writer. Reads
/// from outside use at most two of GRDB's readers and never wait for a commit.
package final class AlarmStore: @unchecked Sendable {
  /// The clock of this boot's countdowns, derived from the boot ID, so known without a database.
  package let currentBoot: ClockID
  let queue: DispatchQueue
  let clock: any Clock & DelayedCalls
  let state: StoreState
  let file: StoreFile
  let commits: CommitQueue
  let zoneFollower: ZoneFollower
  var zones: ZonesInUse { context.zones }
  private let directory: StateDirectory
  private let context: StoreContext
  private let head: HeadReader
  private let imports = StagedImports()
  private let space: FreeSpace
  private let clearing: Clearing

  /// Opens `schedule.db` in the directory, migrates it, and salvages it if it is corrupt.
  ///
  /// A read-only directory or disk is not an error: the file is opened for reading.
  /// - Parameters:
  ///   - queue: Serial, the store's own; all callbacks but the answers of reads come on it.
  ///   - zone: What floating alarms are resolved in; named zones come from its source.
  package init(
    directory: StateDirectory, queue: DispatchQueue, clock: any Clock & DelayedCalls, bootID: String,
    zone: MachineZone = MachineZone(), schema: Schema = Schema(),
    log: @escaping @Sendable (StoreEvent) -> Void
  ) throws(StoreOpenError) {
    let database = DatabaseFile(
      path: DatabaseFile.resolve(directory.path + "/schedule.db"), connections: KeptConnections(),
      schema: schema)
    // A link may lead elsewhere. SQLite takes over a log that somebody has put beside the database.
    if let reason = FileSystem.exposure(of: database.parts.directory) {
      throw .notPermitted(path: database.parts.directory, reason: reason)
    }
    self.directory = directory
    self.queue = queue
    self.clock = clock
    currentBoot = BootClocks.clock(ofBoot: bootID)
    state = StoreState(clocks: BootClocks(current: currentBoot))
    context = StoreContext(
      queue: queue, clock: clock, log: log, state: state, listeners: Listeners(), zones: ZonesInUse(zone),
      bootID: bootID)
    file = StoreFile(database, in: directory, context)
    head = HeadReader(file, context)
    let commits = CommitQueue(file, context, imports: imports, head: head)
    self.commits = commits
    head.whenFirst = { [weak commits] in
      guard let commits, !commits.pending.isEmpty else { return }
      queue.async { commits.commitSoon() }
    }
    space = FreeSpace(file, context) { [imports] in
      // An import whose client is gone may still wait for its commit.
      imports.open.union(
        commits.pending.changes.compactMap { ($0.request.change as? CommitImportChange)?.id.holder })
    }
    zoneFollower = ZoneFollower(file, context, commit: commits.commitNow)
    clearing = Clearing(file, context, commit: commits.commitNow)
    file.store = self
    commits.store = self
    try queue.sync { Result { () throws(StoreOpenError) in try file.openAtStart() } }.get()
  }

  /// Begins to serve; called once. `changes` and `made` are called on the store's queue after each commit,
  /// after the observer: `changes` with every change, `made` with those that clients made.
  package func start(
    observer: any ScheduleObserver, changes: @escaping @Sendable (CommittedChanges) -> Void,
    made: (@Sendable ([MadeChange]) -> Void)? = nil
  ) {
    queue.async {
      let listeners = self.context.listeners
      (listeners.observer, listeners.changes, listeners.made) = (observer, changes, made)
      self.file.watchFolder()
      self.commits.followClockAtStart()
      // Nothing announces that the disk takes writes again.
      if !self.file.isWritable { self.file.retryLater() }
    }
  }

  /// Makes a change. Answered on the store's queue after COMMIT, after the observer and before
  /// `changes`. `unavailable` means not known to be stored; with another program holding a lock it comes
  /// after two tries of 5 s.
  package func submit(
    _ request: ChangeRequest, completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    queue.async { self.commits.add { $0.changes.append(.init(request: request, completion: completion)) } }
  }

  /// Records rings and their marks so far. Answered by ``StoreNews/recorded(_:stored:)``.
  /// Idempotent. Failures are retried with the next commit and after 1, 2, 4 … 60 s.
  package func record(_ rings: [RingRecord], marks: [RingMark] = []) {
    queue.async {
      self.commits.add {
        $0.rings += rings
        $0.marks += marks
      }
    }
  }

  package func mark(_ marks: [RingMark]) { record([], marks: marks) }

  /// Records the wall clock's new offset from this boot's clock.
  package func clockStepped(_ now: ClockReading) {
    queue.async { self.commits.add { $0.bootOffset = now.bootOffset } }
  }

  /// Calls back on the store's queue when what was submitted so far is written, or could not be.
  package func whenTried(_ body: @escaping @Sendable () -> Void) {
    // What came before has asked for its commit by the first turn, which runs by the second.
    queue.async { self.queue.async(execute: body) }
  }

  package func refill(_ size: Refill.Size = .usual) { queue.async { self.head.read(size) } }

  /// Asks which of these occurrences no longer ring. Answered by ``StoreNews/ended(_:)``, even if all of them
  /// ring; not answered while the database cannot be read.
  package func stillRinging(_ occurrences: [Int64]) {
    queue.async { self.head.answerStillRinging(occurrences) }
  }

  /// Tells the scheduler the rings from before this start that nobody has answered. Once, before clients
  /// make changes.
  package func readRinging() { queue.async { self.head.readRinging() } }

  /// Moves what waits on the clocks of earlier boots to the wall clock. Once, after READY. Failures are retried
  /// after a minute.
  package func moveEarlierBoots() {
    queue.async {
      guard self.file.isWritable else { return }
      let request = ChangeRequest(LeaveEarlierBootsChange(), readAt: self.clock.read())
      self.commits.commitNow(request) { result in
        guard case .success(let outcome) = result else {
          return self.queue.asyncAfter(deadline: .now() + .seconds(60)) { self.moveEarlierBoots() }
        }
        if outcome.changed > 0 { self.context.log(.movedBoots(alarms: Int(outcome.changed))) }
        // An earlier eggd may have ended before it was done.
        self.space.returnSoon()
      }
    }
  }

  /// Follows changes of zones and of their data. Once, after `start`, before the scheduler asks for the head.
  package func followZones() { queue.async { self.zoneFollower.start() } }

  /// Deletes by itself what has been over and answered for so long; nil for nothing.
  package func keepOver(for span: TimeSpan?) { queue.async { self.clearing.keep(for: span) } }

  /// Checks for changed zones. On the store's queue.
  package func checkZonesSoon() { zoneFollower.checkSoon() }

  package func beginImport() -> ImportID { imports.begin(at: clock.read().wall) }

  /// Releases what was staged; no more is.
  package func endImport(_ id: ImportID) {
    imports.end(id)
    queue.async { self.space.returnSoon() }
  }

  /// Refuses changes from now on: those that wait are answered `unavailable`. Rings are still recorded.
  package func stopChanges() { state.stop() }

  /// Finishes earlier requests, then closes the files, keeping `-wal` and `-shm`. Releases the observer. If
  /// rings have to be recorded, waits for another program's lock without limit.
  package func close(completion: @escaping @Sendable () -> Void) {
    queue.async {
      guard self.commits.finish() else { return self.close(completion: completion) }
      self.zoneFollower.stopWatching()
      self.clearing.stop()
      self.file.close()
      // They retain the store.
      let listeners = self.context.listeners
      (listeners.observer, listeners.changes, listeners.made) = (nil, nil, nil)
      completion()
    }
  }

  package var condition: StoreCondition { state.condition }

  /// The last write failed. Reported once, until a commit succeeds.
  package var isFailing: Bool { state.isFailing }

  /// The number of the last committed change.
  package var sequence: Int64 { state.sequence }

  /// The highest occurrence key when the database was opened, 0 for none. New keys begin above it.
  package var lastOccurrence: Int64 { state.lastOccurrence }

  /// See ``StateDirectory/rangUntil``.
  package var rangUntil: Instant? { directory.rangUntil }

  package var path: String { file.database.path }

  /// If more alarms changed, the head and clients are read anew. Tests set it before
  /// ``start(observer:changes:made:)``.
  package var fewAlarms: Int {
    get { commits.fewAlarms }
    set { commits.fewAlarms = newValue }
  }
}

/// What the store does about its file, and about commits after those who listen. Called on its queue.
extension AlarmStore {
  /// The first use of an opened file.
  func begin(_ database: Database, isReadOnly: Bool) throws {
    if !isReadOnly { try noteStart(database) }
    try learn(database)
    state.raise(
      sequence: try Int64.fetchOne(database, sql: "SELECT sequence FROM schedule") ?? 0,
      lastOccurrence: try Refill.lastOccurrence(database, at: clock.read().wall))
  }

  private func noteStart(_ database: Database) throws {
    let now = clock.read()
    do {
      if try context.boots(database).noteStart(now) { commits.note(bootOffset: now.bootOffset) }
      // Another file may have a lower sequence; subscribers must never see it decrease.
      try database.execute(
        sql: "UPDATE schedule SET sequence = ?1 WHERE sequence < ?1", arguments: [sequence])
    } catch  where StoreFailure(error) == .busy && sequence == 0 {
      // Another program holds the lock. Alarms ring meanwhile; the first commit writes this.
      commits.note(bootOffset: now.bootOffset)
    }
  }

  /// In a transaction that does nothing else.
  func learn(_ database: Database) throws {
    state.learn(try context.boots(database).offsets())
  }

  /// In a transaction of eggd's own that sees another program's commit: eggd's change may take seconds, and a deleted row
  /// must not ring meanwhile.
  func takeUp(_ database: Database) throws {
    try learn(database)
    context.listeners.observer?.takeUp(try context.head(database))
  }

  /// After eggd's own transaction.
  func tellForeignCommit() {
    context.listeners.deliver(.ringingUnknown)
    // Another program may resolve alarms by other zone data.
    zoneFollower.checkSoon()
    context.listeners.tellAll(sequence)
  }

  /// Another file, or what another program wrote: everybody reads everything again.
  ///
  /// - Returns: false if it cannot be read.
  func startOver() -> Bool {
    // Another file or program may have alarms resolved by other zone data.
    zoneFollower.check()
    guard head.read() else { return false }
    context.listeners.deliver(.ringingUnknown)
    context.listeners.tellAll(sequence)
    return true
  }

  /// A file was opened after there was none, or one that could only be read.
  func fileIsBack() {
    if file.isWritable { moveEarlierBoots() }
    _ = startOver()
    if !commits.pending.isEmpty { commits.commitSoon() }
  }

  func tryAgain() { commits.commit() }

  func remembered() -> Remembered {
    Remembered(entries: context.listeners.observer?.stored() ?? [], now: clock.read())
  }

  func committed(isLarge: Bool, leavesImages: Bool) {
    // One was resolved in a zone that is new here: its file is to be watched.
    if zones.isUnsettled { zoneFollower.checkSoon() }
    if isLarge || leavesImages || space.isOwed { space.returnSoon() }
  }

  /// Rings up to that moment could not be stored.
  func couldNotStore(until last: Instant) { directory.note(rangUntil: last) }
}
