import ArgumentParser
import EggProtocol
import Gettext

struct Status: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: Eggctl.name,
    abstract: tr("Show eggd's health: notifications, sound, journal, database, lingering."),
    discussion: """
      eggctl status
      eggctl status --json
      """)

  @Flag(help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let reply = try connection.read(StatusCall())
    try surroundings.output.answer(json ? .json : .text, json: reply, numbers: []) {
      // A database that cannot be read has its own line.
      let ringing = try? connection.read(ListCall(limit: 1, states: [.ringing], fields: [])).totals.alarms
      return StatusText(moments: try Moments(surroundings), host: surroundings.host)
        .text(
          reply, ringing: ringing, width: surroundings.lineWidth, colours: surroundings.output.colours.data)
    }
  }
}
