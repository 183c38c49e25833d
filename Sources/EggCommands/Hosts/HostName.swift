import Gettext

/// Another machine as `-H` names it: `[USER@]HOST[:PORT]`, as in systemctl(1). An IPv6 address with a port stands in
/// brackets.
struct HostName: Equatable {
  /// As entered.
  let text: String
  /// What ssh connects to: `user@kitchen`.
  let destination: String
  let port: UInt16?

  /// The name of this machine, for `watch` beside others.
  static let own = ".host"

  init(_ text: String) throws(Failure) {
    let (address, port) = try Self.parts(of: text)
    // As bytes, which is what ssh reads.
    let user = address.utf8.lastIndex(of: UInt8(ascii: "@")).map { address[..<$0] }
    let host = address[(user.map { address.utf8.index(after: $0.endIndex) } ?? address.startIndex)...]
    // ssh would read a leading hyphen as an option, and ssh_config(5) patterns as more than a name.
    let isName = [user, host].compactMap(\.self).allSatisfy { part in
      !part.isEmpty && part.utf8.first != UInt8(ascii: "-")
        && part.unicodeScalars.allSatisfy(Self.isPartOfName)
    }
    guard isName else {
      throw Failure(
        .usage, tr("'\(text.visible)' is not the name of a machine"),
        hint: tr("enter it as ssh takes it: kitchen, user@kitchen or user@kitchen:2222"))
    }
    self.text = text
    destination = String(address)
    self.port = port
  }

  private static func isPartOfName(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      || ".-_:%+@\\".unicodeScalars.contains(scalar)
  }

  /// The address without brackets, and the port.
  private static func parts(of text: String) throws(Failure) -> (Substring, UInt16?) {
    var (address, digits): (Substring, Substring?) = (text[...], nil)
    if let open = text.firstIndex(of: "["), let close = text.lastIndex(of: "]"), open < close {
      let rest = text[text.index(after: close)...]
      let inner = String(text[..<open]) + text[text.index(after: open)..<close]
      address = inner[...]
      digits = rest.isEmpty ? nil : rest
    } else if let colon = text.firstIndex(of: ":"), text.lastIndex(of: ":") == colon {
      address = text[..<colon]
      digits = text[colon...]
    }
    guard let digits else { return (address, nil) }
    guard digits.hasPrefix(":"), let port = UInt16(digits.dropFirst()), port > 0 else {
      throw Failure(
        .usage, tr("'\(digits.visible)' in '\(text.visible)' is not a port"),
        hint: tr("enter it as user@kitchen:2222"))
    }
    return (address, port)
  }

  /// The words that run a command there: `ssh kitchen eggctl status`.
  func command(_ words: String, onTerminal: Bool = false) -> String {
    (["ssh"] + (onTerminal ? ["-t"] : []) + (port.map { ["-p", "\($0)"] } ?? []) + [
      destination.shellQuoted, words,
    ]).joined(separator: " ")
  }

  /// Names for a column: without user, port and domain as long as they differ; nil is this machine.
  static func shortened(_ names: [HostName?]) -> [String] {
    let hosts = names.map { name in
      guard let destination = name?.destination else { return own }
      return destination.lastIndex(of: "@").map { String(destination[destination.index(after: $0)...]) }
        ?? destination
    }
    // The first part of a numeric address says nothing.
    let isNumeric = hosts.contains {
      $0.contains(":") || $0.utf8.allSatisfy { $0 == 0x2e || (0x30...0x39).contains($0) }
    }
    let firsts = hosts.map { host in host.hasPrefix(".") ? host : String(host.prefix { $0 != "." }) }
    let forms = (isNumeric ? [] : [firsts]) + [hosts]
    return forms.first { Set($0).count == names.count } ?? names.map { $0?.text ?? own }
  }
}
