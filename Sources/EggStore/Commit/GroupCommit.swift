import Alarms
import CLinux
import Dispatch
import EggTime
import GRDB
import Ringing

/// The contents of one transaction, written in order: rings, their marks, then changes as they came.
struct Batch {
  struct Submitted {
    var request: ChangeRequest
    var completion: @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
    /// How many times the wait for another program's lock timed out.
    var tries = 0
    /// It is of many alarms, and others have gone first.
    var isNext = false

    /// An answer on a bubble has no caller to report a failure to: it is kept until stored.
    var isKept: Bool { request.change.isKept(for: request.client) }
  }

  var rings: [RingRecord] = []
  var marks: [RingMark] = []
  /// This boot's new offset to the wall clock.
  var bootOffset: Int64?
  var changes: [Submitted] = []

  /// Whether someone is promised that it lasts.
  var isPromised: Bool {
    !rings.isEmpty || !marks.isEmpty || bootOffset != nil || changes.contains { $0.request.change.isPromised }
  }

  var isEmpty: Bool { changes.isEmpty && !hasOthers }
  /// Whether there is more than changes.
  var hasOthers: Bool { !rings.isEmpty || !marks.isEmpty || bootOffset != nil }

  /// The parts on their own, so that one that cannot be written does not block the others. A mark stays with
  /// its ring: alone it would find no row.
  var parts: [Batch] {
    var parts = changes.map { Batch(changes: [$0]) }
    if bootOffset != nil { parts.insert(Batch(bootOffset: bootOffset), at: 0) }
    if !rings.isEmpty || !marks.isEmpty { parts.insert(Batch(rings: rings, marks: marks), at: 0) }
    return parts
  }
}

/// Group commit: requests that arrive during a transaction share the next one.
extension AlarmStore {
  /// Changes per transaction.
  private static let groupLimit = 256
  /// Of those, chunks of an import: nobody waits long for them.
  private static let stagedAtOnce = 4
  /// Rings per transaction whose marks are written.
  private static let markedAtOnce = 1_024
  /// How many head extensions a commit waits for.
  private static let extensionsFirst = 16
  /// The limit of kept answers on bubbles.
  private static let mostKept = 1_024
  /// How many times a change waits for another program's lock.
  private static let busyTries = 2

  func commitSoon() {
    dispatchPrecondition(condition: .onQueue(queue))
    guard !commitIsDue else { return }
    // If many alarms are due at once, read the next ones before recording the first.
    guard extensions.untaken == 0 || extensions.sinceCommit > Self.extensionsFirst else {
      extensions.holdCommit = true
      return
    }
    commitIsDue = true
    queue.async { self.commit() }
  }

  /// - Parameter isLast: The final commit: writes all marks.
  func commit(isLast: Bool = false) {
    dispatchPrecondition(condition: .onQueue(queue))
    commitIsDue = false
    extensions.sinceCommit = 0
    extensions.holdCommit = false
    guard !pending.isEmpty else { return }
    var batch = pending
    pending = Batch()
    refuseChanges(of: &batch)
    guard !batch.isEmpty else { return }
    if batch.changes.count > Self.groupLimit {
      pending.changes = Array(batch.changes[Self.groupLimit...])
      batch.changes.removeSubrange(Self.groupLimit...)
    }
    refuseStaging(of: &batch)
    putOffStaging(of: &batch)
    // What is not in the last commit is lost.
    if !isLast { separateMany(&batch) }
    // Nobody waits for the marks of very many rings: changes go in between.
    let marks = RingMark.portion(batch.marks, rings: isLast ? .max : Self.markedAtOnce)
    // A change of many may have put others there.
    (batch.marks, pending.marks) = (marks.first, marks.rest + pending.marks)
    let (isMore, isAside) = (!pending.isEmpty, pending.hasOthers && !batch.hasOthers)
    // What could not be stored is tried again later, not at once.
    if attempt(batch) ? isMore : isAside || pending.changes.contains(where: { !$0.isKept }) { commitSoon() }
  }

  /// Nobody waits long for the chunks of an import. Only its end does not go ahead of them.
  private func putOffStaging(of batch: inout Batch) {
    var left = Self.stagedAtOnce
    var later: Set<ImportID> = []
    var kept: [Batch.Submitted] = []
    var rest: [Batch.Submitted] = []
    for change in batch.changes {
      if let chunk = change.request.change as? ImportAlarmsChange {
        left -= 1
        if left < 0 { later.insert(chunk.id) }
      }
      let waits = (change.request.change as? any ImportingChange).map { later.contains($0.id) } ?? false
      if waits { rest.append(change) } else { kept.append(change) }
    }
    batch.changes = kept
    pending.changes = rest + pending.changes
  }

  /// A change of many alarms is alone in its transaction: what came before it goes first, what came during it goes next.
  private func separateMany(_ batch: inout Batch) {
    let rings = batch.rings.count
    guard let first = batch.changes.firstIndex(where: { isOfMany($0, beside: rings) }) else { return }
    var rest = batch.changes[first...]
    if first == 0, !batch.hasOthers || batch.changes[0].isNext {
      rest = batch.changes[1...]
      (pending.rings, pending.marks) = (batch.rings + pending.rings, batch.marks + pending.marks)
      pending.bootOffset = pending.bootOffset ?? batch.bootOffset
      batch = Batch(changes: [batch.changes[0]])
      // If it fails, its log can be cut only once nothing in it is still to be written to the file.
      rewindLog()
    } else {
      rest[first].isNext = true
      batch.changes.removeSubrange(first...)
    }
    pending.changes = rest + pending.changes
  }

  /// If it cannot be counted, the change itself finds out why.
  ///
  /// - Parameter rings: How many alarms may be of it once their rings are recorded.
  private func isOfMany(_ change: Batch.Submitted, beside rings: Int) -> Bool {
    guard change.request.change.mayBeOfMany, let opened else { return false }
    let count = try? opened.pool.writeWithoutTransaction {
      try change.request.change.count(in: $0, upTo: fewAlarms + 1)
    }
    return count.map { $0 + rings > fewAlarms } ?? false
  }

  /// - Returns: Whether nothing of the batch has to be tried again.
  private func attempt(_ batch: Batch, isAlone: Bool = false, isSalvaged: Bool = false) -> Bool {
    do {
      publish(try write(batch), of: batch)
      return true
    } catch let error {
      endOpenHolds()
      endInterruption()
      var batch = batch
      refuseChanges(of: &batch)
      guard !batch.isEmpty else { return true }
      let failure = StoreFailure(error)
      if error is TakenAway { noticeFile() }
      if failure == .corrupt, !isSalvaged, salvageNow(error) {
        return attempt(batch, isAlone: isAlone, isSalvaged: true)
      }
      let parts = batch.parts
      if failure == .interrupted { return attempt(batch, isAlone: isAlone, isSalvaged: isSalvaged) }
      if failure != .busy, !isAlone, opened != nil, parts.count > 1 || failure == .full {
        // A full disk has room for one more commit if the WAL can begin again.
        if failure == .full { rewindLog() }
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
    var holds: [HoldID] = []
    var results: [Result<ChangeOutcome, ChangeError>] = []
    /// From ``Batch/rings`` and from the holds.
    var recorded: [RingRecord] = []
    /// See ``StoreTransaction/leftBubbles``.
    var leftBubbles: Set<Notice.ShownBubble> = []
  }

  private func write(_ batch: Batch) throws -> Written {
    var written = Written()
    try inTransaction(isSynced: batch.isPromised) { database in
      let transaction = try StoreTransaction(
        database, clocks: clocks, zones: zones, observer: observer, few: fewAlarms, most: mostAlarms,
        newHold: { self.nextHold() })
      transaction.unreadRingsAfter = unreadRings.after
      if !batch.rings.isEmpty { try transaction.record(batch.rings) }
      if let offset = batch.bootOffset {
        let step = try noteBoot(database, offset: offset)
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
      if written.moments == nil {
        // The scheduler asks for more; others do not wait for that.
        written.refill = try Refill(
          database, clocks: clocks, zones: zones, now: clock.read(), most: Refill.firstLimit)
      }
      (written.log, written.holds) = (transaction.log, transaction.holds)
      written.leftBubbles = transaction.leftBubbles
      written.leavesImages = transaction.leavesImages
      written.recorded = batch.rings + transaction.recorded
    }
    return written
  }

  private func publish(_ written: Written, of batch: Batch) {
    let sequence = written.log.sequence
    shared.withLock { $0.sequence = sequence }
    noteSuccess()
    // Before the new moments, which may equal one that has rung: the clock may have been set back.
    if !written.recorded.isEmpty {
      toldUnstored.subtract(written.recorded)
      observer?.deliver(.recorded(written.recorded, stored: true))
    }
    if !written.leftBubbles.isEmpty { observer?.deliver(.bubblesLeft(Array(written.leftBubbles))) }
    if let refill = written.refill {
      observer?.deliver(.refilled(refill))
    } else if let moments = written.moments, !moments.isEmpty {
      observer?.deliver(.changed(moments))
    }
    openHolds = []
    for hold in written.holds { observer?.deliver(.holdEnded(hold)) }
    if written.refill != nil { observer?.deliver(.ringingUnknown) }
    for (change, result) in zip(batch.changes, written.results) { change.completion(result) }
    for change in written.log.changes { changes?(change) }
    tellMade(batch.changes, written.results)
    // One was resolved in a zone that is new here: its file is to be watched.
    if zones.isUnsettled { checkZonesSoon() }
    let isLarge = written.log.changes.contains { $0.alarms == nil }
    if isLarge {
      shortenLog()
      // The freed pages lie between others: by itself, malloc keeps them.
      malloc_trim(0)
    }
    if isLarge || written.leavesImages || owesSpace {
      owesSpace = false
      returnSpaceSoon()
    }
  }

  func nextHold() -> HoldID {
    lastHold += 1
    let hold = HoldID(rawValue: lastHold)
    openHolds.append(hold)
    return hold
  }

  func endOpenHolds() {
    let holds = openHolds
    openHolds = []
    for hold in holds { observer?.deliver(.holdEnded(hold)) }
  }

  /// The wait for another program's lock timed out. Rings are retried until they are stored; a change is
  /// tried ``busyTries`` times, then refused.
  private func waitForLock(_ batch: Batch, _ error: any Error) {
    isLockedOut = true
    var again = batch
    again.changes = []
    for var change in batch.changes {
      change.tries += 1
      change.isNext = false
      if change.tries < Self.busyTries && !isClosed || change.isKept && keepsMore {
        again.changes.append(change)
      } else {
        change.completion(.failure(.unavailable(reason: StoreFailure.reason(error))))
      }
    }
    tellUnstored(again.rings)
    keep(again)
    if !pending.isEmpty { commitSoon() }
  }

  private func giveUp(_ batch: Batch, _ error: any Error) {
    let reason = opened == nil ? unavailability : StoreFailure.reason(error)
    tellFailure(StoreFailure(error), reason: reason)
    // What a large change took of the log goes back.
    if StoreFailure(error) == .full { shortenLog(beyond: Self.usualLog) }
    tellUnstored(batch.rings)
    var rest = batch
    rest.changes = []
    keep(rest)
    for var change in batch.changes {
      change.isNext = false
      if change.isKept, keepsMore {
        // Others go first: they have a caller who waits.
        pending.changes.append(change)
      } else {
        change.completion(.failure(.unavailable(reason: reason)))
      }
    }
    if !pending.isEmpty || opened?.isReadOnly != false { retryLater() }
  }

  private var keepsMore: Bool { pending.changes.count(where: \.isKept) < Self.mostKept }

  /// Puts back what has to be retried, before later requests.
  private func keep(_ batch: Batch) {
    pending.rings = batch.rings + pending.rings
    pending.marks = batch.marks + pending.marks
    joinRings()
    pending.bootOffset = pending.bootOffset ?? batch.bootOffset
    pending.changes = batch.changes + pending.changes
  }

  /// Bounds memory: no more rings of an alarm than the database would keep.
  private func joinRings() {
    guard pending.rings.count > mostRings else { return }
    var gone: Set<Int64> = []
    for (number, var rings) in Dictionary(grouping: pending.rings, by: \.key.number) {
      guard rings.count > RingRecord.mostOfOneAlarm else { continue }
      let all = Set(rings)
      while let joined = RingRecord.joinOldest(&rings) { gone.insert(joined.gone) }
      // The scheduler knows about them.
      toldUnstored.subtract(all.subtracting(rings))
      toldUnstored.formUnion(rings.filter { !all.contains($0) })
      pending.rings.removeAll { $0.key.number == number }
      pending.rings += rings
    }
    pending.marks.removeAll { !$0.occurrences.contains { !gone.contains($0) } }
    mostRings = 2 * max(pending.rings.count, Self.manyRings)
  }

  private static let manyRings = 1_000

  private func tellUnstored(_ rings: [RingRecord]) {
    let news = rings.filter { toldUnstored.insert($0).inserted }
    guard !news.isEmpty else { return }
    if let last = news.map(\.firedAt).max() { directory.note(rangUntil: last) }
    observer?.deliver(.recorded(news, stored: false))
  }
}
