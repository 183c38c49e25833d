/// Asks which settings hold.
public struct ConfigCall: ScheduleMethod {
  public static let method = "Config"
  public typealias Reply = ConfigReply

  public init() {}
}

public struct ConfigReply: Codable, Equatable, Sendable {
  /// The path of config.toml, which need not exist; nil where eggd's environment names no place for it.
  public var file: String?
  /// Every key, in the order of the manual.
  public var settings: [WireSetting]
  /// Why the file is not used; nil if it is.
  public var mistake: ConfigurationMistake?

  public init(file: String?, settings: [WireSetting], mistake: ConfigurationMistake?) {
    self.file = file
    self.settings = settings
    self.mistake = mistake
  }

  /// nil for none, and for an unknown key.
  public func value(of key: String) -> String? { settings.first { $0.key == key }?.value }
}

public struct WireSetting: Codable, Equatable, Sendable {
  public var key: String
  /// As the file writes it; nil for none.
  public var value: String?
  /// Each of several; nil for one or none.
  public var values: [String]?
  public var source: SettingSource
  /// In the file, from 1.
  public var line: Int64?

  public init(key: String, value: String?, source: SettingSource, line: Int64?) {
    self.key = key
    self.value = value
    self.source = source
    self.line = line
  }
}

public enum SettingSource: String, OpenEnum {
  case `default`
  case file
  case commandLine
  /// A source added by a later version.
  case other
}

/// Why config.toml is not used.
public struct ConfigurationMistake: Codable, CustomStringConvertible, Error, Hashable, Sendable {
  public var file: String
  /// From 1.
  public var line: Int64?
  /// From 1, in characters of Unicode.
  public var column: Int64?
  public var key: String?
  /// A fragment of an English sentence; with a key it follows that.
  public var reason: String

  public init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, reason: String) {
    self.file = file
    self.line = line.map(Int64.init)
    self.column = column.map(Int64.init)
    self.key = key
    self.reason = reason
  }

  /// `/home/egg/.config/eggd/config.toml:3:1: snooze takes a span from 1s to 7d, not 'x'`
  public var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(key.map { $0 + " " } ?? "")\(reason)"
  }
}

/// Reads config.toml anew. A mistake in it is refused, and the earlier settings hold.
public struct ReloadCall: ScheduleMethod {
  public static let method = "Reload"
  public typealias Reply = ConfigReply

  public init() {}
}
