import Dispatch
import EggTime
import GRDB
import Glibc

/// The store's file: open, gone, replaced, damaged or back. Confined to the store's queue.
final class StoreFile: @unchecked Sendable {
  let database: DatabaseFile
  /// nil while no file is open.
  private(set) var opened: OpenFile?
  /// Set before the file is opened.
  weak var store: AlarmStore?
  private let directory: StateDirectory
  let context: StoreContext
  private var queue: DispatchQueue { context.queue }
  private var state: StoreState { context.state }
  var now: Instant { context.clock.read().wall }

  private var watch: FileWatch?
  /// Waits for another program's lock, to see whether that program has committed.
  private var noticing = Noticing()
  /// Reported once per process.
  private var isUnwatchedTold = false
  private(set) var retry = RetryDelay()
  private var lookedAtInVain: FileState?
  /// A corrupt file that could not be salvaged for lack of disk.
  private var unsalvaged: DatabaseFile.Identity?
  private(set) var isClosed = false

  init(_ database: DatabaseFile, in directory: StateDirectory, _ context: StoreContext) {
    self.database = database
    self.directory = directory
    self.context = context
  }

  var isWritable: Bool { opened?.isReadOnly == false }

  /// Throws every failure that leaves nothing to ring from.
  func openAtStart() throws(StoreOpenError) {
    do {
      do {
        adopt(try openOrMake())
      } catch  where StoreFailure(error) == .corrupt {
        try salvage(error)
      }
      if case .readOnly(let reason) = state.condition { context.log(.readOnly(reason: reason)) }
    } catch  where StoreFailure(error) == .busy {
      // It rings as soon as it can be read.
      let reason = StoreFailure.reason(error)
      state.closed(reason: reason)
      context.log(.unavailable(reason: reason))
    } catch {
      throw StoreOpenError(error, of: database, in: directory)
    }
  }

  private func adopt(_ file: OpenFile) {
    opened = file
    state.opened(file.pool, readOnly: file.readOnly)
  }

  /// Opens the file if it is valid by now. Skips an empty one, which may be a copy in progress.
  func openAgain() {
    dispatchPrecondition(condition: .onQueue(queue))
    let found = database.state
    if opened == nil, let lookedAtInVain, lookedAtInVain == found { return }
    let was = state.condition
    do {
      if opened?.isReadOnly == true {
        guard try openForWriting() else { return }
      } else if try !openValid() {
        lookedAtInVain = found
        return
      }
    } catch StoreOpenError.foreign, StoreOpenError.newer, StoreOpenError.older {
      return lookedAtInVain = found
    } catch {
      // Nothing announces that a disk recovers, or that a lock ends.
      let isOfDisk = StoreFailure.isOfDisk(error) || StoreFailure(error) == .busy
      lookedAtInVain = isOfDisk ? nil : database.state
      if isOfDisk, opened == nil { retryLater() }
      return
    }
    lookedAtInVain = nil
    unsalvaged = nil
    let condition = state.condition
    guard condition != was else { return }
    state.isFailing = false
    watchFolder()
    if condition == .writable { context.log(.availableAgain) }
    if case .readOnly(let reason) = condition { context.log(.readOnly(reason: reason)) }
    store?.fileIsBack()
  }

  /// Opens a database if there is one now. Salvages a file that could not be salvaged before.
  ///
  /// - Returns: false if there is none.
  private func openValid() throws -> Bool {
    let isOurs = unsalvaged != nil
    if isOurs { try database.finishReplacement(at: now) }
    do {
      guard let version = try database.look(), version > 0 else { return false }
      adopt(try open(version))
    } catch  where StoreFailure(error) == .corrupt && isOurs && unsalvaged == database.identity {
      try salvage(error)
    }
    return true
  }

  /// Opens a file that is open for reading again, if it takes writes by now.
  ///
  /// - Returns: Whether it does.
  private func openForWriting() throws -> Bool {
    guard access(directory.path, W_OK) == 0 else { return false }
    try database.finishReplacement(at: now)
    guard access(database.path, W_OK) == 0, !database.needsNoIndex,
      let version = try database.look()
    else { return false }
    // A copy in memory is made again only when the file changes.
    if let copied = opened?.copied, copied == database.state {
      guard database.hasRoomForCopy else { return false }
      guard !database.isLocked else {
        retry.succeeded()
        return false
      }
    }
    // All connections of a process share the log's index: while one has it open for reading, none can write.
    letGo(reason: state.unavailability)
    try database.patience.shortened(to: .milliseconds(250)) { adopt(try open(version)) }
    // A lock may end at any time.
    if case .readOnly(StoreFailure.lockedReason) = state.condition { retry.succeeded() }
    return isWritable
  }

  /// Closes the files; leaves the store without a database.
  private func letGo(reason: String) {
    dispatchPrecondition(condition: .onQueue(queue))
    let old = opened
    opened = nil
    state.closed(reason: reason)
    old?.close()
  }

  /// For good, keeping -wal and -shm: the next eggd may find the disk full.
  func close() {
    opened?.shortenLog()
    // A copy of the file alone then has everything.
    if isWritable { opened?.checkpoint(.passive) }
    isClosed = true
    watch = nil
    letGo(reason: translatable("eggd is stopping"))
    directory.unlock()
  }

  private func letGoOfReplaced() {
    guard let opened else { return }
    // It must not be replayed onto a replacement.
    opened.checkpoint(.truncate)
    letGo(reason: translatable("the database was moved, replaced or deleted"))
    context.log(.takenAway)
  }

  /// The next try to write, after 1, 2, 4 … 60 s.
  func retryLater() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let seconds = retry.arm() else { return }
    context.clock.call(after: seconds, on: queue) {
      self.retry.fired()
      guard !self.isClosed else { return }
      if !self.isWritable { self.openAgain() }
      self.store?.tryAgain()
      // Without a directory, nothing can be watched for the file's return.
      if self.opened?.isReadOnly == true || (self.opened == nil && self.watch == nil) { self.retryLater() }
    }
  }

  /// Reports a failure once until a commit succeeds.
  func tellFailure(_ error: any Error) {
    guard !state.isFailing, isWritable else { return }
    state.isFailing = true
    let isFull = StoreFailure(error) == .full
    context.log(isFull ? .diskFull : .commitFailed(reason: StoreFailure.reason(error)))
  }

  func noteSuccess() {
    retry.succeeded()
    guard state.isFailing else { return }
    state.isFailing = false
    context.log(.availableAgain)
  }

  /// Sets the corrupt file aside whole and installs the salvaged one.
  private func salvage(_ cause: any Error) throws {
    letGo(reason: translatable("the database is corrupt"))
    let remembered = Remembered(
      entries: context.listeners.observer?.stored() ?? [], now: context.clock.read())
    let result = try Salvage.run(database, sequence: state.sequence.successor, remembered: remembered)
    let aside = try database.setAside(as: "corrupt", at: now)
    try database.putSuccessorInPlace()
    unsalvaged = nil
    adopt(try open(database.schema.version))
    context.log(
      .salvaged(
        setAside: aside, alarms: result.alarms, occurrences: result.occurrences, lost: result.lost,
        reason: StoreFailure.reason(cause)))
  }

  /// Salvages the file if that error says that it is corrupt; then everybody reads everything again.
  ///
  /// - Parameter pool: Where the error came from; nil for the writer's connection.
  /// - Returns: Whether there is a database again.
  func salvageIfCorrupt(_ error: any Error, of pool: (any DatabaseWriter)? = nil) -> Bool {
    dispatchPrecondition(condition: .onQueue(queue))
    guard StoreFailure(error) == .corrupt, !isClosed, let opened, !opened.isReadOnly else { return false }
    // If several readers met the damage, only the first finds the damaged file; it is replaced by then.
    if let pool, pool !== opened.pool { return false }
    guard opened.isInPlace else {
      noticeFile()
      return self.opened != nil
    }
    do {
      try salvage(error)
    } catch let failure {
      letGo(reason: StoreFailure.reason(error))
      context.log(.unavailable(reason: StoreFailure.reason(failure)))
      unsalvaged = opened.identity
      retryLater()
      return false
    }
    _ = store?.startOver()
    return !opened.isInPlace
  }

  /// Reads on the writer's connection, in step with the commits.
  func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
    guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    return try opened.pool.writeWithoutTransaction { database in
      var value: Value?
      try database.inTransaction(.deferred) {
        value = try body(database)
        return .commit
      }
      guard let value else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
      return value
    }
  }

  /// eggd's only way to write to its open database: one transaction.
  ///
  /// Another program's commits are told to the scheduler before `body`.
  func inTransaction(_ body: (Database) throws -> Void) throws {
    dispatchPrecondition(condition: .onQueue(queue))
    try saveLostLog()
    guard let opened else {
      throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: state.unavailability)
    }
    let before = try opened.inTransaction(takeUp: { try store?.takeUp($0) }, body)
    if let before {
      queue.async {
        guard !self.isClosed else { return }
        if !before.hasFailed { self.context.log(.foreignWrite) }
        self.store?.tellForeignCommit()
      }
    }
    guard opened.isInPlace else { throw OpenFile.TakenAway() }
    try saveLostLog()
  }

  /// Where -wal or -shm were deleted, writes everything that the open descriptors still hold into the
  /// database and opens it again.
  ///
  /// Throws on failure; until it succeeds, nothing more may be acknowledged.
  private func saveLostLog() throws {
    guard let opened, opened.hasLostLog else { return }
    try opened.saveLog()
    letGo(reason: "its log was deleted")
    do {
      adopt(try open(database.schema.version))
    } catch {
      retryLater()
      throw error
    }
    context.log(.logLost)
    // Another program may have used the file meanwhile.
    queue.async { _ = self.store?.startOver() }
  }

  func watchFolder() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    watch = FileWatch(database.parts, queue: queue) { [weak self] in self?.notice($0) }
    if watch == nil, access(database.parts.directory, F_OK) == 0 {
      if !isUnwatchedTold { context.log(.unwatched) }
      isUnwatchedTold = true
    }
    // Events may have preceded the watch.
    noticeFile()
    noticeWrites()
  }

  private func notice(_ events: FileWatch.Events) {
    if events.contains(.file) || events.contains(.fileWritten) && opened == nil { noticeFile() }
    if events.contains(.logReplaced) {
      letGoOfReplaced()
      openAgain()
    } else if events.contains(.logGone) {
      // On failure, every commit tries again first.
      do { try saveLostLog() } catch { tellFailure(error) }
    }
    if events.contains(.logWritten) {
      noticing.begin()
      noticeWrites()
    }
    if events.contains(.folderGone) {
      watch = nil
      retryLater()
    }
  }

  /// Checks whether the opened file still exists; if not, looks for another.
  func noticeFile() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed else { return }
    if let opened, !opened.isInPlace { letGoOfReplaced() }
    if opened == nil { openAgain() }
  }

  /// Checks whether another program has committed; again and again while one holds a lock.
  func noticeWrites() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !isClosed, let opened else { return }
    do {
      guard let before = try opened.notice({ try store?.learn($0) }) else { return }
      guard store?.startOver() != false else {
        // Known only after everything was read again.
        opened.seen = before
        return noticeWritesLater()
      }
      if !before.hasFailed { context.log(.foreignWrite) }
    } catch {
      if salvageIfCorrupt(error) { return }
      noticeWritesLater()
    }
  }

  private func noticeWritesLater() {
    let (turn, pause) = noticing.next()
    queue.asyncAfter(deadline: .now() + .milliseconds(pause)) {
      if turn == self.noticing.turn { self.noticeWrites() }
    }
  }
}
