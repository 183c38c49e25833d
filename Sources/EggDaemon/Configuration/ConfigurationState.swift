import EggProtocol

/// What holds, and why config.toml does not where it has a mistake.
package struct ConfigurationState: Sendable {
  /// The path of config.toml; nil where there is no place for it.
  package var file: String?
  package var settings = Settings()
  package var mistake: ConfigurationMistake?

  package init() {}
}

extension ConfigReply {
  init(_ state: ConfigurationState) {
    self.init(
      file: state.file, settings: SettingKey.allCases.map { WireSetting($0, in: state.settings) },
      mistake: state.mistake)
  }
}

extension WireSetting {
  fileprivate init(_ key: SettingKey, in settings: Settings) {
    let (source, line): (SettingSource, Int64?) =
      switch settings.places[key] {
      case .file(let line): (.file, Int64(line))
      case .commandLine: (.commandLine, nil)
      case nil: (.default, nil)
      }
    self.init(key: key.rawValue, value: settings.text(of: key), source: source, line: line)
  }
}
