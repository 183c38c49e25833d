import EggProtocol

/// What holds, and why config.toml does not where it has a mistake.
package struct ConfigurationState: Sendable {
  /// The path of config.toml; nil where there is no place for it.
  package var file: String?
  package var settings = Settings()
  package var mistake: ConfigurationMistake?

  package init() {}
}

extension WireMistake {
  init(_ mistake: ConfigurationMistake) {
    self.init(
      file: mistake.file, line: mistake.line.map(Int64.init), column: mistake.column.map(Int64.init),
      key: mistake.key, reason: mistake.reason)
  }
}

extension ConfigReply {
  init(_ state: ConfigurationState) {
    self.init(
      file: state.file, settings: SettingKey.allCases.map { WireSetting($0, in: state.settings) },
      mistake: state.mistake.map { WireMistake($0) })
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

/// Why config.toml is not used. Lines and columns count from 1; a column counts characters of Unicode.
package struct ConfigurationMistake: Error, Hashable, Sendable {
  package var file: String
  package var line: Int?
  package var column: Int?
  package var key: String?
  /// A fragment of a sentence, lower case; with a key it says what the key takes.
  package var reason: String
}

extension ConfigurationMistake: CustomStringConvertible {
  /// `/home/egg/.config/eggd/config.toml:3:1: snooze takes a span from 1s to 7d`
  package var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(key.map { $0 + " " } ?? "")\(reason)"
  }
}
