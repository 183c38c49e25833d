import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

/// A verb's surroundings: the environment, the terminal, the time, and eggd's socket.
///
/// Verbs read none of these directly, so that their tests can run in parallel.
struct Surroundings {
  /// Environment variables by name; an empty one counts as unset.
  var variable: (String) -> String?
  var userID: uid_t
  /// The verb's command line without eggctl and `-H`.
  var typed: [String] = []
  var output: Output
  /// Asks a question and returns the entered line, nil at the end of input; nil if nobody can be asked.
  var ask: ((String) -> String?)?
  var localZone: () throws(ZoneError) -> Zone
  var now: () -> Instant
  /// How long eggd may take to answer a call that changes this many alarms: longer than a stalled disk delays a commit,
  /// plus a millisecond for each.
  var patience: (Int64) -> Duration = { .seconds(60) + .milliseconds($0) }
  /// How long completion waits for eggd; a longer pause would be noticed.
  var glance: Duration = .milliseconds(150)
  /// The descriptor of the data's reader, if it can be seen to go.
  var reader: Int32?
  /// Replaces the process with a program from PATH; returns only if that fails.
  var become: ([String]) -> Failure
  /// Runs a program from PATH and passes on each line that it prints; calls `pause` when no further line has
  /// arrived. Returns the exit status.
  var lines: ([String], _ each: ([UInt8]) throws -> Void, _ pause: () throws -> Void) throws -> Int32 = {
    try ProgramLines.read($0, reader: 1, each: $1, pause: $2)
  }
  /// The terminal as a screen; nil if standard output is no terminal.
  var screen: () -> WatchScreen? = { nil }
  /// Cells of a terminal line; nil if standard output is no terminal.
  var terminalWidth: () -> Int? = { nil }
  /// Lines of the terminal; nil if standard output is no terminal.
  var terminalHeight: () -> Int? = { nil }
  /// Whether a word of the command line is not UTF-8; Swift shows such bytes as U+FFFD.
  var hasBrokenWords = false
  /// The service manager's answer about eggd.service; nil if it is not asked.
  var unit: (() -> UnitState?)?
  /// What a program from PATH prints; nil if it fails, or is not asked.
  var answer: ([String]) -> String? = { _ in nil }
  /// When ``unit`` is asked while a reply is awaited.
  var looks = UnitWatch.looks
  /// The other machine whose eggd is asked; nil for this one.
  var host: RemoteHost?
  /// How moments are shown, and days without a time of day are read.
  var dates = DateStyle()
  /// Whether the verb's answer is likely to show moments.
  var showsMoments = false
}

extension Surroundings {
  static var process: Surroundings {
    let variable: (String) -> String? = { name in
      guard let value = getenv(name), value.pointee != 0 else { return nil }
      return String(cString: value)
    }
    let isTerminal = isatty(0) == 1 && isatty(2) == 1
    let ask: ((String) -> String?)? = isTerminal ? { Self.typed($0) } : nil
    var surroundings = Surroundings(
      variable: variable, userID: getuid(), output: .standard(variable: variable),
      ask: ask, localZone: { () throws(ZoneError) in try Zone.machine() }, now: SystemClock.now, reader: 1,
      become: exec, screen: { WatchScreen(ofProcess: variable) },
      terminalWidth: { terminalSize()?.columns },
      terminalHeight: { terminalSize()?.rows }, hasBrokenWords: hasBrokenWords, unit: { unitState(variable) })
    surroundings.answer = { answer($0, variable) }
    surroundings.dates = DateStyle { [surroundings] in surroundings.configuration() }
    return surroundings
  }

  /// Cells of an output line: COLUMNS, else the terminal's; nil for any length.
  var lineWidth: Int? {
    if let columns = variable("COLUMNS").flatMap({ Int($0) }), columns > 0 { return columns }
    return terminalWidth()
  }

  private static func terminalSize() -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard isatty(1) == 1, ioctl(1, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  private static var hasBrokenWords: Bool {
    (0..<Int(CommandLine.argc)).contains { index in
      CommandLine.unsafeArgv[index].map { String(validatingCString: $0) == nil } ?? false
    }
  }

  private static func answer(_ words: [String], _ variable: (String) -> String?) -> String? {
    let names = ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "PULSE_SERVER", "HOME"]
    let environment = names.compactMap { name in variable(name).map { "\(name)=\($0)" } } + ["LC_ALL=C"]
    return ProgramOutput.read(words, environment: environment, within: .milliseconds(500))
  }

  private static func unitState(_ variable: (String) -> String?) -> UnitState? {
    let words =
      ["systemctl", "--user", "show"] + UnitState.units + UnitState.properties.flatMap { ["-p", $0] }
    return answer(words, variable).flatMap(UnitState.init(reading:))
  }

  /// Ends a long wait for the next reply if the unit cannot start. `says` shows on a terminal what it waits for.
  func watchUnit(_ client: ScheduleClient, says: Bool = false) {
    let watch = unit.map { UnitWatch($0) }
    client.connection.whileSilent = (
      looks,
      { [output] in
        if says, !output.progressIsShown { try? output.progress(tr("waiting for eggd ...")) }
        return watch?.goesOn() ?? true
      }
    )
  }

  private static func typed(_ question: String) -> String? {
    var question = question
    question.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
    let line = readLine()
    if line == nil { _ = write(2, "\n", 1) }
    return line
  }

  private static func exec(_ words: [String]) -> Failure {
    var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) }
    arguments.append(nil)
    execvp(words[0], arguments)
    let code = errno
    for argument in arguments { free(argument) }
    return .cannotRun(words[0], code)
  }

  func result(of words: [String]) throws -> (code: Int32, output: [String]) {
    var output: [String] = []
    let code = try lines(words, { output.append(String(decoding: $0, as: UTF8.self)) }, {})
    return (code, output)
  }
}
