import CLinux
import Glibc

/// The user's language, from gettext's catalogues.
///
/// Until ``begin()``, and for users whose language is English, all texts stay English and nothing is read.
public enum Gettext {
  /// The user's LC_MESSAGES; nil for English. Only lookups run in it. The process itself stays in the C locale,
  /// so that what eggd writes to the journal stays English. Set once, while there are no other threads.
  nonisolated(unsafe) private static var locale: locale_t?

  /// Whether texts may be other than English.
  fileprivate static var isOn: Bool { locale != nil }

  private static let domain = "eggd"

  /// Opens the catalogue if the environment names a language other than English.
  public static func begin() {
    guard !isEnglish, locale == nil, let messages = newlocale(clinux_messages_mask(), "", nil) else { return }
    bindtextdomain(domain, directory)
    // UTF-8 whatever the locale's own characters are, as labels are. Other characters would take conversion
    // modules, which a static program cannot load.
    for domain in [domain, "libc"] { bind_textdomain_codeset(domain, "UTF-8") }
    locale = messages
    // Opens the catalogue now: eggd must not read files when an alarm rings.
    _ = translation(of: "error")
  }

  /// The first of LC_ALL, LC_MESSAGES and LANG that is set decides, locale(7). LANGUAGE, a list of languages in the order
  /// in which they are tried, counts only if that is not C, gettext(3).
  private static var isEnglish: Bool {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first ?? "C"
    if name == "C" || name == "POSIX" || name.hasPrefix("C.") { return true }
    return (variable("LANGUAGE") ?? name).split(separator: ":").allSatisfy { $0.hasPrefix("en") }
  }

  /// `share/locale` of the prefix that the program is installed in; TEXTDOMAINDIR replaces it.
  private static var directory: String {
    if let directory = variable("TEXTDOMAINDIR") { return directory }
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &path, path.count)
    let program = String(decoding: path.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folders = program.split(separator: "/").dropLast(2)
    return folders.map { "/" + $0 }.joined() + "/share/locale"
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// The translation, with `%s` for values; nil if there is none. `many` is the phrase for other numbers than 1.
  fileprivate static func translation(of phrase: Phrase, many: Phrase? = nil, count: Int64 = 1) -> String? {
    guard let locale else { return nil }
    let own = uselocale(locale)
    defer { uselocale(own) }
    // gettext(3): EOT joins context and key.
    let key = phrase.context.map { "\($0)\u{4}\(phrase.key)" } ?? phrase.key
    return key.withCString { key in
      guard let many else { return found(dcgettext(domain, key, clinux_messages()), insteadOf: key, key) }
      return many.key.withCString { many in
        found(
          dcngettext(domain, key, many, UInt(count.magnitude), clinux_messages()), insteadOf: key, many)
      }
    }
  }

  /// gettext(3) returns one of its arguments if there is no translation.
  private static func found(
    _ text: UnsafePointer<CChar>?, insteadOf one: UnsafePointer<CChar>, _ many: UnsafePointer<CChar>
  ) -> String? {
    guard let text, text != one, text != many else { return nil }
    return String(cString: text)
  }

  /// Why a system call failed, strerror(3).
  public static func reason(_ code: Int32) -> String {
    guard let locale, let text = strerror_l(code, locale) else { return String(cString: strerror(code)) }
    return String(cString: text)
  }
}

/// The phrase in the user's language.
public func tr(_ phrase: Phrase) -> String {
  Gettext.translation(of: phrase).map(phrase.filling) ?? phrase.text
}

/// The phrase for a number of things in the user's language, which may have one form or many.
public func tr(one: Phrase, many: Phrase, count: Int64) -> String {
  let phrase = count == 1 ? one : many
  return Gettext.translation(of: one, many: many, count: count).map(phrase.filling) ?? phrase.text
}

/// A text that eggd or a library worded in English, in the user's language. The catalogue holds it as it is, or with
/// `%s` for what is in single quotes; otherwise it stays English.
public func tr(received text: String) -> String {
  guard Gettext.isOn else { return text }
  if let translation = Gettext.translation(of: Phrase(stringLiteral: text)) { return translation }
  let phrase = Phrase(quoting: text)
  return Gettext.translation(of: phrase).map(phrase.filling) ?? text
}

extension Phrase {
  /// `unknown option '--x'` as `unknown option '%s'`.
  fileprivate init(quoting text: String) {
    let pieces = text.split(separator: "'", omittingEmptySubsequences: false)
    var parts = Interpolation(literalCapacity: text.utf8.count, interpolationCount: pieces.count / 2)
    for (index, piece) in pieces.enumerated() {
      if index > 0 { parts.appendLiteral("'") }
      if index % 2 == 1 { parts.appendInterpolation(piece) } else { parts.appendLiteral(String(piece)) }
    }
    self.init(stringInterpolation: parts)
  }
}
