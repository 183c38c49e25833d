import EggProtocol
import EggTestSupport
import Glibc
import Testing

/// The real eggd with directories of its own, without bus and journald: what it would tell the journal is on
/// its standard error.
final class PrivateDaemon {
  private let place: TemporaryDirectory
  /// Of the daemon and of eggctl.
  let environment: [String: String]
  private(set) var process: ChildProcess

  var directory: String { place.path }
  var runtime: String { directory + "/run" }
  var socket: String { runtime + "/eggd/eggd.sock" }
  var stateDirectory: String { directory + "/state/eggd" }
  var database: String { stateDirectory + "/schedule.db" }

  /// Starts one and waits until it answers.
  init() throws {
    place = try TemporaryDirectory()
    let directory = place.path
    for name in ["home", "run", "state"] { mkdir("\(directory)/\(name)", 0o700) }
    environment = [
      "PATH": inherited("PATH") ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": directory + "/home",
      "XDG_RUNTIME_DIR": directory + "/run", "XDG_STATE_HOME": directory + "/state",
      // Named, a sound server is not started by its clients.
      "PULSE_SERVER": "unix:\(directory)/run/pulse/native",
    ]
    process = try Self.spawn(environment)
    try waitUntilReady()
  }

  deinit {
    process.signal(SIGKILL)
    _ = process.waitForEnd()
  }

  /// The next eggd on the same directories. Does not wait until it answers.
  func launch() throws { process = try Self.spawn(environment) }

  /// The next eggd on the same directories, once it answers.
  func restart() throws {
    try launch()
    try waitUntilReady()
  }

  private static func spawn(_ environment: [String: String]) throws -> ChildProcess {
    try ChildProcess([Product.testbed("without-journald"), Product.eggd], environment: environment)
  }

  func waitUntilReady() throws {
    let ready: Bool? = eventually {
      guard process.isRunning, let client = try? client() else { return process.isRunning ? nil : false }
      return (try? client.call(StatusCall(), timeout: patience)) != nil ? true : nil
    }
    try #require(ready == true, "eggd does not answer: \(process.errors.map(\.text))")
  }

  /// SIGKILL, and gone.
  func kill() throws {
    process.signal(SIGKILL)
    try #require(process.waitForEnd() == 128 + SIGKILL)
  }

  /// A connection of its own.
  func client() throws -> ScheduleClient { try ScheduleClient(path: socket) }

  /// Runs eggctl to its end.
  func eggctl(_ arguments: String...) throws -> Finished {
    try Finished.run([Product.eggctl] + arguments, environment: environment)
  }
}

/// What a process left.
struct Finished {
  var status: Int32
  var output: String
  var errors: String

  /// Runs it to its end; a process that does not end is a failure.
  static func run(
    _ arguments: [String], environment: [String: String], within limit: Duration = patience
  ) throws -> Finished {
    let process = try ChildProcess(arguments, environment: environment)
    let status = try #require(process.waitForEnd(within: limit), "\(arguments) does not end")
    return Finished(
      status: status, output: process.output.map { $0.text + "\n" }.joined(),
      errors: process.errors.map { $0.text + "\n" }.joined())
  }
}
