import Alarms
import CLinux
import Dispatch
import EggTime
import GRDB

/// Changes that make alarms from images, and those of groups, are made one after the other: the rows of a large one are
/// written long before it is committed. All other changes go in between.
struct Turns {
  var waiting: [Batch.Submitted] = []
  /// The change whose turn it is.
  var current: Batch.Submitted?
  var preparation: Preparation?
  /// Another commit was let go first.
  var hasGivenWay = false
  /// Hidden alarms are in the file that nobody will show. They go before the next turn.
  var hidesSome = false
  /// Undone or not, it is not forgotten now.
  var keptStep: Int64? { preparation.map(\.images.holder) }
  /// From so many alarms on, a change is prepared.
  var fewest = StoreTransaction.fewAlarms + 1
  /// Alarms per transaction, where others want to change something too: some milliseconds.
  var atOnce = 256
  /// Since the last commit.
  var stepsAlone = 0

  /// Alarms in the next step: more, when nobody else has changed anything for a while.
  var portion: Int { stepsAlone < Self.quiet ? atOnce : Self.manyTimes * atOnce }

  private static let (quiet, manyTimes) = (64, 4)
}

extension AlarmStore {
  /// Prepares changes of so many alarms and more, in steps of so many, and writes marks of so many rings at once; for
  /// tests. Before ``start(observer:changes:made:)``.
  package func prepareChanges(of fewest: Int, atOnce: Int) {
    queue.sync { (turns.fewest, turns.atOnce, markedAtOnce) = (fewest, atOnce, atOnce) }
  }

  func take(_ change: Batch.Submitted) {
    dispatchPrecondition(condition: .onQueue(queue))
    guard change.request.change.takesTurn else { return enter(change) }
    turns.waiting.append(change)
    nextTurn()
  }

  private func enter(_ change: Batch.Submitted) {
    pending.changes.append(change)
    commitSoon()
  }

  func nextTurn() {
    dispatchPrecondition(condition: .onQueue(queue))
    let isWritable = opened?.isReadOnly == false && !isClosed
    guard turns.current == nil, !turns.waiting.isEmpty else { return }
    if turns.hidesSome, isWritable { return returnSpaceSoon() }
    // After that commit there is a next turn.
    guard !pending.changes.contains(where: { turns.waiting[0].request.change.follows($0.request.change) })
    else { return commitSoon() }
    let change = turns.waiting.removeFirst()
    turns.current = change
    if isWritable, !change.isWhole, zoneMove == nil, let making = change.request.change as? any MakingChange {
      turns.preparation = preparation(of: making, change.request.readAt)
    }
    if turns.preparation == nil { enterTurn(change) } else { prepareSoon() }
  }

  /// nil if the change is small. A failure is left to the change itself.
  private func preparation(of change: some MakingChange, _ readAt: ClockReading) -> Preparation? {
    try? opened?.pool.writeWithoutTransaction {
      try Preparation(change, at: readAt, fewest: turns.fewest, in: $0)
    }
  }

  private func enterTurn(_ change: Batch.Submitted) {
    var turn = change
    turn.completion = { result in
      change.completion(result)
      self.endTurn()
    }
    enter(turn)
  }

  private func endTurn() {
    let wasPrepared = turns.preparation != nil
    (turns.preparation, turns.current) = (nil, nil)
    if wasPrepared {
      giveRoomBack()
      lookForHidden()
    }
    queue.async { self.nextTurn() }
  }

  private func lookForHidden() {
    // If it can't be read, the next step of the sweep tells.
    turns.hidesSome =
      (try? opened?.pool.writeWithoutTransaction { try HiddenAlarms.range($0) != nil }) ?? true
    if turns.hidesSome { returnSpaceSoon() }
  }

  private func giveRoomBack() {
    setCache(PageCache.usual)
    // The freed pages lie between others: by itself, malloc keeps them.
    malloc_trim(0)
  }

  private func setCache(_ size: Int) {
    try? opened?.pool.writeWithoutTransaction { try PageCache.set(size, of: $0) }
  }

  /// Whether a commit that is due goes before the next step; not a second one.
  private func givesWay() -> Bool {
    turns.hasGivenWay = commitIsDue && !turns.hasGivenWay
    return turns.hasGivenWay
  }

  private func prepareSoon() { queue.async { self.prepare() } }

  private func prepare() {
    guard let preparation = turns.preparation, let change = turns.current else { return }
    guard !givesWay() else { return prepareSoon() }
    guard !shared.withLock({ $0.isStopping }) else { return refuseTurns() }
    do {
      // What moves in a zone is not hidden.
      guard zoneMove == nil, !preparation.isSpoiled else { throw Preparation.Spoiled() }
      var progress = Preparation.Progress.more
      setCache(PageCache.large)
      turns.stepsAlone += 1
      try inTransaction(isSynced: false) { database in
        let transaction = try StoreTransaction(
          database, clocks: clocks, zones: zones, observer: observer, newHold: { self.nextHold() })
        progress = try preparation.advance(atMost: turns.portion, in: transaction)
      }
      switch progress {
      case .more: prepareSoon()
      case .impossible: enterTurn(change)
      case .ready(let prepared):
        guard var making = change.request.change as? any MakingChange else { return enterTurn(change) }
        making.prepared = prepared
        var ready = change
        ready.request.change = making
        enterTurn(ready)
      }
    } catch {
      // The change may do it all the same, or has the better reason why not.
      var whole = change
      whole.isWhole = true
      turns.waiting.insert(whole, at: 0)
      endTurn()
    }
  }

  /// At a stop.
  func refuseTurns() {
    if turns.preparation != nil, let current = turns.current {
      turns.waiting.insert(current, at: 0)
      (turns.preparation, turns.current) = (nil, nil)
    }
    refuseWaiting(translatable("eggd is stopping"))
  }

  /// The sweep failed.
  func letTurnsFail(_ error: any Error) {
    if turns.current == nil { refuseWaiting(StoreFailure.reason(error)) }
  }

  private func refuseWaiting(_ reason: String) {
    let refused = turns.waiting
    turns.waiting = []
    for change in refused { change.completion(.failure(.unavailable(reason: reason))) }
  }

  /// Removes hidden alarms that nobody will show.
  ///
  /// - Returns: Whether there is more to do.
  func sweepHidden() throws -> Bool {
    guard turns.hidesSome else { return false }
    // A change that is being prepared hides its own.
    guard turns.preparation == nil else { return false }
    guard !givesWay() else { return true }
    var isMore = false
    setCache(PageCache.large)
    try inTransaction(isSynced: false) { database in
      isMore = try StoreTransaction(
        database, clocks: clocks, zones: zones, observer: observer, newHold: { self.nextHold() }
      ).sweepHidden(atMost: max(turns.atOnce / 2, 1))
    }
    if !isMore {
      giveRoomBack()
      turns.hidesSome = false
      nextTurn()
    }
    return isMore
  }
}
