import Gettext

/// The words of a command line without `-H HOST`, which may stand before or behind the verb.
///
/// It is no option of ArgumentParser: each verb would have to declare it, and each call would pay for that.
struct HostWords {
  private(set) var words: [String] = []
  private(set) var hosts: [String] = []

  /// The forms of the option that take the next word as their value.
  static let names = ["-H", "--host"]

  /// Throws if the last word lacks its value.
  init(_ all: [String]) throws(Failure) {
    var rest = all[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += [word] + rest
        return
      }
      if Self.names.contains(word) {
        guard let host = rest.popFirst() else {
          throw Failure(.usage, tr("missing value for '\(word)'"), hint: "eggctl -H user@kitchen list")
        }
        hosts.append(host)
      } else if Self.begins(word) {
        hosts.append(String(word.dropFirst(word.hasPrefix("--") ? "--host=".count : "-H".count)))
      } else {
        words.append(word)
      }
    }
  }

  private static func begins(_ word: String) -> Bool {
    word == "--host" || word.hasPrefix("--host=") || word.hasPrefix("-H")
  }
}
