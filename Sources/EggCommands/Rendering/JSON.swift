import Alarms
import Varlink

extension JSON {
  /// One line without a newline, its members sorted, safe to show.
  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value, sorted: true), as: UTF8.self).visibleJSON
  }
}
