import CLinux
import Dispatch
import EggTime
import GRDB
import Ringing

/// Group commit: requests that arrive during a transaction share the next one. Confined to the store's queue.
final class CommitQueue: @unchecked Sendable {
  var pending = Batch()
  /// If more alarms changed, the head and clients are read anew.
  var fewAlarms = StoreTransaction.usualFew
  /// A change of more is refused.
  var mostAlarms = StoreTransaction.usualMost

  private let file: StoreFile
  private let context: StoreContext
  private let bootID: String
  private let imports: StagedImports
  private let head: HeadReader
  weak var store: AlarmStore?
  private var state: StoreState { context.state }
  private var listeners: Listeners { context.listeners }
  private var clock: any Clock { context.clock }

  private var isDue = false
  private var holds = OpenHolds()
  /// Rings already reported to the scheduler as not storable.
  private var unstored: Set<RingRecord> = []
  /// The last write timed out on another program's lock.
  private var isLockedOut = false

  /// How many times a change waits for another program's lock.
  private static let busyTries = 2

  init(
    _ file: StoreFile, _ context: StoreContext, bootID: String, imports: StagedImports, head: HeadReader
  ) {
    self.file = file
    self.context = context
    self.bootID = bootID
    self.imports = imports
    self.head = head
  }

  func add(_ body: (inout Batch) -> Void) {
    body(&pending)
    commitSoon()
  }

  /// Makes a change with the next commit, at once.
  func commitNow(
    _ request: ChangeRequest, completion: @escaping @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
  ) {
    pending.changes.append(Batch.Submitted(request: request, completion: completion))
    commit()
  }

  func commitSoon() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    guard !isDue else { return }
    isDue = true
    context.queue.async { self.commit() }
  }

  /// The wall clock's offset from this boot's clock is another. Stored with the next commit.
  func note(bootOffset: Int64) {
    pending.bootOffset = bootOffset
    if listeners.areSet { commitSoon() }
  }

  /// The clock may have been set back before eggd started.
  func followClockAtStart() {
    guard file.isWritable, pending.bootOffset != nil else { return }
    pending.bootOffset = clock.read().bootOffset
    commit()
  }

  /// The final commit.
  ///
  /// - Returns: false while rings have to be recorded and another program's lock prevents that.
  func finish() -> Bool {
    // Unrecorded rings would ring again.
    if file.opened?.isReadOnly == true, !pending.isEmpty { file.openAgain() }
    isLockedOut = false
    commit()
    return !isLockedOut || pending.rings.isEmpty
  }

  func commit() {
    dispatchPrecondition(condition: .onQueue(context.queue))
    isDue = false
    var batch = pending
    pending = Batch()
    refuse(of: &batch)
    guard !batch.isEmpty else { return }
    head.readOwed()
    pending.put(first: batch.cut())
    // A full disk can cut the log only if all of it is in the file.
    if batch.changes.contains(where: { $0.request.change.mayBeOfMany }) { file.opened?.copyLog() }
    let isMore = !pending.isEmpty
    // What could not be stored is tried again later, not at once.
    if attempt(batch) ? isMore : pending.changes.contains(where: { !$0.isKept }) { commitSoon() }
  }

  /// Refuses all changes while eggd stops, and chunks of imports that have ended, or that would take the last room.
  private func refuse(of batch: inout Batch) {
    guard !batch.changes.isEmpty else { return }
    if state.isStopping {
      let refused = batch.changes
      batch.changes = []
      for change in refused { change.refuse(translatable("eggd is stopping")) }
    }
    guard batch.changes.contains(where: { $0.request.change is ImportAlarmsChange }) else { return }
    let open = imports.open
    // As much as the log usually takes is left to others. What is in the log needs its place in the database too.
    let hasRoom = file.database.hasRoom(for: UInt64(OpenFile.usualLog + file.database.logSize))
    batch.changes.removeAll { change in
      guard let chunk = change.request.change as? ImportAlarmsChange,
        !hasRoom || !open.contains(chunk.id.holder)
      else { return false }
      change.refuse(translatable("the disk is full"))
      return true
    }
  }

  /// - Returns: Whether nothing of the batch has to be tried again.
  private func attempt(_ batch: Batch, isAlone: Bool = false, isSalvaged: Bool = false) -> Bool {
    do {
      publish(try write(batch), of: batch)
      return true
    } catch let error {
      for hold in holds.end() { listeners.deliver(.holdEnded(hold)) }
      var batch = batch
      refuse(of: &batch)
      guard !batch.isEmpty else { return true }
      let failure = StoreFailure(error)
      if error is OpenFile.TakenAway { file.noticeFile() }
      if !isSalvaged, file.salvageIfCorrupt(error) {
        return attempt(batch, isAlone: isAlone, isSalvaged: true)
      }
      let parts = batch.parts
      if failure != .busy, !isAlone, file.opened != nil, parts.count > 1 || failure == .full {
        // A full disk has room for one more commit if the WAL can begin again.
        if failure == .full { file.opened?.rewindLog() }
        return parts.reduce(true) { attempt($1, isAlone: true, isSalvaged: isSalvaged) && $0 }
      }
      if failure == .busy { waitForLock(batch, error) } else { giveUp(batch, error) }
      return false
    }
  }

  /// The result of a transaction, told after COMMIT.
  private struct Written {
    var moments: [AlarmMoments]? = []
    var refill: Refill?
    var log = StoreTransaction.Log()
    /// See ``StoreTransaction/leavesImages``.
    var leavesImages = false
    var results: [Result<ChangeOutcome, ChangeError>] = []
    /// From ``Batch/rings`` and from the holds.
    var recorded: [RingRecord] = []
  }

  private func write(_ batch: Batch) throws -> Written {
    var written = Written()
    try file.inTransaction { database in
      let transaction = try StoreTransaction(
        context.tables(database), observer: listeners.observer, few: fewAlarms, most: mostAlarms,
        newHold: { self.holds.begin() })
      if !batch.rings.isEmpty { try transaction.record(batch.rings) }
      if let offset = batch.bootOffset {
        let boots = BootTable(database: database, current: state.clocks.current, bootID: bootID)
        let step = try boots.note(offset: offset)
        var now = clock.read()
        // As the row says: a later step has its own turn.
        now.wall = Instant(microseconds: now.boot + offset)
        try transaction.followClock(at: now, step: step)
      } else if let last = batch.rings.map(\.firedAt).max() {
        try transaction.followClock(at: clock.read(), recording: last)
      }
      if !batch.marks.isEmpty { try transaction.write(batch.marks) }
      for change in batch.changes { written.results.append(try transaction.perform(change.request)) }
      try transaction.setRight(batch.changes.map(\.request.readAt), at: clock.read())
      if !batch.changes.isEmpty { try transaction.tables.history.forgetOld(at: clock.read().wall) }
      written.moments = try transaction.finish()
      // The scheduler asks for more; others do not wait for that.
      if written.moments == nil { written.refill = try context.head(database, .first) }
      written.log = transaction.log
      written.leavesImages = transaction.leavesImages
      written.recorded = batch.rings + transaction.recorded
    }
    return written
  }

  private func publish(_ written: Written, of batch: Batch) {
    state.committed(written.log.sequence)
    file.noteSuccess()
    // Before the new moments, which may equal one that has rung: the clock may have been set back.
    if !written.recorded.isEmpty {
      unstored.subtract(written.recorded)
      listeners.deliver(.recorded(written.recorded, stored: true))
    }
    if let refill = written.refill {
      listeners.deliver(.refilled(refill))
    } else if let moments = written.moments, !moments.isEmpty {
      listeners.deliver(.changed(moments))
    }
    for hold in holds.end() { listeners.deliver(.holdEnded(hold)) }
    if written.refill != nil { listeners.deliver(.ringingUnknown) }
    for (change, result) in zip(batch.changes, written.results) { change.completion(result) }
    for change in written.log.changes { listeners.tell(change) }
    listeners.tellMade(batch.changes.map(\.request), written.results)
    let isLarge = written.log.changes.contains { $0.alarms == nil }
    if isLarge {
      file.opened?.shortenLog()
      // The freed pages lie between others: by itself, malloc keeps them.
      malloc_trim(0)
    }
    store?.committed(isLarge: isLarge, leavesImages: written.leavesImages)
  }

  /// The wait for another program's lock timed out. Rings are retried until they are stored; a change is
  /// tried ``busyTries`` times, then refused.
  private func waitForLock(_ batch: Batch, _ error: any Error) {
    isLockedOut = true
    var again = batch
    again.changes = []
    for var change in batch.changes {
      change.tries += 1
      if change.tries < Self.busyTries && !file.isClosed || change.isKept {
        again.changes.append(change)
      } else {
        change.refuse(StoreFailure.reason(error))
      }
    }
    tellUnstored(again.rings)
    pending.put(first: again)
    if !pending.isEmpty { commitSoon() }
  }

  private func giveUp(_ batch: Batch, _ error: any Error) {
    let reason = file.opened == nil ? state.unavailability : StoreFailure.reason(error)
    file.tellFailure(error)
    // What a large change took of the log goes back.
    if StoreFailure(error) == .full { file.opened?.shortenLog(beyond: OpenFile.usualLog) }
    tellUnstored(batch.rings)
    var rest = batch
    rest.changes = []
    pending.put(first: rest)
    for change in batch.changes {
      if change.isKept {
        // Others go first: they have a caller who waits.
        pending.changes.append(change)
      } else {
        change.refuse(reason)
      }
    }
    if !pending.isEmpty || !file.isWritable { file.retryLater() }
  }

  private func tellUnstored(_ rings: [RingRecord]) {
    let news = rings.filter { unstored.insert($0).inserted }
    guard let last = news.map(\.firedAt).max() else { return }
    store?.couldNotStore(until: last)
    listeners.deliver(.recorded(news, stored: false))
  }
}
