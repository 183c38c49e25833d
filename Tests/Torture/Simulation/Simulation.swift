import Alarms
import Dispatch
import EggDaemon
import EggTestSupport
import EggTime
import Ringing
import Foundation
import GRDBSQLite

/// One run: eggds one after the other on the same files, on a machine to which everything happens, beside an oracle.
///
/// All of it happens on one queue at a time: that of the store that runs, or between two of them `driver`. The run goes
/// on in turns, between which the store does what it was asked for.
final class Simulation: @unchecked Sendable {
  /// How a run went.
  struct Report {
    var violation: String?
    var trace: [String] = []
    var steps = 0
    var counts = Ledger.Counts()
    var crashes: [String: Int] = [:]
    var events: [String: Int] = [:]
  }

  let seed: UInt64
  let clock: SimulatedClock
  let disk = SimulatedDisk()
  let desk = SimulatedDesk()
  let folder: ZoneFolder
  let ledger: Ledger
  let isTraced: Bool
  private let driver = DispatchQueue(label: "driver")
  private let done = DispatchSemaphore(value: 0)
  private let stepsToDo: Int

  var dice: Dice
  var tempo: Tempo
  var report = Report()
  var life: Life?
  var view: DatabaseView?
  var state: StateFolder
  private var agenda: [() throws -> Void] = []
  /// The queue is as often at others before the run goes on: so many things can follow each other on it.
  private static let turns = 16
  /// Of these are left.
  private var rest = 0
  private var isWaiting = false
  private var isOver = false
  /// Steps in which nothing is taken up that was told.
  var laziness = 0
  var boots = 1
  /// How far the wall clock is from this boot's clock, as far as the database may know.
  var offsets: [Int64]
  /// Of these the ledger knows what followed; nil: of none in this boot.
  var followed: Int64?
  /// This boot has begun, and what was made by a wrong clock before it may still have to follow.
  var isFollowDue = false
  /// The clock of this machine is ahead for a while. It is set in no other way, and no zone changes.
  let goesAstray: Bool
  /// By how much the clock was set ahead for a while.
  var astray = TimeSpan.zero
  var isAstray: Bool { astray > .zero }
  /// The part of it that came in this boot, µs: what ``offsets`` begins with has the rest.
  var astraySince: Int64 = 0
  /// Before time passed in a transaction.
  var beforeWriting: ClockReading?
  /// Points and writes before eggd is killed; nil: it is not.
  var killIn: Int?
  /// In which step very many are scheduled; nil: in none.
  let crowdStep: Int?
  var isOpening = false
  var wasKilledOpening = false
  /// What eggd was asked and has not answered.
  var open: [Int: Command] = [:]
  /// Of these a change was open when eggd was killed.
  var doubtful: Set<Int64> = []
  var commands = 0
  var lives = 0
  var zonesAreNew = false
  /// The store is at it.
  var isMovingZone = false
  /// It was, when it was killed: nobody knows which alarms have followed. What has no elapse in the next zone stays where
  /// it is.
  var isZoneInDoubt = false
  var undoSteps: [Int64: UndoStepCopy] = [:]
  /// The entries of a moment, and in which life the last was written.
  var written: [Life.WrittenEntry: (life: Int, count: Int)] = [:]
  /// How often an alarm rang for one moment: again where it was given that moment anew.
  var rung: [Life.WrittenEntry: Int] = [:]
  /// Since when the disk takes writes; CLOCK_MONOTONIC, µs.
  var soundSince: Int64 = 0
  var unclean: Set<Int> = []
  /// In which life an entry of that alarm was last written because one before it had not.
  var rewritten: [Int64: Int] = [:]
  /// Rings that are on disk, and in which life they rang.
  var mustBeTold: [Life.WrittenEntry: Int] = [:]
  /// Alarms that an undo has touched: it lets no bubble appear.
  var unbubbled: Set<Int64> = []
  var seen = SeenDesk()
  /// What undo and redo have to take, in which order.
  var undoOrder = UndoOrder()
  var isFinal = false
  var resumed: [(Notice, @Sendable (Instant) -> Void)] = []

  /// How fast things happen.
  enum Tempo: CaseIterable {
    case seconds
    case hours
  }

  init(seed: UInt64, steps: Int, base: String, template: String?, isTraced: Bool) throws {
    self.seed = seed
    self.isTraced = isTraced
    stepsToDo = steps
    dice = Dice(seed: seed)
    Determinism.random = SeededGenerator(seed: seed ^ 0x5eed)
    // Summer time begins and ends in some of these.
    let starts = ["2026-11-20 21:34:30", "2027-03-28 00:30:00", "2026-10-25 00:40:00", "2027-03-14 06:30:00"]
    let start = CivilDateTime(starts[dice.number(0...3)]).map { Zone.utc.resolve($0).instant }
    clock = SimulatedClock(wall: start ?? Instant(microseconds: 1_795_210_470_000_000))
    tempo = dice.oneIn(2) ? .seconds : .hours
    goesAstray = dice.oneIn(4)
    crowdStep = dice.oneIn(12) ? dice.number(10...100) : nil
    state = StateFolder(below: base + "/state")
    state.makeFirst()
    if let template, !dice.oneIn(20) { StateFolder.copy(template, to: state.database) }
    folder = try ZoneFolder(ZoneFolder.names[dice.number(0...4)], in: URL(filePath: base))
    ledger = Ledger(try OracleZones(folder.source))
    offsets = [clock.read().bootOffset]
    if !dice.oneIn(3) { desk.change(toPresent: true) }
    if isTraced { desk.trace = { [unowned self] text in trace(text) } }
  }

  func run() -> Report {
    SimulatedDisk.current = disk
    disk.onWrite = { [unowned self] in wrote($0, $1, $2) }
    agenda = [start]
    driver.async { self.tick() }
    done.wait()
    SimulatedDisk.current = nil
    state.removeAll()
    try? FileManager.default.removeItem(at: folder.root)
    report.counts = ledger.counts
    return report
  }

  func trace(_ text: @autoclosure () -> String) {
    guard isTraced else { return }
    let now = clock.read()
    report.trace.append("\(report.steps) \(now.wall.microseconds) \(text())")
  }

  func note(_ event: String) { report.events[event, default: 0] += 1 }

  func violate(_ error: any Error) {
    guard report.violation == nil else { return }
    report.violation = (error as? Ledger.Violation)?.text ?? "\(error)"
    trace("VIOLATION \(report.violation ?? "")")
    guard isTraced, let rows = view?.rows() else { return }
    for row in rows.values.sorted(by: { $0.number < $1.number }) { trace("the database has \(row)") }
    trace("the database has days off \(String(describing: view?.daysOff())), expected \(ledger.daysOff)")
  }

  /// Puts something before all else that is to be done.
  func first(_ action: @escaping () throws -> Void) { agenda.insert(action, at: 0) }

  func then(_ action: @escaping () throws -> Void) { agenda.append(action) }

  /// Goes on when ``goOn(_:)`` is called.
  func wait() { isWaiting = true }

  func goOn(_ queue: DispatchQueue, _ action: @escaping @Sendable () throws -> Void) {
    queue.async {
      self.isWaiting = false
      self.attempt(action)
      self.rest = Self.turns
      self.again()
    }
  }

  private func again() { (life?.queue ?? driver).async { self.tick() } }

  private func attempt(_ action: () throws -> Void) {
    do { try action() } catch { violate(error) }
  }

  private func tick() {
    if rest > 0 {
      rest -= 1
      return again()
    }
    if let life, life.isKilled {
      agenda = []
      return bury(life)
    }
    if report.violation != nil {
      if let life {
        life.isKilled = true
        killIn = nil
        state.leave()
        return again()
      }
      done.signal()
      return
    }
    rest = Self.turns
    attempt { try turn() }
    if isOver {
      done.signal()
      return
    }
    if !isWaiting { again() }
  }

  private func turn() throws {
    if try digest() { return }
    if !agenda.isEmpty {
      let action = agenda.removeFirst()
      return try action()
    }
    if report.steps < stepsToDo {
      report.steps += 1
      return try step()
    }
    if !isFinal {
      isFinal = true
      return finish()
    }
    if let life { return stop(life) }
    isOver = true
  }

  /// Takes up what was told, until there is nothing; then looks whether all that had to has rung.
  private func digest() throws -> Bool {
    followClock()
    beforeWriting = nil
    guard let life, life.isStarted, !isMovingZone, laziness == 0 || isFinal else { return false }
    if !life.news.isEmpty || !life.signals.isEmpty || (life.hasEntries && !life.journalHangs) {
      life.takeNews()
      life.takeSignals()
      life.writeEntries()
      return true
    }
    if let armed = life.armed, armed <= clock.read().wall {
      life.wake()
      return true
    }
    if life.isRepetitionDue {
      life.insist()
      return true
    }
    if life.isQuiet, !life.isKilled {
      try ledger.checkNothingIsDue(clock.read(), isMaking: !open.isEmpty)
      try checkDesk(life)
    }
    return false
  }
}

extension Simulation {
  /// What lasts longer than the store: the run ends when no eggd is left.
  private func bury(_ dead: Life) {
    killIn = nil
    isMovingZone = false
    view = nil
    ledger.killed()
    undoOrder.killed(amid: open.values)
    for command in open.values {
      doubtful.formUnion(command.numbers)
      if command.reachesNew { doubtful.formUnion(ledger.alarms.keys.filter { $0 > command.newest }) }
      if command.mayBringBack { doubtful.formUnion(ledger.deleted) }
      ledger.isPossibleChanged = ledger.isPossibleChanged || command.reachesNew
      ledger.daysOffAreDoubtful = ledger.daysOffAreDoubtful || command.changesDaysOff
      ledger.possible.merge(command.new) { $1 }
    }
    open = [:]
    unclean.insert(lives)
    desk.forgetCalls()
    close(dead)
    if report.violation == nil { then { try self.beDown() } }
  }

  /// Lets go of the files of an eggd that is over; what it does to them by that is not seen by the next.
  private func close(_ dead: Life) {
    let queue = dead.queue
    wait()
    life = nil
    dead.store.close { [driver, self] in
      driver.async {
        _ = dead
        // The last reference goes with the block that runs now.
        queue.async {
          driver.async {
            self.clock.forget()
            self.state.removeOld()
            self.isWaiting = false
            self.rest = 0
            self.tick()
          }
        }
      }
    }
  }

  /// eggd ends as it does on SIGTERM.
  func stop(_ life: Life) {
    trace("stops")
    note("stop")
    life.writeEntries()
    guard !life.isKilled else { return }
    if disk.health != .sound || life.hasEntries || killIn != nil { unclean.insert(lives) }
    killIn = nil
    life.isStopping = true
    desk.forgetCalls()
    wait()
    let queue = life.queue
    life.store.close { [self] in
      queue.async { [self] in
        life.isKilled = true
        view = nil
        ledger.killed()
        undoOrder.killed(amid: open.values)
        open = [:]
        state.leave()
        self.life = nil
        driver.async { [self] in
          clock.forget()
          state.removeOld()
          isWaiting = false
          if !isFinal { then { try self.beDown() } }
          rest = 0
          tick()
        }
      }
    }
  }
}
