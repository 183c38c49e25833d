import ArgumentParser
import EggProtocol
import Gettext

struct Doctor: Verb {
  static let configuration = CommandConfiguration(
    "doctor", tr("Look for anything that would keep an alarm from ringing or being noticed."),
    discussion: """
      eggctl doctor
      eggctl doctor --json
      eggctl doctor --ring

      Each problem names the command that helps. Exits with 1 if something is wrong
      and 69 if eggd is not running; advice alone is no failure. --ring rings a
      test alarm, asks on a terminal whether you saw and heard it, and deletes it.
      """)

  @Flag(help: "Ring a test alarm and ask whether it was seen and heard.")
  var ring = false
  @Flag(help: "Print the findings as one JSON document.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    // Its units and its desktop are that machine's to judge.
    if let host = surroundings.host {
      let command = "exec eggctl doctor" + (ring ? " --ring" : "") + (json ? " --json" : "")
      throw surroundings.become(
        host.shell.words(command, onTerminal: surroundings.ask != nil && surroundings.terminalWidth() != nil))
    }
    var findings: [Finding]
    var unreachable: Failure?
    let unit = surroundings.unit?()
    do {
      let rung = ring ? try TestRing(surroundings).findings() : []
      let connection = try Connection(surroundings)
      let status = try connection.read(StatusCall())
      findings = Finding.all(in: status, surroundings) + rung
      // An older eggd has no settings.
      if let settings = try? connection.read(ConfigCall()) {
        if settings.value(of: "group") != nil {
          let groups = try connection.read(ListGroupsCall()).groups
          findings += [Finding.group(settings, groups)].compactMap { $0 }
        }
        findings += Finding.hooks(settings)
        if status.sound == .player {
          findings += [Finding.theme(settings, surroundings.directories)].compactMap { $0 }
        }
      }
    } catch let failure as Failure {
      findings = [Finding("eggd", failure)]
      unreachable = failure
    }
    if unreachable == nil, let unit, let mask = unit.mask {
      findings.append(Finding("unit", mask, unit.isMasked ? .wrong : .advice))
    }
    findings.append(Finding.unit(surroundings.directories))
    findings += Finding.calendars(in: surroundings)
    try surroundings.output.answer(json ? .json : .text, json: ["findings": findings], numbers: []) {
      Self.text(findings, colours: surroundings.output.colours.data)
    }
    if let unreachable { throw Failure(unreachable.status, unreachable.message) }
    let wrong = findings.filter { $0.verdict == .wrong }.map { tr(received: $0.name) }
    if !wrong.isEmpty { throw Failure(.refused, tr("failed checks: \(wrong.joined(separator: ", "))")) }
  }

  private static func text(_ findings: [Finding], colours: Bool) -> String {
    var table = Table([Table.Column(heading: ""), Table.Column(heading: ""), Table.Column(heading: "")])
    let rows = findings.flatMap { finding in
      let row: [Table.Cell] = [
        Table.Cell(finding.verdict.word, style: style(finding.verdict)),
        Table.Cell(tr(received: finding.name)),
        Table.Cell(finding.words),
      ]
      return [row] + (finding.command.map { [["", "", Table.Cell($0, style: .bold)]] } ?? [])
    }
    return table.text(rows, hasHeading: false, colours: colours)
  }

  private static func style(_ verdict: Finding.Verdict) -> Style {
    switch verdict {
    case .ok: .green
    case .advice: .yellow
    case .wrong: .error
    }
  }
}
