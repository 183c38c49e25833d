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
  private let imports: StagedImports
  private let head: HeadReader
  weak var store: AlarmStore?
  private var state: StoreState { context.state }
  private var listeners: Listeners { context.listeners }
  private var clock: any Clock { context.clock }

  private var isDue = false
  private var lastHold: UInt64 = 0
  /// The holds that the scheduler does not know to have ended.
  private var holds: [HoldID] = []
  /// Rings already reported to the scheduler as not storable.
  private var unstored: Set<RingRecord> = []
  private var isLockedOut = false

  /// How many times a change waits for another program's lock.
  private static let busyTries = 2

  init(
    _ file: StoreFile, _ context: StoreContext, imports: StagedImports, head: HeadReader
  ) {
    self.file = file
    self.context = context
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
    if listeners.observer != nil { commitSoon() }
  }

  /// The clock may have been set back before eggd started.
  func followClockAtStart() {
    guard file.isWritable, pending.bootOffset != nil else { return }
    pending.bootOffset = clock.read().bootOffset
    commit()
  }

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
    if file.isWritable, batch.changes.contains(where: { $0.request.change.mayBeOfMany }) {
      file.opened?.checkpoint(.passive)
    }
    let isMore = !pending.isEmpty
    // What could not be stored is tried again later, not at once.
    if attempt(batch) ? isMore : pending.changes.contains(where: { !$0.isKept }) { commitSoon() }
  }

  /// Refuses all changes while eggd stops, and chunks of imports that have ended, or that would take the last room.
  private func refuse(of batch: inout Batch) {
    guard !batch.changes.isEmpty else { return }
    if state.isStopping {
      for change in batch.changes { change.refuse(translatable("eggd is stopping")) }
      batch.changes = []
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
      try write(batch)
      return true
    } catch let error {
      endHolds()
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
        if failure == .full { file.opened?.checkpoint(.restart) }
        return parts.reduce(true) { attempt($1, isAlone: true, isSalvaged: isSalvaged) && $0 }
      }
      giveUp(batch, error)
      return false
    }
  }

  private func beginHold() -> HoldID {
    lastHold += 1
    holds.append(HoldID(rawValue: lastHold))
    return HoldID(rawValue: lastHold)
  }

  private func endHolds() {
    for hold in holds { listeners.deliver(.holdEnded(hold)) }
    holds = []
  }

  private func write(_ batch: Batch) throws {
    var log = StoreTransaction.Log()
    var results: [Result<ChangeOutcome, ChangeError>] = []
    var news: StoreNews?
    try file.inTransaction { database in
      let transaction = try StoreTransaction(
        context.tables(database), observer: listeners.observer, few: fewAlarms, most: mostAlarms,
        newHold: beginHold)
      if !batch.rings.isEmpty { try transaction.record(batch.rings) }
      if let offset = batch.bootOffset {
        let step = try context.boots(database).note(offset: offset)
        var now = clock.read()
        // As the row says: a later step has its own turn.
        now.wall = Instant(microseconds: now.boot + offset)
        try transaction.followClock(at: now, step: step)
      } else if let last = batch.rings.map(\.firedAt).max() {
        try transaction.followClock(at: clock.read(), recording: last)
      }
      if !batch.marks.isEmpty { try transaction.write(batch.marks) }
      for change in batch.changes { results.append(try transaction.perform(change.request)) }
      try transaction.setRight(batch.changes.map(\.request.readAt), at: clock.read())
      if !batch.changes.isEmpty { try transaction.tables.history.forgetOld(at: clock.read().wall) }
      if let moments = try transaction.finish() {
        news = moments.isEmpty ? nil : .changed(moments)
      } else {
        // The scheduler asks for more; others do not wait for that.
        news = .refilled(try context.head(database, .first))
      }
      log = transaction.log
    }
    publish(log, news, results, of: batch)
  }

  /// Tells the result of a transaction after COMMIT.
  private func publish(
    _ log: StoreTransaction.Log, _ news: StoreNews?, _ results: [Result<ChangeOutcome, ChangeError>],
    of batch: Batch
  ) {
    state.committed(log.sequence)
    file.noteSuccess()
    // Before the new moments, which may equal one that has rung: the clock may have been set back.
    if !log.recorded.isEmpty {
      unstored.subtract(log.recorded)
      listeners.deliver(.recorded(log.recorded, stored: true))
    }
    if let news { listeners.deliver(news) }
    endHolds()
    if case .refilled = news { listeners.deliver(.ringingUnknown) }
    for (change, result) in zip(batch.changes, results) { change.completion(result) }
    for change in log.changes { listeners.tell(change) }
    listeners.tellMade(batch.changes.map(\.request), results)
    let isLarge = log.changes.contains { $0.alarms == nil }
    if isLarge {
      file.opened?.shortenLog()
      // The freed pages lie between others: by itself, malloc keeps them.
      malloc_trim(0)
    }
    store?.committed(isLarge: isLarge, leavesImages: log.leavesImages)
  }

  /// Keeps what has to be stored, and refuses the rest. Behind another program's lock a change is tried ``busyTries``
  /// times, at once.
  private func giveUp(_ batch: Batch, _ error: any Error) {
    let failure = StoreFailure(error)
    let isLocked = failure == .busy
    let reason = isLocked || file.opened != nil ? StoreFailure.reason(error) : state.unavailability
    if isLocked { isLockedOut = true } else { file.tellFailure(error) }
    // What a large change took of the log goes back.
    if failure == .full { file.opened?.shortenLog(beyond: OpenFile.usualLog) }
    tellUnstored(batch.rings)
    var again = batch
    again.changes = []
    var kept: [Batch.Submitted] = []
    for var change in batch.changes {
      change.tries += 1
      if isLocked, change.isKept || change.tries < Self.busyTries && !file.isClosed {
        again.changes.append(change)
      } else if change.isKept {
        kept.append(change)
      } else {
        change.refuse(reason)
      }
    }
    pending.put(first: again)
    // Others go first: they have a caller who waits.
    pending.changes += kept
    if isLocked {
      if !pending.isEmpty { commitSoon() }
    } else if !pending.isEmpty || !file.isWritable {
      file.retryLater()
    }
  }

  private func tellUnstored(_ rings: [RingRecord]) {
    let news = rings.filter { unstored.insert($0).inserted }
    guard let last = news.map(\.firedAt).max() else { return }
    store?.couldNotStore(until: last)
    listeners.deliver(.recorded(news, stored: false))
  }
}
