import EggTestSupport
import Glibc

/// Everything that a benchmark works with, made once for a run.
final class Workbench {
  /// Where the release binaries are.
  let binaries: String
  /// On the disk that is measured.
  let disk: String
  let repository: String
  let journal: JournalReceiver
  let bus: PrivateBus
  let notifications: BusReceiver
  /// The python that has APScheduler.
  let python: String?
  /// What the drawing of `scale` is to replace.
  let figure: String?
  /// The most alarms that `scale` stores, if more than usual.
  let largest: Int?
  private var states = 0
  private var stored: [Int: String] = [:]

  init(repository: String, disk: String, python: String?, figure: String?, largest: Int?) throws {
    (self.repository, self.disk, self.python) = (repository, disk, python)
    (self.figure, self.largest) = (figure, largest)
    binaries = "\(repository)/.build/release"
    journal = try JournalReceiver(path: "/run/systemd/journal/socket")
    guard Command.path("dbus-daemon") != nil else { throw BenchFailure("dbus-daemon is not installed") }
    bus = try PrivateBus()
    Leftovers.include(bus.directory.path)
    try bus.start()
    notifications = try BusReceiver(address: bus.address)
  }

  var eggd: String { "\(binaries)/eggd" }
  var eggctl: String { "\(binaries)/eggctl" }

  /// An eggd on the private bus, with a schedule of its own that is empty, or with so many alarms in it.
  func daemon(stored rows: Int = 0) throws -> Daemon {
    try daemon(state: rows == 0 ? newState() : state(of: rows))
  }

  /// The next one on the same schedule.
  func daemon(state: String) throws -> Daemon {
    // One bus, one runtime directory: its socket of an eggd before it is gone when that has ended.
    try Daemon(program: eggd, runtime: bus.directory.path, state: state)
  }

  /// One with directories of its own, so that several can run; without a bus, or on the same one.
  func daemonAside(state: String, onBus: Bool = false) throws -> Daemon {
    let runtime = "\(bus.directory.path)/\(states)"
    states += 1
    mkdir(runtime, 0o700)
    if onBus { symlink("\(bus.directory.path)/bus", "\(runtime)/bus") }
    return try Daemon(program: eggd, runtime: runtime, state: state)
  }

  /// What rang until now is not counted.
  func forgetRings() {
    _ = journal.takeAll()
    _ = try? notifications.take(0)
  }

  /// A directory for a schedule.
  func newState() -> String {
    states += 1
    return "\(disk)/state-\(states)"
  }

  /// A schedule of so many alarms, all of them days ahead; stored by SQLite itself, once in a run.
  func state(of rows: Int) throws -> String {
    if let state = stored[rows] { return state }
    let state = newState()
    try daemonAside(state: state).end()
    if rows > 0 { try PreparedSchedule.fill("\(state)/eggd/schedule.db", rows: rows) }
    // the first start after that is not the one that is measured
    try daemonAside(state: state).end()
    stored[rows] = state
    return state
  }

  /// A schedule of so many alarms that have rung and that nobody answered.
  func unanswered(_ rows: Int) throws -> String {
    let state = newState()
    try daemonAside(state: state).end()
    try PreparedSchedule.fillWithRings("\(state)/eggd/schedule.db", rows: rows)
    try daemonAside(state: state).end()
    return state
  }
}
