import Alarms
import Dispatch
import EggTime
import GRDB
import LinuxIO
import Ringing
import Synchronization

/// The database: the one place where alarms are kept.
///
/// A class confined to a queue, hence `@unchecked Sendable`: every stored `var` belongs to `queue`, but for
/// what `shared` guards. Rows are written on that queue only, through GRDB's writer; reads that were asked
/// for from outside go to its readers, at most two at a time, and never wait for a commit.
package final class AlarmStore: @unchecked Sendable {
  /// The clock of this boot's countdowns. Follows from the boot's id, so it is known without a database.
  package let currentBoot: ClockID
  let queue: DispatchQueue
  let clock: any Clock & DelayedCalls
  let bootID: String
  let file: DatabaseFile
  let log: @Sendable (StoreEvent) -> Void
  /// Held for as long as the store lives: its lock keeps a second eggd away.
  let directory: StateDirectory

  /// What any thread may read.
  let shared: Mutex<Shared>

  /// The file as it was opened; nil while there is none.
  var opened: Opened?
  var clocks: BootClocks
  var observer: (any ScheduleObserver)?
  var changes: (@Sendable (CommittedChanges) -> Void)?

  /// What the next commit is to hold.
  var pending = Batch()
  var commitIsDue = false
  var refillIsDue = false
  var hasReadHead = false
  /// Extensions of the head that the scheduler has not taken yet, and those since the last commit.
  var extensions = (untaken: 0, sinceCommit: 0)
  /// What of the rings before this start the bubbles have not been told.
  var unreadRings = UnreadRings()
  var lastHold: UInt64 = 0
  /// Holds whose end the scheduler has not heard of.
  var openHolds: [HoldID] = []
  /// Rings of which the scheduler has heard that they could not be stored.
  var toldUnstored: Set<RingRecord> = []
  /// With more than that the rings of each alarm are joined.
  var mostRings = 1_000
  /// The last try to write waited for another program's lock in vain.
  var isLockedOut = false
  var retry = RetryDelay()
  var watch: Inotify?
  /// Another program holds a lock: whether it has committed is looked at when that is free.
  var noticing = Noticing()
  /// Told once, until eggd ends.
  var isUnwatchedTold = false
  var lookedAtInVain: DatabaseFile.State?
  /// The file was corrupt, and the disk kept it from being salvaged.
  var unsalvaged: DatabaseFile.Identity?
  var isClosed = false
  var movedAlarms = 0
  /// What alarms are resolved in.
  package let zones: ZonesInUse
  package var zoneWatch: ZoneWatch?
  var zoneMove: ZoneMove?
  var zoneCheckIsDue = false
  var followsZones = false
  var zoneRetry = RetryDelay()

  struct Opened {
    /// A pool; where the disk has no room for the log's index, a single connection.
    var pool: any DatabaseWriter
    /// Of -shm, see ``DatabaseFile/fillIndex()``; -1 where there is none.
    var index: Int32
    var identity: DatabaseFile.Identity?
    /// Let go once SQLite has closed the file.
    var lock: FileLock
    /// Of -wal and -shm.
    var log: [DatabaseFile.Identity?]
    var isReadOnly: Bool
    /// `PRAGMA data_version` of the writer's connection: another one means that another program committed.
    var version: Int?
    /// Of an older file that was copied into memory: the file as it was then.
    var copied: DatabaseFile.State?
  }

  struct Shared {
    var pool: (any DatabaseWriter)?
    var condition: StoreCondition
    var isFailing = false
    /// eggd is ending: no change is made any more.
    var isStopping = false
    /// What runs on the writer's connection is interrupted.
    var isInterrupting = false
    var sequence: Int64 = 0
    var lastOccurrence: Int64 = 0
    var clocks: BootClocks
    /// Imports whose images are to stay.
    var imports: Set<Int64> = []
    var lastImport: Int64 = 0
  }

  /// Opens `schedule.db` in that directory, brings its schema up to date, salvages it where it is corrupt.
  ///
  /// A directory or disk that takes no writes is no error: what is there is opened for reading.
  /// - Parameters:
  ///   - queue: Serial, the store's own; all callbacks but the answers of reads come on it.
  ///   - zone: What floating alarms are resolved in; named zones come from its source.
  package init(
    directory: StateDirectory, queue: DispatchQueue, clock: any Clock & DelayedCalls, bootID: String,
    zone: MachineZone = MachineZone(), log: @escaping @Sendable (StoreEvent) -> Void
  ) throws(StoreOpenError) {
    self.directory = directory
    (self.queue, self.clock, self.bootID, self.log) = (queue, clock, bootID, log)
    zones = ZonesInUse(zone)
    file = DatabaseFile(
      path: DatabaseFile.resolve(directory.path + "/schedule.db"), connections: KeptConnections())
    currentBoot = BootClocks.clock(ofBoot: bootID)
    clocks = BootClocks(current: currentBoot)
    shared = Mutex(Shared(condition: .unavailable(reason: "not opened yet"), clocks: clocks))
    try queue.sync { Result { () throws(StoreOpenError) in try openAtStart() } }.get()
  }

  /// Begins to serve; called once. `changes` is called on the store's queue after each commit, after the
  /// observer.
  package func start(
    observer: any ScheduleObserver, changes: @escaping @Sendable (CommittedChanges) -> Void
  ) {
    queue.async {
      self.observer = observer
      self.changes = changes
      self.watchFile()
      self.followClockAtStart()
      // Nothing tells when the disk takes writes.
      if self.opened?.isReadOnly != false { self.retryLater() }
    }
  }

  /// Makes a change. Any thread; answered on the store's queue after COMMIT, after the observer and before
  /// `changes`. Answered `unavailable` where it is not known to be stored, after two tries of 5 s where
  /// another program holds a lock.
  package func submit(
    _ request: ChangeRequest, completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    queue.async {
      self.pending.changes.append(Batch.Submitted(request: request, completion: completion))
      self.commitSoon()
    }
  }

  /// Writes down rings that happened, and what became of them until now. Any thread; answered by
  /// ``StoreNews/recorded(_:stored:)``. Idempotent. What can't be stored is tried again with the next commit and after
  /// 1, 2, 4 … 60 s.
  package func record(_ rings: [RingRecord], marks: [RingMark] = []) {
    queue.async {
      self.pending.rings += rings
      self.pending.marks += marks
      self.commitSoon()
    }
  }

  /// Writes down what became of rings, with the next commit. Any thread.
  package func mark(_ marks: [RingMark]) {
    queue.async {
      self.pending.marks += marks
      self.commitSoon()
    }
  }

  /// Asks for the head anew. Any thread; several at once are answered by one.
  package func refill() {
    queue.async {
      guard !self.refillIsDue else { return }
      self.refillIsDue = true
      self.queue.async { self.readHead() }
    }
  }

  /// Asks for what lies in a gap of the head. Any thread; answered by ``StoreNews/extended(_:)``, before what was
  /// asked to be stored meanwhile is.
  package func extend(_ gap: HeadGap) { queue.async { self.readExtension(gap) } }

  /// Asks which of these occurrences ring no more. Any thread; answered by ``StoreNews/ended(_:)`` for each
  /// ``ringingAtOnce`` of them, also where all of them ring; not answered while the database can't be read.
  package func stillRinging(_ occurrences: [Int64]) {
    queue.async { self.answerStillRinging(occurrences[...]) }
  }

  /// Notes the wall clock's new distance to this boot's clock. Any thread.
  package func clockStepped(_ now: ClockReading) {
    queue.async {
      self.pending.bootOffset = now.bootOffset
      self.commitSoon()
    }
  }

  /// Moves what waits on the clocks of earlier boots to the wall clock, 1 000 rows a transaction. Any thread;
  /// once, after READY.
  package func moveEarlierBoots() { queue.async { self.moveNextRows() } }

  /// Finishes what was asked for before, then closes the files and leaves `-wal` and `-shm` where they are. The observer
  /// is let go. For another program's lock it waits as long as that is held, where something that rang is to be recorded.
  package func close(completion: @escaping @Sendable () -> Void) {
    queue.async {
      // What rang meanwhile would ring again.
      if self.opened?.isReadOnly == true, !self.pending.isEmpty { self.openAgain() }
      self.isLockedOut = false
      self.commit(isLast: true)
      if self.isLockedOut, !self.pending.rings.isEmpty { return self.close(completion: completion) }
      self.shortenLog()
      self.isClosed = true
      self.watch = nil
      self.zoneWatch = nil
      self.letGo(reason: "eggd is ending")
      self.directory.unlock()
      // These hold the store.
      (self.observer, self.changes) = (nil, nil)
      completion()
    }
  }

  /// Whether changes can be made. Any thread.
  package var condition: StoreCondition { shared.withLock { $0.condition } }

  /// The last try to write failed. That is told once, until a commit succeeds. Any thread.
  package internal(set) var isFailing: Bool {
    get { shared.withLock { $0.isFailing } }
    set { shared.withLock { $0.isFailing = newValue } }
  }

  /// The number of the last committed change. Any thread.
  package var sequence: Int64 { shared.withLock { $0.sequence } }

  /// The highest key of an occurrence when the database was opened, 0 for none: new ones begin above it.
  package var lastOccurrence: Int64 { shared.withLock { $0.lastOccurrence } }

  /// See ``StateDirectory/rangUntil``.
  package var rangUntil: Instant? { directory.rangUntil }

  /// The database file.
  package var path: String { file.path }
}

/// The pauses between tries to store what could not be stored: 1, 2, 4 … 60 s.
struct RetryDelay {
  private(set) var isArmed = false
  /// The next pause.
  private(set) var seconds = 1

  /// How long to wait now; nil when a try is coming already.
  mutating func arm() -> Int? {
    guard !isArmed else { return nil }
    isArmed = true
    defer { seconds = min(seconds * 2, 60) }
    return seconds
  }

  mutating func fired() { isArmed = false }

  /// The next failure begins with 1 s again.
  mutating func succeeded() { seconds = 1 }
}
