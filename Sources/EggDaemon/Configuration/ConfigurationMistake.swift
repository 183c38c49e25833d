/// Why config.toml is not used. Lines and columns count from 1; a column counts characters of Unicode.
package struct ConfigurationMistake: Error, Hashable, Sendable {
  package var file: String
  package var line: Int?
  package var column: Int?
  package var key: String?
  /// A fragment of a sentence, lower case; with a key it says what the key takes.
  package var reason: String

  package init(file: String, line: Int? = nil, column: Int? = nil, key: String? = nil, reason: String) {
    (self.file, self.line, self.column, self.key, self.reason) = (file, line, column, key, reason)
  }
}

extension ConfigurationMistake: CustomStringConvertible {
  /// `/home/egg/.config/eggd/config.toml:3:1: snooze takes a span from 1s to 7d`
  package var description: String {
    let place = [line, column].compactMap { $0.map { ":\($0)" } }.joined()
    return "\(file)\(place): \(key.map { $0 + " " } ?? "")\(reason)"
  }
}
