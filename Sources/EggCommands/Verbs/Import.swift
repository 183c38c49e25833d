import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct Import: Verb {
  static let configuration = CommandConfiguration(
    "import", tr("Add the alarms of a file, all or none."),
    discussion: """
      eggctl import eggs.jsonl
      eggctl import holidays.ics --group holidays
      eggctl export | ssh kitchen eggctl import -
      eggctl import eggs.jsonl --skip-bad
      eggctl import work.ics --skip-bad --json | jq .skipped

      A file is an export of eggctl, or iCalendar (RFC 5545). Alarms keep their
      numbers if these are free. Alarms whose UUID or UID is in the list are skipped.
      Importing never makes an alarm ring: past ones are missed; and it never brings
      a command to run. If a line cannot be imported, nothing is, unless --skip-bad
      is given.
      """)

  @Argument(help: ArgumentHelp("The file; - for standard input.", valueName: "file"), completion: .file())
  var file: String
  @Option(help: "jsonl or ics; by default recognised from the file.") var format: ExchangeFormat?
  @Option(
    help: ArgumentHelp(
      "The group for all of them; created if it does not exist.", valueName: "name"),
    completion: .values(.groups))
  var group: String?
  @Flag(help: "Skip and name lines that cannot be imported.") var skipBad = false
  @Flag(name: .long, help: "Print the answer as one JSON document.") var json = false

  func run(in surroundings: Surroundings) throws {
    let text = try ImportedText(file: file)
    let items = try ImportedItems(text, format: format, in: surroundings)
    let connection = try Connection(surroundings)
    var staging = Staging(connection, surroundings.output, group: group)
    var notes = Notes()
    try items.each { item in
      switch item {
      case .alarm(let alarm, let line):
        try staging.add(alarm, line: line)
        let manner = alarm.alarm.manner
        for (option, command) in [("--run", manner.run), ("--run-unanswered", manner.runUnanswered)]
        where command != nil {
          notes.add(
            tr("its command is left out, as always: eggctl edit NUMBER \(option) adds one"),
            of: tr("line \(line)"))
        }
      case .group(let group): try staging.add(group)
      case .daysOff(let days): try staging.add(days)
      case .problem(let problem): try staging.refuse(problem)
      case .note(let note, let line): notes.add(note, of: tr("line \(line)"))
      }
    }
    try staging.finish()
    try tell(staging.problems, surroundings.output)
    let reply = try connection.call(CommitImportCall(), alarms: staging.staged)
    // What is in the list already stays as it is.
    if reply.count > 0 { try notes.tell(surroundings.output) }
    if json {
      let skipped = staging.problems.map { Answer.Skipped(line: $0.line, reason: $0.text) }
      let answer = Answer(reply: reply, skipped: skipBad ? skipped : nil)
      return try surroundings.output.data(JSON.text(answer) + "\n")
    }
    try surroundings.output.data(Self.text(reply))
  }

  /// The reply, and what --skip-bad left out.
  private struct Answer: Encodable {
    struct Skipped: Encodable {
      let line: Int
      let reason: String
    }

    @Inlined var reply: CommitImportReply
    var skipped: [Skipped]?
  }

  /// Reports what cannot be imported. Throws unless that is to be skipped.
  private func tell(_ problems: [ImportProblem], _ output: Output) throws {
    guard !problems.isEmpty else { return }
    output.endProgress()
    try output.notes(problems.map { tr("line \($0.line): cannot be imported: \($0.text)") })
    guard !skipBad else { return }
    throw Failure(
      .usage,
      tr(
        one: "nothing was imported: 1 entry cannot be imported",
        many: "nothing was imported: \(problems.count) entries cannot be imported",
        count: Int64(problems.count)),
      hint: "eggctl import \(file.shellQuoted) --skip-bad")
  }

  private static func text(_ reply: CommitImportReply) -> String {
    var parts = [tr("imported \(Counted.alarms(reply.count))")]
    if reply.existed > 0 { parts.append(tr("\(reply.existed) already there")) }
    if reply.missed > 0 { parts.append(tr("\(reply.missed) already past, so missed")) }
    return parts.joined(separator: " · ") + "\n"
  }
}
