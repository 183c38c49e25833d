import EggProtocol
import EggTime
import Glibc

/// What a verb finds around it: the environment, the terminal, the time, and where eggd listens.
///
/// Verbs read none of these by themselves, so that tests of them can run side by side.
struct Surroundings {
  /// Environment variables by name; an empty one counts as unset.
  var variable: (String) -> String?
  /// The caller.
  var userID: uid_t
  /// Where everything that a verb says goes.
  var output: Output
  /// Shows a question and gives the line that was typed, nil at its end; nil where nobody can be asked.
  var ask: ((String) -> String?)?
  /// The zone whose clock the caller goes by.
  var localZone: () throws(ZoneError) -> Zone
  /// The wall clock.
  var now: () -> Instant
  /// How long eggd's answer may take, by the number of alarms that it changes for it.
  var patience: (Int64) -> Duration = Surroundings.patience(alarms:)
  /// The descriptor on which somebody reads the data, where it can be noticed that they have gone.
  var reader: Int32?
  /// Replaces the process by a program that is searched for in PATH; returns only where that failed.
  var become: ([String]) -> Failure
  /// Runs a program that is searched for in PATH, and gives each line that it prints; `pause` is called when no further
  /// one is there yet. Returns its exit status.
  var lines: ([String], _ each: ([UInt8]) throws -> Void, _ pause: () throws -> Void) throws -> Int32 = {
    try ProgramLines.read($0, reader: 1, each: $1, pause: $2)
  }
  /// The terminal as a screen; nil where standard output is none.
  var screen: () -> WatchScreen? = { nil }
  /// Cells of a line of the terminal; nil where standard output is none.
  var terminalWidth: () -> Int? = { nil }
  /// Whether a word of the command line is no UTF-8; Swift shows its bytes as U+FFFD.
  var hasBrokenWords = false
  /// What the service manager says of eggd.service; nil where nobody is to be asked.
  var unit: (() -> UnitState?)?
}

extension Surroundings {
  /// Those of this process.
  static var process: Surroundings {
    let variable: (String) -> String? = { name in
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    let isTerminal = isatty(0) == 1 && isatty(2) == 1
    let ask: ((String) -> String?)? = isTerminal ? { Self.typed($0) } : nil
    return Surroundings(
      variable: variable, userID: getuid(), output: .standard(variable: variable),
      ask: ask, localZone: { () throws(ZoneError) in try Zone.machine() }, now: wallClock, reader: 1,
      become: exec, screen: { WatchScreen.ofProcess(variable: variable) }, terminalWidth: terminalWidth,
      hasBrokenWords: hasBrokenWords, unit: { unitState(variable) })
  }

  /// Cells that a line may take: COLUMNS, as other programs take it, else the terminal's; nil for any number.
  var lineWidth: Int? {
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return terminalWidth()
  }

  private static func terminalWidth() -> Int? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private static var hasBrokenWords: Bool {
    (0..<Int(CommandLine.argc)).contains { index in
      CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
    }
  }

  /// Longer than a stalled disk holds up a commit, and a millisecond for each alarm.
  private static func patience(alarms: Int64) -> Duration { .seconds(60) + .milliseconds(alarms) }

  private static func unitState(_ variable: (String) -> String?) -> UnitState? {
    let environment = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"].compactMap { name in
      variable(name).map { "\(name)=\($0)" }
    }
    let words =
      ["systemctl", "--user", "show", "eggd.service"] + UnitState.properties.flatMap { ["-p", $0] }
    return ProgramOutput.read(words, environment: environment, within: .milliseconds(500))
      .flatMap(UnitState.init(reading:))
  }

  /// Has a connection notice, before its first reply, that eggd cannot start.
  func watchUnit(_ client: ScheduleClient) {
    guard let unit else { return }
    let watch = UnitWatch(unit)
    client.connection.whileSilent = (UnitWatch.looks, watch.goesOn)
  }

  private static func typed(_ question: String) -> String? {
    var question = question
    question.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    let line = readLine()
    if line == nil { _ = write(2, "\n", 1) }
    return line
  }

  private static func wallClock() -> Instant {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Instant(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
  }

  private static func exec(_ words: [String]) -> Failure {
    guard let program = words.first else { return Failure(.bug, "no program was named") }
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    execvp(program, arguments)
    let reason = errno == ENOENT ? "it is not installed" : String(cString: strerror(errno))
    for argument in arguments { free(argument) }
    return Failure(.unavailable, "cannot run \(program): \(reason)")
  }
}
