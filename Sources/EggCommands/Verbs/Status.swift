import ArgumentParser
import EggProtocol
import Gettext

struct Status: Verb {
  static let configuration = CommandConfiguration(
    "status", tr("Show eggd's health: notifications, sound, journal, database, lingering."),
    discussion: """
      eggctl status
      eggctl status --json
      """)

  @Flag(help: .json) var json = false

  func run(in surroundings: Surroundings) throws {
    let connection = try Connection(surroundings)
    let reply = try connection.read(StatusCall())
    try surroundings.output.answer(json ? .json : .text, json: reply, numbers: []) {
      // A database that cannot be read has its own line.
      let ringing = try? connection.read(ListCall(limit: 1, states: [.ringing], fields: [])).totals.alarms
      return try StatusText(surroundings).text(
        reply, ringing: ringing, width: surroundings.lineWidth, colours: surroundings.output.colours.data)
    }
  }
}
