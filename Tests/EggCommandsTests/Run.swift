import EggTestSupport
import EggTime
import Glibc

@testable import EggCommands

/// A run of eggctl in the test's process, without its environment or terminal.
///
/// It is 2026-11-20 21:34:30 UTC; the caller's zone is UTC.
struct Run: Equatable {
  var status: EggCommands.ExitStatus
  var output: String
  var messages: String

  static let now = Instant(microseconds: 1_795_210_470_000_000)

  /// Runs the words with a scripted daemon; `disagrees`: of another version.
  static func eggctl(
    _ words: String..., answers: [ScriptedDaemon.Answer] = [], disagrees: Bool = false,
    typed: [String]? = nil, colours: Bool = false, patience: ((Int64) -> Duration)? = nil,
    terminal: Output.Channel? = nil, columns: Int? = nil,
    answering: (@Sendable (String) -> ScriptedDaemon.Answer)? = nil
  ) throws -> (run: Run, calls: [String]) {
    let daemon = try ScriptedDaemon(answers, disagrees: disagrees, answering: answering)
    defer { daemon.end() }
    var variables = ["XDG_RUNTIME_DIR": daemon.directory]
    if let columns { variables["COLUMNS"] = "\(columns)" }
    let run = run(
      words, variables: variables, typed: typed, colours: colours,
      patience: patience, terminal: terminal)
    return (run, daemon.calls)
  }

  /// Runs the words without a daemon.
  static func alone(_ words: String..., typed: [String]? = nil) -> Run {
    run(words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"], typed: typed)
  }

  /// Runs the words. `typed` is what the person types at questions, nil where there is no terminal; `printing` is what a
  /// program that is run prints, and its exit status.
  static func run(
    _ words: [String], variables: [String: String], typed: [String]? = nil, colours: Bool = false,
    userID: uid_t = getuid(), patience: ((Int64) -> Duration)? = nil, unit: (() -> UnitState?)? = nil,
    terminal: Output.Channel? = nil, height: Int? = nil,
    become: @escaping ([String]) -> Failure = { Failure(.unavailable, "ran \($0.joined(separator: " "))") },
    printing: (([String]) throws -> (lines: [String], status: Int32))? = nil, dates: DateStyle? = nil,
    machine: @escaping ([String]) -> String? = { _ in nil }
  ) -> Run {
    var run = Run(status: .success, output: "", messages: "")
    let written = Written()
    let output = Output(colours: (colours, colours), terminal: terminal) { channel, text in
      switch channel {
      case .data: written.data += text
      case .messages: written.messages += text
      }
    }
    var lines = (typed ?? [])[...]
    var surroundings = Surroundings(
      variable: { variables[$0] }, userID: userID, output: output,
      ask: typed == nil
        ? nil
        : { question in
          written.messages += question
          return lines.popFirst()
        },
      localZone: { () throws(ZoneError) in .utc }, now: { now }, become: become)
    if let patience { surroundings.patience = patience }
    surroundings.terminalHeight = { height }
    if let dates { surroundings.dates = dates }
    surroundings.glance = patience.map { $0(0) } ?? EggTestSupport.patience
    surroundings.unit = unit
    surroundings.answer = machine
    if let printing {
      surroundings.lines = { words, each, pause in
        let (lines, status) = try printing(words)
        for line in lines { try each(Array(line.utf8)) }
        try pause()
        return status
      }
    }
    run.status = Eggctl.run(words, in: surroundings)
    (run.output, run.messages) = (written.data, written.messages)
    return run
  }

  private final class Written {
    var data = ""
    var messages = ""
  }
}

extension Surroundings {
  /// Those of a run that only prints, to an eggd below that runtime directory.
  static func test(output: Output, directory: String) -> Surroundings {
    Surroundings(
      variable: { $0 == "XDG_RUNTIME_DIR" ? directory : nil }, userID: getuid(), output: output,
      localZone: { () throws(ZoneError) in .utc }, now: { Run.now },
      become: { _ in Failure(.bug, "nothing is run") }, looks: [])
  }
}

extension Run {
  /// The messages of ``alone(_:typed:)``, where no socket exists.
  static let unreachable = Run.failed(
    .unavailable,
    """
    eggctl: error: eggd is not running, or uses another XDG_RUNTIME_DIR: there is no /nonexistent/eggd/eggd.sock
    eggctl: hint: systemctl --user enable --now eggd.socket

    """)

  /// Success with exactly this output.
  static func said(_ output: String) -> Run { Run(status: .success, output: output, messages: "") }

  /// Failure with this status and exactly these messages.
  static func failed(_ status: EggCommands.ExitStatus, _ messages: String) -> Run {
    Run(status: status, output: "", messages: messages)
  }
}
