import Alarms
import Dispatch
import EggTime
import GRDB
import LinuxIO
import Ringing
import Synchronization

/// The alarm database.
///
/// Confined to `queue`, hence `@unchecked Sendable`: every stored `var` belongs to it, except what `shared`
/// guards. Rows are written on that queue only, through GRDB's writer. Reads from outside use at most two of
/// GRDB's readers and never wait for a commit.
package final class AlarmStore: @unchecked Sendable {
  /// The clock of this boot's countdowns, derived from the boot ID, so known without a database.
  package let currentBoot: ClockID
  let queue: DispatchQueue
  let clock: any Clock & DelayedCalls
  let bootID: String
  let file: DatabaseFile
  let log: @Sendable (StoreEvent) -> Void
  /// Held while the store lives: its lock keeps a second eggd away.
  let directory: StateDirectory

  /// State that any thread may read.
  let shared: Mutex<Shared>

  /// nil while no file is open.
  var opened: Opened?
  var clocks: BootClocks
  var observer: (any ScheduleObserver)?
  var changes: (@Sendable (CommittedChanges) -> Void)?
  var made: (@Sendable ([MadeChange]) -> Void)?

  /// The contents of the next commit.
  var pending = Batch()
  /// A change of more is alone in its transaction, and everybody reads everything again. Tests set it before
  /// ``start(observer:changes:made:)``.
  package var fewAlarms = StoreTransaction.usualFew
  /// A change of more is refused. Tests set it likewise.
  var mostAlarms = StoreTransaction.usualMost
  var commitIsDue = false
  var refillIsDue = false
  /// See ``returnSpaceSoon()``.
  var spaceIsDue = false
  /// It could not be returned.
  var owesSpace = false
  var hasReadHead = false
  /// Head extensions that the scheduler has not taken yet, those since the last commit, and whether a commit
  /// waits for them.
  var extensions = (untaken: 0, sinceCommit: 0, holdCommit: false)
  /// Rings from before this start that the bubbles do not know yet.
  var unreadRings = UnreadRings()
  var lastHold: UInt64 = 0
  /// Holds that the scheduler does not know to have ended.
  var openHolds: [HoldID] = []
  /// Rings already reported to the scheduler as not storable.
  var toldUnstored: Set<RingRecord> = []
  /// Above this number, each alarm's rings are joined.
  var mostRings = 1_000
  /// The last write timed out on another program's lock.
  var isLockedOut = false
  var retry = RetryDelay()
  var watch: Inotify?
  /// Waits for another program's lock, to see whether that program has committed.
  var noticing = Noticing()
  /// Reported once per process.
  var isUnwatchedTold = false
  var lookedAtInVain: DatabaseFile.State?
  /// A corrupt file that could not be salvaged for lack of disk.
  var unsalvaged: DatabaseFile.Identity?
  var isClosed = false
  var movedAlarms = 0
  /// The zones in which alarms are resolved.
  package let zones: ZonesInUse
  package var zoneWatch: ZoneWatch?
  var zoneMove: ZoneMove?
  var zoneCheckIsDue = false
  var followsZones = false
  var zoneRetry = RetryDelay()

  struct Opened {
    /// A pool, or a single connection where the disk has no room for the log's index.
    var pool: any DatabaseWriter
    /// The descriptor of -shm, see ``DatabaseFile/fillIndex()``; -1 for none.
    var index: Int32
    var identity: DatabaseFile.Identity?
    /// Released after SQLite has closed the file.
    var lock: FileLock
    /// The identities of -wal and -shm.
    var log: [DatabaseFile.Identity?]
    var isReadOnly: Bool
    /// Whether the writer's commits wait for the disk, `PRAGMA synchronous`.
    var isSynced = true
    /// `PRAGMA data_version` on the writer's connection. It changes when another program commits.
    var version: Int?
    /// A transaction has failed since. SQLite counts that as another program's commit too if some of its pages were in the
    /// log already.
    var hasFailed = false
    /// For an older file that was copied into memory, the state of that file at the time.
    var copied: DatabaseFile.State?
  }

  struct Shared {
    var pool: (any DatabaseWriter)?
    var condition: StoreCondition
    var isFailing = false
    /// eggd is stopping: changes are refused.
    var isStopping = false
    /// Statements on the writer's connection are interrupted.
    var isInterrupting = false
    var sequence: Int64 = 0
    var lastOccurrence: Int64 = 0
    var clocks: BootClocks
    /// Imports whose images must be kept.
    var imports: Set<Int64> = []
    var lastImport: Int64 = 0
  }

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
    self.directory = directory
    (self.queue, self.clock, self.bootID, self.log) = (queue, clock, bootID, log)
    zones = ZonesInUse(zone)
    file = DatabaseFile(
      path: DatabaseFile.resolve(directory.path + "/schedule.db"), connections: KeptConnections(),
      schema: schema)
    // A link may lead elsewhere. SQLite takes over a log that somebody has put beside the database.
    if let reason = FileSystem.exposure(of: file.parts.directory) {
      throw .notPermitted(path: file.parts.directory, reason: reason)
    }
    currentBoot = BootClocks.clock(ofBoot: bootID)
    clocks = BootClocks(current: currentBoot)
    shared = Mutex(Shared(condition: .unavailable(reason: translatable("not opened yet")), clocks: clocks))
    try queue.sync { Result { () throws(StoreOpenError) in try openAtStart() } }.get()
  }

  /// Begins to serve; called once. `changes` and `made` are called on the store's queue after each commit,
  /// after the observer: `changes` with every change, `made` with those that clients made.
  package func start(
    observer: any ScheduleObserver, changes: @escaping @Sendable (CommittedChanges) -> Void,
    made: (@Sendable ([MadeChange]) -> Void)? = nil
  ) {
    queue.async {
      self.observer = observer
      self.changes = changes
      self.made = made
      self.watchFile()
      self.followClockAtStart()
      // Nothing announces that the disk takes writes again.
      if self.opened?.isReadOnly != false { self.retryLater() }
    }
  }

  /// Makes a change. Any thread; answered on the store's queue after COMMIT, after the observer and before
  /// `changes`. `unavailable` means not known to be stored; with another program holding a lock it comes
  /// after two tries of 5 s.
  package func submit(
    _ request: ChangeRequest, completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    queue.async {
      self.pending.changes.append(Batch.Submitted(request: request, completion: completion))
      self.commitSoon()
    }
  }

  /// Records rings and their marks so far. Any thread; answered by ``StoreNews/recorded(_:stored:)``.
  /// Idempotent. Failures are retried with the next commit and after 1, 2, 4 … 60 s.
  package func record(_ rings: [RingRecord], marks: [RingMark] = []) {
    queue.async {
      self.pending.rings += rings
      self.pending.marks += marks
      self.commitSoon()
    }
  }

  /// Records marks of rings with the next commit. Any thread.
  package func mark(_ marks: [RingMark]) {
    queue.async {
      self.pending.marks += marks
      self.commitSoon()
    }
  }

  /// Calls back on the store's queue when what was submitted so far is written, or could not be. Any thread.
  package func whenTried(_ body: @escaping @Sendable () -> Void) {
    // What came before has asked for its commit by the first turn, which runs by the second.
    queue.async { self.queue.async(execute: body) }
  }

  /// Reads the head again. Any thread; one read answers several requests.
  package func refill() {
    queue.async {
      guard !self.refillIsDue else { return }
      self.refillIsDue = true
      self.queue.async { self.readHead() }
    }
  }

  /// Reads the gap of a head. Any thread; answered by ``StoreNews/extended(_:)``, before anything submitted
  /// meanwhile is stored.
  package func extend(_ gap: HeadGap) { queue.async { self.readExtension(gap) } }

  /// Asks which of these occurrences no longer ring. Any thread; answered by ``StoreNews/ended(_:)`` once per
  /// ``ringingAtOnce`` occurrences, even if all of them ring; not answered while the database cannot be read.
  package func stillRinging(_ occurrences: [Int64]) {
    queue.async { self.answerStillRinging(occurrences[...]) }
  }

  /// Records the wall clock's new offset from this boot's clock. Any thread.
  package func clockStepped(_ now: ClockReading) {
    queue.async {
      self.pending.bootOffset = now.bootOffset
      self.commitSoon()
    }
  }

  /// Moves what waits on the clocks of earlier boots to the wall clock, 1 000 rows a transaction. Any thread;
  /// once, after READY.
  package func moveEarlierBoots() { queue.async { self.moveNextRows() } }

  /// Finishes earlier requests, then closes the files, keeping `-wal` and `-shm`. Releases the observer. If
  /// rings have to be recorded, waits for another program's lock without limit.
  package func close(completion: @escaping @Sendable () -> Void) {
    queue.async {
      // Unrecorded rings would ring again.
      if self.opened?.isReadOnly == true, !self.pending.isEmpty { self.openAgain() }
      self.isLockedOut = false
      self.commit(isLast: true)
      if self.isLockedOut, !self.pending.rings.isEmpty { return self.close(completion: completion) }
      self.shortenLog()
      self.isClosed = true
      self.watch = nil
      self.zoneWatch = nil
      self.letGo(reason: translatable("eggd is stopping"))
      self.directory.unlock()
      // These retain the store.
      (self.observer, self.changes) = (nil, nil)
      completion()
    }
  }

  /// Whether changes can be made. Any thread.
  package var condition: StoreCondition { shared.withLock { $0.condition } }

  /// The last write failed. Reported once, until a commit succeeds. Any thread.
  package internal(set) var isFailing: Bool {
    get { shared.withLock { $0.isFailing } }
    set { shared.withLock { $0.isFailing = newValue } }
  }

  /// The number of the last committed change. Any thread.
  package var sequence: Int64 { shared.withLock { $0.sequence } }

  /// The highest occurrence key when the database was opened, 0 for none. New keys begin above it.
  package var lastOccurrence: Int64 { shared.withLock { $0.lastOccurrence } }

  /// See ``StateDirectory/rangUntil``.
  package var rangUntil: Instant? { directory.rangUntil }

  package var path: String { file.path }
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
