import Foundation

/// `eggctl list` from the start of its process to its exit, beside `atq`, and remind(1) with as many in a file.
enum Listing {
  @Sendable static func run(_ bench: Workbench, _ report: inout Report) throws {
    let isBesideAt = AtQueue.isMissing == nil
    let isBesideRemind = Command.path("remind") != nil
    for (count, atMost) in [(1_000, 12.0), (10_000, 70.0)] {
      let daemon = try bench.daemon(stored: count)
      defer { daemon.end() }
      var commands: [(name: String, words: [String], atMost: Double?)] = [
        ("eggctl list", [bench.eggctl, "list"], nil)
      ]
      if isBesideAt {
        try AtQueue.make(count)
        commands.append(("atq", ["atq"], 1))
      }
      if isBesideRemind {
        let file = "\(bench.disk)/reminders"
        try Data(reminders(count).utf8).write(to: URL(filePath: file))
        commands.append(("remind -n", ["remind", "-n", file], nil))
      }
      var spans = [[Int64]](repeating: [], count: commands.count)
      for round in -1..<10 {
        for (index, command) in commands.enumerated() {
          let span = try Command.time(command.words, environment: daemon.environment)
          if round >= 0 { spans[index].append(span) }
        }
      }
      AtQueue.removeAll()
      let others = zip(commands, spans).dropFirst().map { command, spans in
        Row.Beside(name: command.name, sample: .milliseconds(spans), atMost: command.atMost)
      }
      report.rows.append(
        Row(
          "eggctl list of \(Double(count).grouped)", .milliseconds(spans[0]), "ms", atMost: atMost,
          beside: others))
    }
    if let reason = AtQueue.isMissing { report.missing.append("atq: \(reason)") }
    if !isBesideRemind { report.missing.append("remind: not installed") }
  }

  /// A month ahead, as remind(1) reads them.
  private static func reminders(_ count: Int) -> String {
    var moment = time(nil) + 30 * 86_400
    var civil = tm()
    localtime_r(&moment, &civil)
    let day = String(format: "%d-%02d-%02d", civil.tm_year + 1_900, civil.tm_mon + 1, civil.tm_mday)
    return (1...count).map { "REM \(day) AT 07:30 MSG alarm \($0)\n" }.joined()
  }
}
