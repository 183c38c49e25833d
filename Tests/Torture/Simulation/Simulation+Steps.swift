import Alarms
import EggStore
import EggTestSupport
import EggTime

/// What happens to the machine, and to eggd on it.
extension Simulation {
  func step() throws {
    guard let life else { return try beDown() }
    if laziness > 0 {
      laziness -= 1
      ledger.causes.formUnion([.store, .busy])
    }
    if report.steps == crowdStep { return try crowd() }
    switch dice.number(0..<100) {
    case 0..<28, 81: try command(one())
    case 28..<31: for _ in 0...dice.number(1...5) { try command(one(alone: false)) }
    case 31..<70: pass(tempo == .seconds ? dice.span(5...20_000) : dice.span(1_000...1_200_000))
    case 70..<74: suspend(tempo == .seconds ? dice.span(100...120_000) : dice.span(1_000...32_400_000))
    case 74..<78: setClock()
    case 78..<80 where !goesAstray: try changeZone()
    // Each start costs as much as a dozen other steps.
    case 80: killIn = dice.number(0...60)
    case 82..<85: if dice.oneIn(6) { stop(life) }
    case 85..<88: changeDisk()
    case 88: life.journalHangs.toggle()
    case 89..<94: changeDesk(life)
    case 94 where disk.health == .sound: laziness = dice.number(1...4)
    case 95, 96: try walkBack()
    case 97 where tempo == .hours: try passDaysOff()
    default:
      guard disk.health == .sound else { return dice.oneIn(3) ? watchRetries() : changeDisk() }
      if dice.oneIn(2) { try lookAtRows() }
    }
  }

  /// Days off, alarms that may name them, and some days of which those are a part.
  private func passDaysOff() throws {
    note("days off")
    try command(changeDaysOff())
    then { [self] in for _ in 0...3 { try command(scheduleRecurring()) } }
    then { [self] in suspend(dice.span(43_200_000...345_600_000)) }
    then { [self] in try lookAtRows() }
  }

  /// More alarms than one read of the head brings are due within some seconds; mostly the next eggd finds them overdue, on
  /// a disk that may take no writes.
  private func crowd() throws {
    note("crowd")
    for _ in 0..<600 { try command(scheduleInCrowd()) }
    then { [self] in
      switch dice.number(0...5) {
      case 0: return
      case 1, 2:
        if dice.oneIn(2), disk.health == .sound { changeDisk() }
        kill("crowd")
      default:
        // Some ring before.
        if dice.oneIn(2) { pass(dice.span(100...9_000)) }
        then { [self] in try walkBack(isCrowd: true) }
      }
    }
  }

  /// A change of all, and walks through undo and redo from there. In it eggd may be killed, may be stopped, or the disk may
  /// get full.
  private func walkBack(isCrowd: Bool = false) throws {
    note("walk")
    let all = Selection(all: true)
    let changes: [() -> Command] = [
      { self.delete(all) }, { self.delete(all) }, { self.mark(done: true, all) },
      { self.mark(done: false, all) },
      { self.move(all) }, { self.deleteGroup() }, { self.importAlarms() },
      { self.dismiss(all, "by command") },
    ]
    let first = changes[dice.number(0..<changes.count)]
    try command(first())
    for _ in 0...dice.number(1...7) {
      then { [self] in
        guard let life, !life.isKilled else { return }
        if dice.oneIn(isCrowd ? 4 : 10) { trouble(life, isCrowd: isCrowd) }
        switch dice.number(0...9) {
        case 0...4: try command(undo())
        case 5...7: try command(undo(redoes: true))
        case 8: try command(changes[dice.number(0..<changes.count)]())
        default: pass(dice.span(1...5_000))
        }
      }
    }
  }

  private func trouble(_ life: Life, isCrowd: Bool) {
    switch dice.number(0...4) {
    case 0, 1: killIn = dice.number(0...(isCrowd ? 300 : 40))
    case 2: then { [self] in if let life = self.life, !life.isKilled { stop(life) } }
    default: changeDisk()
    }
  }

  /// Compares every row, where the disk takes what has to be there.
  private func lookAtRows() throws {
    guard laziness == 0 else { return }
    // What could not be stored is tried again at the latest now.
    pass(.seconds(dice.oneIn(4) ? 61 : 0))
    then { [self] in
      guard let life, !life.isKilled, disk.health == .sound, isSettled else { return }
      try compare()
    }
  }

  /// Time passes, awake.
  func pass(_ span: TimeSpan) {
    note("pass")
    trace("passes \(span.microseconds)")
    let end = clock.read().boot + span.microseconds
    first { try self.pass(until: end) }
  }

  private func pass(until end: Int64) throws {
    let now = clock.read()
    var next = end
    if let life, life.isStarted, let armed = life.armed {
      var wake = now.boot + max((armed - now.wall).microseconds, 0)
      if wake < end, dice.oneIn(40) {
        // The machine is busy.
        wake += dice.span(1...3_000).microseconds
        ledger.causes.insert(.busy)
      }
      next = min(next, wake)
    }
    for timer in [clock.nextTimer, life?.repetitionTimer] {
      if let timer { next = min(next, now.boot + max(timer - now.monotonic, 0)) }
    }
    if next > now.boot { for command in open.values { ledger.changedLate.formUnion(command.numbers) } }
    clock.time.advance(TimeSpan(microseconds: max(next - now.boot, 0)))
    clock.fire()
    if let life, let armed = life.armed, armed <= clock.read().wall { life.wake() }
    if let life, life.isStarted, life.isRepetitionDue { life.insist() }
    if next < end { first { try self.pass(until: end) } }
  }

  private func suspend(_ span: TimeSpan) {
    note("suspend")
    trace("suspended for \(span.microseconds)")
    ledger.causes.insert(.asleep)
    clock.time.suspend(span)
    life?.wake()
  }

  private func setClock() {
    if goesAstray { return goAstray() }
    note("step")
    let now = clock.read()
    let drift = now.bootOffset - (offsets.first ?? 0) - astraySince
    var span = dice.span(1...10_800_000)
    if dice.oneIn(2) { span = .zero - span }
    // Never so far that a recurring alarm would have rung by a wrong clock.
    if abs(drift + span.microseconds) > 36_000_000_000 { span = TimeSpan(microseconds: -drift) }
    // Of several steps that could not be noted one by one, the store knows only the sum.
    if !hasFollowed, span < .seconds(-59) { span = .seconds(-59) }
    trace("clock set by \(span.microseconds)")
    ledger.causes.insert(.clockStep)
    clock.time.step(span)
    offsets.append(clock.read().bootOffset)
    life?.wake()
  }

  private func changeZone() throws {
    guard disk.health == .sound, killIn == nil else { return }
    // What was told before is taken up before.
    laziness = 0
    first { [self] in
      // A disk that takes no writes lets no zone be followed.
      guard let life, !life.isKilled, life.store.condition == .writable else { return }
      note("zone")
      try moveZone()
      ledger.causes.insert(.zoneChange)
      try ledger.zonesChanged(at: clock.read())
      isMovingZone = true
      life.queue.async { life.store.checkZonesSoon() }
      if dice.oneIn(6) { killIn = dice.number(0...30) }
      first { self.isMovingZone = false }
    }
  }

  private func moveZone() throws {
    let name = ZoneFolder.names[dice.number(0...4)]
    if dice.oneIn(3) {
      let other = ZoneFolder.names[dice.number(0...4)]
      trace("\(name) gets the rules of \(other)")
      try folder.update(name, to: other)
    } else {
      trace("the machine moves to \(name)")
      try folder.move(to: name)
    }
  }

  private func changeDisk() {
    disk.health = disk.health == .sound ? (dice.oneIn(3) ? .failing : .full) : .sound
    if disk.health == .sound { soundSince = clock.read().monotonic }
    note("disk")
    trace("the disk is \(disk.health)")
  }

  /// What the disk did not take is tried again after a while, not at once: while no time passes, nothing is.
  private func watchRetries() {
    note("retries")
    let looks = 50
    var failures = 0
    for look in 0...3 * looks {
      then { [self] in
        // What was asked before has had its time.
        if look == 2 * looks { failures = disk.failures }
        guard look == 3 * looks, life != nil, disk.failures - failures > looks / 2 else { return }
        throw Ledger.Violation(text: "the disk takes nothing, and eggd tries again and again")
      }
    }
  }

  private func changeDesk(_ life: Life) {
    note("desk")
    switch dice.number(0...8) {
    case 0, 1:
      desk.change(toPresent: desk.owner == nil || dice.oneIn(2))
      trace("server: \(desk.owner ?? "none")")
      life.signals.append(.owner(desk.owner))
    case 2, 3:
      desk.manner = SimulatedDesk.Manner.allCases[dice.number(0...2)]
      trace("server \(desk.manner)")
    case 4: life.signals += desk.answerLate()
    case 5:
      trace("bus lost")
      life.signals.append(.busLost)
      desk.cut()
      life.signals.append(.owner(desk.owner))
    default:
      guard let bubble = dice.one(of: desk.open.sorted()) else { return }
      let snoozes = dice.oneIn(2)
      trace("the person \(snoozes ? "snoozes" : "closes") bubble \(bubble)")
      life.signals.append(snoozes ? desk.choose("snooze", bubble) : desk.close(bubble))
    }
  }

  /// No eggd runs for a while, in which anything may happen.
  func beDown() throws {
    let last = clock.read()
    let wasNew = zonesAreNew
    trace("is down")
    if dice.oneIn(3) {
      clock.time.suspend(tempo == .seconds ? dice.span(1...60_000) : dice.span(1...21_600_000))
    } else {
      clock.time.advance(dice.span(1...10_000))
    }
    if dice.oneIn(6) { setClock() }
    if disk.health == .sound, !wasNew, !isZoneInDoubt, !goesAstray, dice.oneIn(8) {
      try moveZone()
      zonesAreNew = true
    }
    if dice.oneIn(8) { desk.change(toPresent: dice.oneIn(2)) }
    if disk.health != .sound, isFinal { changeDisk() }
    if !wasNew, !zonesAreNew || disk.health == .sound, dice.oneIn(6) { try reboot(last) }
    if !isZoneInDoubt, dice.oneIn(8) { killIn = dice.number(0...40) }
    first { try self.start() }
  }

  /// The machine was switched off: countdowns go on as far from the wall clock as was last noted.
  private func reboot(_ last: ClockReading) throws {
    note("reboot")
    boots += 1
    trace("boot \(boots)")
    let noted = DatabaseView(state.database)?.boots()[ledger.boot]
    if let noted {
      guard offsets.contains(noted) else {
        throw Ledger.Violation(
          text: "the boot's clock is noted as \(noted) from the wall clock, was \(offsets)")
      }
      ledger.reboot(offset: noted)
    }
    ledger.boot = 0
    clock.time.reboot(wall: clock.read().wall)
    offsets = [clock.read().bootOffset]
    (followed, isFollowDue, astraySince) = (nil, true, 0)
  }

  /// Everything gets well, and then all that was promised has to be there.
  func finish() {
    trace("everything gets well")
    killIn = nil
    laziness = 0
    if isAstray { comeBack() }
    if disk.health != .sound { changeDisk() }
    desk.manner = .answers
    if life == nil { then { try self.beDown() } }
    then { [self] in
      killIn = nil
      life?.journalHangs = false
      desk.change(toPresent: true)
      life?.signals.append(.owner(desk.owner))
    }
    then { self.pass(.seconds(130)) }
    then { self.settle { self.isSettled } }
    // What was shown is noted after what rang.
    then { self.settle { (try? self.checkTold()) != nil } }
    then { [self] in
      guard life != nil else { return }
      guard isSettled else { throw Ledger.Violation(text: "the store does not settle") }
      try compare()
      try checkTold()
    }
  }

  /// Gives the store time for what it does in many steps.
  private func settle(_ turns: Int = 2_000, until isReached: @escaping () -> Bool) {
    guard life != nil, !isReached(), turns > 0 else { return }
    first { self.settle(turns - 1, until: isReached) }
  }

  /// All rings are on disk, and no change is open.
  var isSettled: Bool { open.isEmpty && ledger.alarms.values.allSatisfy { $0.unrecorded.isEmpty } }

  /// Each ring of an alarm that is still there has its entry, and each that nobody has answered its bubble.
  private func checkTold() throws {
    for (entry, life) in mustBeTold {
      let number = entry.number
      guard ledger.alarms[number] != nil, !unbubbled.contains(number) else { continue }
      guard written[entry] != nil || rewritten[number].map({ $0 > life }) ?? false else {
        throw Ledger.Violation(text: "#\(number) rang for \(entry.dueAt.microseconds) and has no entry")
      }
    }
    for ring in view?.ringing() ?? [] where !unbubbled.contains(ring.number) {
      guard ring.isShown else {
        throw Ledger.Violation(text: "#\(ring.number) rings, and no server has shown it")
      }
      guard life?.shownOccurrences.contains(ring.occurrence) != false else {
        throw Ledger.Violation(text: "#\(ring.number) rings, and its bubble is gone")
      }
    }
  }
}
