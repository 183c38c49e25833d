import Gettext

/// The words of a command line without `-H HOST`, which may stand before or behind the verb.
///
/// It is no option of ArgumentParser: each verb would have to declare it, and each call would pay for that.
struct HostWords {
  private(set) var words: [String] = []
  private(set) var hosts: [String] = []

  /// Throws if the last word lacks its value.
  init(_ all: [String]) throws(Failure) {
    var rest = all[...]
    while let word = rest.popFirst() {
      if word == "--" {
        words += [word] + rest
        return
      }
      if word == "-H" || word == "--host" {
        guard let host = rest.popFirst() else {
          throw Failure(.usage, tr("missing value for '\(word)'"), hint: "eggctl -H user@kitchen list")
        }
        hosts.append(host)
      } else if word.hasPrefix("-H") || word.hasPrefix("--host=") {
        hosts.append(String(word.dropFirst(word.hasPrefix("-H") ? 2 : "--host=".count)))
      } else {
        words.append(word)
      }
    }
  }
}
