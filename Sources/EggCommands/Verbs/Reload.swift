import ArgumentParser
import EggProtocol
import Gettext

/// `eggctl reload`: has eggd read its configuration anew.
struct Reload: Verb {
  static let configuration = CommandConfiguration(
    commandName: "reload", _superCommandName: Eggctl.name,
    abstract: tr("Have eggd read its configuration file again."),
    discussion: """
      eggctl reload

      If the file has a mistake, the earlier settings hold; the message names the
      line. systemctl --user reload eggd does the same.
      """)

  @Flag(help: "Print the answer as one JSON document, in the terms of io.eggd.Schedule.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    try surroundings.show(try Connection(surroundings).read(ReloadCall()), asJSON: json)
  }
}
