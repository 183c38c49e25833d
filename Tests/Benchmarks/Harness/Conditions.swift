import Foundation

/// What the figures depend on besides eggd.
struct Conditions: Encodable {
  /// When the run began, RFC 3339.
  let begun: String
  /// What is checked out, git-describe(1); with `-dirty` where that was changed.
  let commit: String
  let kernel: String
  let processor: String
  let processors: Int
  /// Of the last minute before the run.
  let load: Double
  let user: String
  /// How many entries a datagram socket holds, unix(7).
  let queue: Int?

  init(_ bench: Workbench) {
    begun = Date().formatted(.iso8601)
    commit = Self.commit(bench) ?? "unknown"
    var names = utsname()
    uname(&names)
    kernel = withUnsafeBytes(of: names.release) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
    let cpus = (try? Command.text(of: "/proc/cpuinfo"))?.split(separator: "\n") ?? []
    let model = cpus.first { $0.hasPrefix("model name") }?.split(separator: ":").last
    processor = model.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
    processors = ProcessInfo.processInfo.activeProcessorCount
    var load = [0.0]
    getloadavg(&load, 1)
    self.load = load[0]
    user = getuid() == 0 ? "root" : NSUserName()
    let limit = try? Command.text(of: "/proc/sys/net/unix/max_dgram_qlen")
    queue = limit.flatMap { Int($0.trimmingCharacters(in: .whitespacesAndNewlines)) }
  }

  /// Two lines.
  var text: String {
    """
    \(begun), \(commit), as \(user); load \(load.grouped)
    \(processors) × \(processor), Linux \(kernel), max_dgram_qlen \(queue.map { String($0) } ?? "unknown")
    """
  }

  private static func commit(_ bench: Workbench) -> String? {
    // root may look into a user's
    let words = [
      "git", "-C", bench.repository, "-c", "safe.directory=\(bench.repository)", "describe", "--always",
      "--dirty",
    ]
    let said = try? Command.output(words, through: "\(bench.disk)/git")
    return said?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
