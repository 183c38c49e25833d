import ArgumentParser
import EggProtocol

struct Status: Verb {
  static let configuration = CommandConfiguration(
    commandName: "status", _superCommandName: Eggctl.name,
    abstract: "Show eggd's health: notifications, sound, journal, database, lingering.",
    discussion: """
      eggctl status
      eggctl status --json
      """)

  @Flag(help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    let reply = try Connection(surroundings).read(StatusCall())
    try surroundings.output.answer(json ? .json : .text, json: reply, numbers: []) {
      StatusText(moments: try Moments(surroundings)).text(reply, colours: surroundings.output.colours.data)
    }
  }
}
