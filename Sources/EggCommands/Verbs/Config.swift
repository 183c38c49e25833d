import ArgumentParser
import EggProtocol
import Gettext
import Varlink

struct Config: Verb {
  static let configuration = CommandConfiguration(
    "config", tr("Show eggd's settings, and where each is set."),
    discussion: """
      eggctl config
      eggctl config --json

      The settings are in ~/.config/eggd/config.toml; eggd.toml(5) describes them.
      After a change of the file run eggctl reload.
      """)

  @Flag(help: .json) var json = false

  func run(in surroundings: Surroundings) throws {
    try surroundings.show(try Connection(surroundings).read(ConfigCall()), asJSON: json)
  }
}

extension Surroundings {
  func show(_ reply: ConfigReply, asJSON json: Bool) throws {
    if json { return try output.data(JSON.text(reply) + "\n") }
    try output.data(ConfigText.text(reply, width: lineWidth, colours: output.colours.data))
    try warn(of: reply.mistake)
  }

  /// Says that config.toml is not used, and where its mistake is.
  func warn(of mistake: ConfigurationMistake?) throws {
    guard let mistake else { return }
    try output.note(tr("the file is not used: \(mistake.description.visible)"))
  }
}

struct Reload: Verb {
  static let configuration = CommandConfiguration(
    "reload", tr("Have eggd read its configuration file again."),
    discussion: """
      eggctl reload

      If the file has a mistake, the earlier settings hold; the message names the
      line. systemctl --user reload eggd does the same.
      """)

  @Flag(help: .json) var json = false

  func run(in surroundings: Surroundings) throws {
    try surroundings.show(try Connection(surroundings).read(ReloadCall()), asJSON: json)
  }
}

enum ConfigText {
  static func text(_ reply: ConfigReply, width: Int?, colours: Bool) -> String {
    var table = Table(
      [
        Table.Column(heading: tr("KEY")), Table.Column(heading: tr("VALUE"), minimum: 12),
        Table.Column(heading: tr("SET BY"), gap: 0),
      ], width: width)
    let rows = reply.settings.map { setting -> [Table.Cell] in
      let style: Style = setting.source == .default ? .dim : .plain
      return [
        Table.Cell(setting.key.visible, style: style), Table.Cell(setting.value?.visible ?? "", style: style),
        Table.Cell(source(of: setting, reply.file), style: style),
      ]
    }
    return table.text(rows, colours: colours)
  }

  private static func source(of setting: WireSetting, _ file: String?) -> String {
    switch setting.source {
    case .default: tr("default")
    case .file: (file?.visible ?? "config.toml") + (setting.line.map { ":\($0)" } ?? "")
    case .commandLine: "eggd --\(setting.key.visible)"
    case .other: tr("unknown to this eggctl")
    }
  }
}
