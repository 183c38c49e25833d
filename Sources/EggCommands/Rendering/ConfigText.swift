import EggProtocol
import Gettext

/// Settings as a table: key, value, where it is set.
enum ConfigText {
  static func text(_ reply: ConfigReply, colours: Bool) -> String {
    var table = Table([
      Table.Column(heading: tr("KEY")), Table.Column(heading: tr("VALUE"), minimum: 12),
      Table.Column(heading: tr("SET BY"), gap: 0),
    ])
    let rows = reply.settings.map { setting -> [Table.Cell] in
      let style: Style = setting.source == .default ? .dim : .plain
      return [
        Table.Cell(setting.key.visible, style: style), Table.Cell(setting.value?.visible ?? "", style: style),
        Table.Cell(source(of: setting, reply.file), style: style),
      ]
    }
    table.fit(rows)
    return table.heading(colours: colours) + table.lines(rows, colours: colours)
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
