import Alarms
import Dispatch
import EggDaemon
import EggStore
import EggTestSupport
import EggTime
import Glibc
import Ringing

/// Starts, kills, and what an eggd does in between.
extension Simulation: Life.Witness {
  /// eggd starts: as `Daemon` does, in that order.
  func start() throws {
    lives += 1
    let queue = DispatchQueue(label: "store")
    let bootID = "boot-\(boots)"
    isOpening = true
    defer { isOpening = false }
    wasKilledOpening = false
    let store: AlarmStore
    do {
      store = try AlarmStore(
        directory: StateDirectory(path: state.path), queue: queue, clock: clock, bootID: bootID,
        zone: MachineZone(folder.source), log: { [unowned self] event in heard(event) })
    } catch {
      // It ends with 1, and is started again.
      guard disk.health != .sound || wasKilledOpening else {
        throw Ledger.Violation(text: "the database does not open: \(error)")
      }
      trace("does not start: \(error)")
      if wasKilledOpening {
        state.removeOld()
      } else {
        state.leave()
        state.removeOld()
      }
      clock.forget()
      return then { try self.beDown() }
    }
    // So that some runs have many changes of many.
    store.fewAlarms = dice.oneIn(2) ? 2 : 256
    let life = Life(store, queue: queue, clock: clock, desk: desk, witness: self)
    life.onChoice = { [unowned self] in attemptChoice($0, stored: $1) }
    life.isKilled = wasKilledOpening
    self.life = life
    trace("starts, life \(lives), \(bootID)\(wasKilledOpening ? ", killed at once" : "")")
    guard !wasKilledOpening else { return }
    ledger.boot = store.currentBoot.rawValue
    ledger.causes.formUnion([.down, .store, .busy])
    if zonesAreNew { ledger.causes.insert(.zoneChange) }
    first {
      store.start(observer: life) { _ in }
      store.followZones()
      self.first { try self.resume(life) }
    }
  }

  /// Zones have been followed. Before anything rings the rows are compared: they tell what was stored of what was on
  /// its way.
  private func resume(_ life: Life) throws {
    view = DatabaseView(state.database)
    followClock()
    if zonesAreNew {
      try ledger.zonesChanged(at: clock.read())
      zonesAreNew = false
    }
    if isZoneInDoubt { ledger.zonesAreFollowed(at: clock.read().wall) }
    try compare()
    isZoneInDoubt = false
    doubtful = []
    seen.restart(view?.ringing() ?? [], desk)
    (ledger.possible, ledger.isPossibleChanged) = ([:], false)
    resumed = []
    wait()
    life.store.resume(ring: { [unowned self] entry, written in resumed.append((entry, written)) }) { [self] in
      goOn(life.queue) { [self] in
        for (entry, written) in resumed where !life.isKilled {
          wrote(Life.WrittenEntry(number: entry.number, dueAt: entry.dueAt))
          // It stands for the last ring of its occurrence, which may be the end of a snooze.
          rewritten[entry.number] = lives
          written(clock.read().wall)
        }
        resumed = []
        life.begin()
        first { life.store.moveEarlierBoots() }
      }
    }
  }

  func compare() throws {
    guard let view else { return }
    note("compared")
    try ledger.compare(view, clock.read(), doubtful: doubtful)
  }

  private func heard(_ event: StoreEvent) {
    trace("\(event)")
    switch event {
    case .salvaged, .takenAway, .foreignWrite, .migrated:
      violate(Ledger.Violation(text: "the store says \(event)"))
    default: break
    }
  }

  /// SIGKILL: files stay as they are at this moment, and nothing of what this eggd does counts any more.
  func kill(_ reason: String) {
    guard report.violation == nil, life.map({ !$0.isKilled }) ?? isOpening else { return }
    trace("killed: \(reason)")
    report.crashes[reason, default: 0] += 1
    killIn = nil
    if isOpening { wasKilledOpening = true }
    if isMovingZone {
      isZoneInDoubt = true
      ledger.zonesMayNotBeFollowed()
    }
    life?.isKilled = true
    state.leave()
  }

  /// One more point at which it may be killed.
  ///
  /// - Returns: Whether it is.
  private func isKillDue() -> Bool {
    guard let left = killIn else { return false }
    killIn = left - 1
    return left <= 0
  }

  /// Before each write of SQLite.
  func wrote(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, _ offset: off_t) {
    guard life.map({ !$0.isKilled }) ?? (isOpening && !wasKilledOpening) else { return }
    if isKillDue() {
      kill(isOpening ? "opening" : "writing")
      // The write may have got as far as the middle.
      if dice.oneIn(2) { state.write(bytes, half: descriptor, at: offset) }
      return
    }
    if !isOpening, dice.oneIn(400) { passWhileWriting() }
  }

  func passed(_ point: Life.Point) {
    guard let life, !life.isKilled else { return }
    if point == .committed { followClock(isCommitted: true) }
    if isKillDue() { return kill(point.rawValue) }
    if point == .held, dice.oneIn(6) { passWhileWriting() }
  }

  /// The disk takes its time, and the timer fires.
  private func passWhileWriting() {
    guard let life, life.isStarted, !isFinal, !isMovingZone, hasFollowed else { return }
    beforeWriting = beforeWriting ?? clock.read()
    ledger.causes.formUnion([.store, .busy])
    var span = dice.span(1...2_000)
    // It takes until the next one is due.
    let left = life.armed.map { $0 - clock.read().wall }
    if let left, left > .zero, left < .seconds(300), dice.oneIn(2) {
      span = TimeSpan(microseconds: left.microseconds + span.microseconds)
    }
    clock.time.advance(span)
    life.wake()
  }

  func rang(_ record: RingRecord) {
    trace(
      "\(record.outcome) #\(record.key.number) due \(record.dueAt.microseconds)"
        + " occurrence \(record.occurrence)\(record.key.occurrence == 0 ? "" : " snoozed")"
        + (record.elapsed > 1 ? " elapsed \(record.elapsed)" : "")
        + (record.reason.map { " late: \($0)" } ?? ""))
    if record.outcome != .unanswered { rung[Life.WrittenEntry(record), default: 0] += 1 }
    do { try ledger.rang(record, clock.read()) } catch { violate(error) }
  }

  func recorded(_ records: [RingRecord]) {
    trace("recorded \(records.map { "#\($0.key.number)" }.joined(separator: " "))")
    ledger.recorded(records, clock.read())
    for record in records where record.rang { mustBeTold[Life.WrittenEntry(record)] = lives }
  }

  /// Only bubbles of alarms that ring repeat.
  func repeated(_ notices: [Notice]) {
    note("repeated")
    trace("repeats \(notices.map { "#\($0.number) occurrence \($0.occurrence)" }.joined(separator: " "))")
    guard let life, life.news.isEmpty, open.isEmpty else { return }
    for notice in notices {
      if ledger.deleted.contains(notice.number) {
        violate(Ledger.Violation(text: "#\(notice.number) repeats after its deletion was acknowledged"))
      } else if let promise = ledger.alarms[notice.number],
        !promise.standings.contains(where: { $0.ringing.contains(notice.occurrence) })
      {
        violate(Ledger.Violation(text: "#\(notice.number) repeats and does not ring"))
      }
    }
  }

  /// The journal has an entry. More than there were rings only where eggd was killed between the entry and its mark.
  func wrote(_ entry: Life.WrittenEntry) {
    trace("writes the entry of #\(entry.number)")
    let before = written[entry]
    if let before, !unclean.contains(before.life), before.count >= rung[entry, default: 1] {
      violate(Ledger.Violation(text: "#\(entry.number) has two entries for \(entry.dueAt.microseconds)"))
    }
    // What a killed eggd had written may all be written again.
    let counted = before.flatMap { unclean.contains($0.life) ? nil : $0.count } ?? 0
    written[entry] = (lives, counted + 1)
  }
}

extension StateFolder {
  /// As much of a write as a process that is killed in it has done.
  func write(_ bytes: UnsafeRawBufferPointer, half descriptor: Int32, at offset: off_t) {
    var name = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &name, name.count)
    guard count > 0 else { return }
    let file = String(decoding: name[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    guard !file.hasSuffix("-shm"), let last = file.split(separator: "/").last else { return }
    let copy = open("\(path)/\(last)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard copy >= 0 else { return }
    pwrite(copy, bytes.baseAddress, bytes.count / 2, offset)
    close(copy)
  }
}
