import ArgumentParser
import EggProtocol
import Gettext
import Varlink

/// `eggctl config`: shows the settings that hold and where each comes from.
struct Config: Verb {
  static let configuration = CommandConfiguration(
    commandName: "config", _superCommandName: Eggctl.name,
    abstract: tr("Show eggd's settings, and where each is set."),
    discussion: """
      eggctl config
      eggctl config --json

      The settings are in ~/.config/eggd/config.toml; eggd.toml(5) describes them.
      After a change of the file run eggctl reload.
      """)

  @Flag(help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    try surroundings.show(try Connection(surroundings).read(ConfigCall()), asJSON: json)
  }
}

extension Surroundings {
  func show(_ reply: ConfigReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply) + "\n") }
    try output.data(ConfigText.text(reply, colours: output.colours.data))
    if let mistake = reply.mistake {
      try output.note(tr("the file is not used: \(mistake.description.visible)"))
    }
  }
}
