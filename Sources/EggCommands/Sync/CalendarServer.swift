import Gettext
import Glibc
import LinuxIO
import Varlink

/// A folder's way to a calendar server: vdirsyncer with a configuration of its own, started by units.
struct CalendarServer {
  /// Where and as whom.
  struct Account {
    var url: String
    /// nil for a server that asks nobody.
    var user: String?
    /// Prints the password; nil: secret-tool does.
    var passwordCommand: String?
    var isReadOnly: Bool

    /// The machine's name in the address.
    var host: String {
      let rest = url.split(separator: "/", omittingEmptySubsequences: true).dropFirst().first ?? ""
      return String(rest.split(separator: "@").last ?? "")
    }

    /// The words by which secret-tool knows the password.
    func secret(_ user: String) -> [String] { ["service", host, "username", user] }
  }

  let folder: String
  private let surroundings: Surroundings
  private let configuration: String
  private let status: String

  init(folder: String, in surroundings: Surroundings) throws {
    guard let settings = surroundings.directories.configuration, let state = surroundings.directories.state
    else { throw Failure(.usage, tr("HOME is not set")) }
    self.folder = folder
    self.surroundings = surroundings
    configuration = Self.place(in: settings) + "/" + Self.escaped(folder)
    status = "\(state)/eggctl/vdirsyncer/\(Digest.of(folder))"
  }

  /// The configurations of all folders, named as the units' instances.
  static func place(in settings: String) -> String { settings + "/eggd/vdirsyncer" }

  /// systemd-escape(1) with --path.
  static func escaped(_ path: String) -> String {
    var name = ""
    for byte in path.split(separator: "/").joined(separator: "/").utf8 {
      let scalar = Unicode.Scalar(byte)
      if byte == UInt8(ascii: "/") {
        name += "-"
      } else if scalar.isASCII,
        scalar.properties.isAlphabetic || (0x30...0x39).contains(byte)
          || scalar == ":" || scalar == "_" || scalar == "." && !name.isEmpty
      {
        name.unicodeScalars.append(scalar)
      } else {
        name += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
      }
    }
    return name
  }

  /// The calendar's name on the server: that of the folder.
  var calendar: String { String(folder.split(separator: "/").last ?? "alarms") }

  var isSetUp: Bool { access(configuration, F_OK) == 0 }

  /// Writes the configuration once vdirsyncer has found the calendar with it, or made it.
  func configure(_ account: Account) throws {
    guard ["https://", "http://"].contains(where: account.url.hasPrefix), !account.host.isEmpty else {
      throw Failure(
        .usage, tr("'\(account.url.visible)' is no address of a server"),
        hint: "eggctl sync --setup https://dav.example.org/ me")
    }
    if let user = account.user, account.passwordCommand == nil { try checkSecret(account, user) }
    try SyncFolder(path: folder).create()
    let server = "\(status)/\(Digest.of(account.url + "\0" + (account.user ?? "")))"
    // What vdirsyncer knows of another server would be deletions on this one.
    if access(server, F_OK) != 0 { try removeStatus() }
    try SyncFolder(path: server).create()
    if let end = configuration.lastIndex(of: "/") {
      try SyncFolder(path: String(configuration[..<end])).create()
    }
    let next = configuration + ".next"
    unlink(next)
    do throws(SafeFile.Failure) {
      try SafeFile.write(Array(text(account, status: server).utf8), to: next)
    } catch {
      throw Failure(.refused, tr("\(next.visible) cannot be written: \(Gettext.reason(error.code))"))
    }
    // It asks whether to make a calendar that is missing.
    let words = ["sh", "-c", "yes 2>/dev/null | vdirsyncer -c \"$1\" discover 2>&1", "sh", next]
    let (code, output) = try surroundings.result(of: words)
    guard code == 0, rename(next, configuration) == 0 else {
      unlink(next)
      // A mistake may stand behind the question.
      let mistakes = output.compactMap { line in
        ["error: ", "critical: "].compactMap { line.firstRange(of: $0) }.first.map { line[$0.lowerBound...] }
      }
      let last = mistakes.last { !$0.contains("-vdebug") } ?? mistakes.last ?? output.last?[...] ?? ""
      throw Failure(
        .refused, tr("vdirsyncer does not find the calendar: \(String(last).visible)"),
        hint: code == 127 ? "apt install vdirsyncer" : "eggctl help sync")
    }
  }

  private func checkSecret(_ account: Account, _ user: String) throws {
    let secret = account.secret(user)
    guard let (code, output) = try? surroundings.result(of: ["secret-tool", "lookup"] + secret) else {
      throw Failure(
        .refused, tr("secret-tool is not installed"), hint: "apt install libsecret-tools")
    }
    guard code == 0, !output.isEmpty else {
      throw Failure(
        .refused, tr("secret-tool has no password for \(user.visible) at \(account.host.visible)"),
        hint: (["secret-tool", "store", "--label=\(account.host)"] + secret).map(\.shellQuoted)
          .joined(separator: " "))
    }
  }

  /// The options of vdirsyncer's configuration are JSON.
  private func text(_ account: Account, status: String) -> String {
    func quoted(_ text: String) -> String { (try? JSON.text(text)) ?? "\"\"" }
    func list(_ words: [String]) -> String { "[" + words.map(quoted).joined(separator: ", ") + "]" }
    let parent = folder.split(separator: "/").dropLast().joined(separator: "/")
    var lines = [
      "[general]",
      "status_path = \(quoted(status))",
      "[pair alarms]", "a = \"here\"", "b = \"server\"",
      "collections = [\(list([calendar, calendar, calendar]))]",
      "conflict_resolution = \(list(["command", FileSystem.program ?? "eggctl", "sync", "--merge"]))",
      "[storage here]", "type = \"filesystem\"", "path = \(quoted("/" + parent))", "fileext = \".ics\"",
      "[storage server]", "type = \"caldav\"", "url = \(quoted(account.url))",
    ]
    if account.isReadOnly { lines.append("read_only = true") }
    if let user = account.user {
      let password =
        account.passwordCommand.map { ["shell", $0] }
        ?? ["command", "secret-tool", "lookup"] + account.secret(user)
      lines += ["username = \(quoted(user))", "password.fetch = \(list(password))"]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Starts the units, now and at each login; those that ran begin anew.
  func start(isDefault: Bool) throws {
    for words in [["daemon-reload"], ["enable"] + units(isDefault), ["restart"] + units(isDefault)] {
      let code = try surroundings.result(of: ["systemctl", "--user"] + words).code
      guard code == 0 else {
        throw Failure(
          .refused, tr("the units that carry the calendar do not start"),
          hint: "systemctl --user \(words.map(\.shellQuoted).joined(separator: " "))")
      }
    }
  }

  /// Ends the units and removes what ``configure(_:)`` wrote.
  func remove(isDefault: Bool) throws {
    _ = try? surroundings.result(of: ["systemctl", "--user", "disable", "--now"] + units(isDefault))
    unlink(configuration)
    try removeStatus()
  }

  private func units(_ isDefault: Bool) -> [String] {
    let name = Self.escaped(folder)
    let follower = isDefault ? "eggd-sync.service" : "eggd-sync@\(name).service"
    return [follower, "eggd-vdirsyncer@\(name).timer", "eggd-vdirsyncer@\(name).path"]
  }

  private func removeStatus() throws { _ = try surroundings.result(of: ["rm", "-rf", "--", status]) }
}
