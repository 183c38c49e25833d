import Alarms
import CLinux
import Dispatch
import EggTime
import GRDB

/// Changes of many alarms, and those of groups, are made one after the other: the rows of a large one are written long
/// before it is committed. All other changes go in between.
struct Turns {
  var waiting: [Batch.Submitted] = []
  /// The change whose turn it is.
  var current: Batch.Submitted?
  var preparation: Preparation?
  var slices: Slices?
  var deletion: Deletion?
  /// Another commit was let go first.
  var hasGivenWay = false
  /// Hidden alarms are in the file that nobody will show. They go before the next turn.
  var hidesSome = false
  /// Slices are in the file that nobody will finish. They are taken back before the next turn.
  var hasSlices = false
  /// What waits until no slice is in the file.
  var owed = Owed()
  /// The holder of a step that is not forgotten now, undone or not.
  var keptStep: Int64? {
    preparation.map(\.images.holder) ?? (slices?.walk as? UndoWalk)?.holder
      ?? (deletion?.walk as? MadeWalk)?.holder
  }
  /// From so many alarms on, a change is prepared.
  var fewest = StoreTransaction.fewAlarms + 1
  var pace = Pace()
  /// Of looks, which write nothing.
  var lookingPace = Pace()

  /// The change whose turn it is takes many steps.
  var isLarge: Bool { preparation != nil || slices != nil || deletion != nil }

  /// The rows of a change under way are not to be judged by their present values.
  struct Owed {
    var boots = false
    var ringing = false
    var zones = false
    /// Whether the clock was set back; nil if it was not set.
    var clock: Bool?
  }
}

extension AlarmStore {
  /// Prepares changes of so many alarms and more, in steps of so many, and writes marks of so many rings at once; for
  /// tests. Before ``start(observer:changes:made:)``.
  package func prepareChanges(of fewest: Int, atOnce: Int) {
    queue.sync {
      (turns.fewest, turns.pace, markedAtOnce) = (fewest, Pace(fixed: atOnce), atOnce)
      turns.lookingPace = turns.pace
    }
  }

  func take(_ change: Batch.Submitted) {
    dispatchPrecondition(condition: .onQueue(queue))
    // A dismissal on a bubble does not wait: it may have to be tried again.
    guard change.request.change.takesTurn, !change.isKept else { return enter(change) }
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
    if turns.hidesSome || turns.hasSlices, isWritable { return returnSpaceSoon() }
    // Alarms that follow a zone go first, a few at a time.
    if zoneMove != nil, turns.waiting[0].request.change is any SlicedChange, isWritable { return }
    // After that commit there is a next turn.
    guard !pending.changes.contains(where: { turns.waiting[0].request.change.follows($0.request.change) })
    else { return commitSoon() }
    let change = turns.waiting.removeFirst()
    turns.current = change
    turns.pace.begin()
    if isWritable, !change.isWhole, zoneMove == nil, let making = change.request.change as? any MakingChange {
      turns.preparation = preparation(of: making, change.request.readAt)
    }
    if isWritable, !change.isWhole, turns.preparation == nil,
      let deleting = change.request.change as? any DeletingChange
    {
      turns.deletion = deletion(of: deleting)
    }
    if isWritable, !change.isWhole, turns.preparation == nil, turns.deletion == nil,
      let sliced = change.request.change as? any SlicedChange
    {
      turns.slices = slices(of: sliced, change.request)
    }
    if turns.preparation != nil { return prepareSoon() }
    if turns.slices != nil || turns.deletion != nil { return sliceSoon() }
    enterTurn(change)
  }

  /// nil if it is to be made as one. A failure is left to the change itself.
  private func deletion(of change: some DeletingChange) -> Deletion? {
    try? opened?.pool.writeWithoutTransaction { try Deletion(of: change, in: $0) }
  }

  /// nil if it is to be made as one. A failure is left to the change itself.
  private func slices(of change: any SlicedChange, _ request: ChangeRequest) -> Slices? {
    try? opened?.pool.writeWithoutTransaction { try Slices(change, for: request, in: $0) }
  }

  /// nil if the change is small. A failure is left to the change itself.
  private func preparation(of change: some MakingChange, _ readAt: ClockReading) -> Preparation? {
    try? opened?.pool.writeWithoutTransaction {
      try Preparation(change, at: readAt, fewest: turns.fewest, in: $0)
    }
  }

  private func enterTurn(_ change: Batch.Submitted, as made: (any Change)? = nil) {
    var turn = change
    if let made { (turn.request.change, turn.isAlone) = (made, true) }
    turn.completion = { result in
      change.completion(result)
      self.endTurn()
    }
    enter(turn)
  }

  private func endTurn() {
    let wasLarge = turns.isLarge
    turns.current = nil
    (turns.preparation, turns.slices, turns.deletion) = (nil, nil, nil)
    if wasLarge {
      giveRoomBack()
      lookForRest()
    }
    queue.async { self.nextTurn() }
  }

  /// What a change that failed has left.
  private func lookForRest() {
    // If it can't be read, the next step of the sweep tells.
    let left = try? opened?.pool.writeWithoutTransaction {
      (hidden: try HiddenAlarms.areLeft(in: $0), slices: try ChangeUnderWay.of($0) != nil)
    }
    (turns.hidesSome, turns.hasSlices) = (left?.hidden ?? true, left?.slices ?? true)
    turns.pace.begin()
    if turns.hidesSome || turns.hasSlices { returnSpaceSoon() } else { payOwed() }
  }

  /// Whether slices of a change are in the file, whoever goes on with them.
  var isUnderWay: Bool { turns.hasSlices || turns.slices?.isSurveying == false }

  /// No slice is in the file any more.
  private func payOwed() {
    let owed = turns.owed
    turns.owed = Turns.Owed()
    if let isSetBack = owed.clock {
      turns.owed.clock = isSetBack
      pending.bootOffset = clock.read().bootOffset
      commitSoon()
    }
    if owed.boots { moveEarlierBoots() }
    if owed.ringing { readRinging() }
    if owed.zones {
      zoneMove = nil
      checkZones()
    }
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
  func givesWay() -> Bool {
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
      try inStep { progress = try preparation.advance(atMost: turns.pace.count, in: $0) }
      switch progress {
      case .more: prepareSoon()
      case .impossible: enterTurn(change)
      case .ready(let prepared):
        guard var making = change.request.change as? any MakingChange else { return enterTurn(change) }
        making.prepared = prepared
        enterTurn(change, as: making)
      }
    } catch {
      makeWhole(change)
    }
  }

  private func sliceSoon() { queue.async { self.slice() } }

  private func slice() {
    guard let change = turns.current, turns.slices != nil || turns.deletion != nil else { return }
    guard !givesWay() else { return sliceSoon() }
    guard !shared.withLock({ $0.isStopping }) else { return refuseTurns() }
    do {
      if let deletion = turns.deletion { return try advance(deletion, change) }
      guard let slices = turns.slices else { return }
      switch try nextSlice(of: slices) {
      case .more: sliceSoon()
      case .few(let few):
        turns.slices = nil
        enterTurn(change, as: few)
      case .ready(let finished): enterTurn(change, as: finished)
      }
    } catch let refusal as ChangeError {
      change.completion(.failure(refusal))
      endTurn()
    } catch {
      makeWhole(change)
    }
  }

  private func advance(_ deletion: Deletion, _ change: Batch.Submitted) throws {
    guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
    var progress = Deletion.Progress.more
    func advance(_ database: Database) throws {
      progress = try deletion.advance(fewest: turns.fewest, atMost: turns.lookingPace.count, in: database)
    }
    try timed(\.lookingPace) {
      if deletion.isListing {
        try inTransaction(isSynced: false, advance)
      } else {
        try opened.pool.writeWithoutTransaction(advance)
      }
    }
    switch progress {
    case .more: sliceSoon()
    case .few:
      turns.deletion = nil
      enterTurn(change)
    case .ready:
      guard var deleting = change.request.change as? any DeletingChange else { return makeWhole(change) }
      deleting.deletion = deletion
      enterTurn(change, as: deleting)
    }
  }

  private func nextSlice(of slices: Slices) throws -> Slices.Progress {
    if slices.isSurveying {
      guard let opened else { throw DatabaseError(resultCode: .SQLITE_CANTOPEN) }
      return try timed(\.lookingPace) {
        try opened.pool.writeWithoutTransaction {
          try slices.survey(fewest: turns.fewest, atMost: turns.lookingPace.count, in: $0)
        }
      }
    }
    var progress = Slices.Progress.more
    try inStep { progress = try slices.advance(atMost: turns.pace.count, in: $0) }
    return progress
  }

  /// A transaction that nobody was promised.
  private func inStep(_ body: (StoreTransaction) throws -> Void) throws {
    setCache(PageCache.large)
    try timed(\.pace) {
      try inTransaction(isSynced: false) { database in
        try body(
          StoreTransaction(
            database, clocks: clocks, zones: zones, observer: observer, newHold: { self.nextHold() }))
      }
    }
  }

  /// Fits the next step to how long this one takes.
  private func timed<Value>(
    _ pace: WritableKeyPath<Turns, Pace>, _ step: () throws -> Value
  ) rethrows -> Value {
    let begin = clock.read().monotonic
    defer { turns[keyPath: pace].stepTook(clock.read().monotonic - begin) }
    return try step()
  }

  /// The change may do it as one, or has the better reason why not.
  private func makeWhole(_ change: Batch.Submitted) {
    var whole = change
    whole.isWhole = true
    turns.waiting.insert(whole, at: 0)
    endTurn()
  }

  /// At a stop.
  func refuseTurns() {
    if turns.isLarge, let current = turns.current {
      // The next start takes the slices back.
      turns.hasSlices = isUnderWay
      turns.waiting.insert(current, at: 0)
      turns.current = nil
      (turns.preparation, turns.slices, turns.deletion) = (nil, nil, nil)
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

  /// Takes back slices that nobody will finish.
  ///
  /// - Returns: Whether there is more to do.
  func takeBackSlices() throws -> Bool {
    guard turns.hasSlices, turns.slices == nil else { return false }
    guard !givesWay() else { return true }
    var isMore = false
    try inStep { isMore = try $0.takeBackSome(atMost: turns.pace.count) }
    if !isMore {
      giveRoomBack()
      turns.hasSlices = false
      payOwed()
      nextTurn()
    }
    return isMore
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
    try inStep { isMore = try $0.sweepHidden(atMost: turns.pace.count) }
    if !isMore {
      giveRoomBack()
      turns.hidesSome = false
      nextTurn()
    }
    return isMore
  }
}
