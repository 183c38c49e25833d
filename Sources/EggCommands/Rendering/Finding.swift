import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO

/// One condition for alarms to ring and be noticed.
struct Finding: Encodable, Equatable {
  enum Verdict: String, Encodable {
    case ok
    /// Alarms ring, but something is not as good as it could be.
    case advice
    /// A ring would be missed, changes fail, or the settings that were written do not hold.
    case wrong
  }

  var name: String
  var verdict: Verdict
  /// In English, for programs.
  var text: String
  var command: String?
  /// The text in the user's language.
  var words: String

  private enum CodingKeys: CodingKey {
    case name, verdict, text, command
  }

  /// `shown` is the phrase with values in the user's language, where they are words.
  init(_ name: String, _ verdict: Verdict, _ phrase: Phrase, shown: Phrase? = nil, command: String? = nil) {
    self.name = name
    self.verdict = verdict
    text = phrase.text
    self.command = command
    words = tr(shown ?? phrase)
  }

  init(_ name: String, _ failure: Failure, _ verdict: Verdict = .wrong) {
    self.name = name
    self.verdict = verdict
    text = failure.message
    command = failure.hint
    words = failure.message
  }
}

extension Finding {
  static func all(in reply: StatusReply, _ surroundings: Surroundings) -> [Finding] {
    [
      version(reply), configuration(reply), database(reply), desktop(reply, surroundings),
      sound(reply, surroundings), wake(reply, surroundings.variable), sandbox(surroundings), journal(reply),
      lingering(reply),
    ].compactMap(\.self)
  }

  private static func version(_ reply: StatusReply) -> Finding {
    let version = reply.version.visible
    guard reply.version == Product.version else {
      return Finding(
        "eggd", .advice, "\(version) is running, but this eggctl is \(Product.version)",
        command: "systemctl --user restart eggd")
    }
    return Finding("eggd", .ok, "\(version), process \(reply.pid)")
  }

  /// nil without a mistake.
  private static func configuration(_ reply: StatusReply) -> Finding? {
    reply.mistake.map {
      let isExposed = FileSystem.exposure(of: $0.file) != nil
      let mend = isExposed ? closing([$0.file]) : "${EDITOR:-vi} \($0.file.shellQuoted)"
      return Finding(
        "settings", .wrong, "\($0.description.visible); the file is not used",
        command: "\(mend) && eggctl reload")
    }
  }

  /// Whether the group of alarms that name none exists; nil if it does, or none is set.
  static func group(_ settings: ConfigReply, _ groups: [WireGroup]) -> Finding? {
    guard let name = settings.value(of: "group"),
      !groups.contains(where: { $0.name == name })
    else { return nil }
    return Finding(
      "settings", .advice, "there is no group '\(name.visible)', in which new alarms are to be",
      command: "eggctl group create \(name.shellQuoted)")
  }

  /// What of `on-ring.d` and `on-unanswered.d` never runs: files that are not executable, and what another user could
  /// change.
  static func hooks(_ settings: ConfigReply) -> [Finding] {
    guard let file = settings.file, let end = file.lastIndex(of: "/") else { return [] }
    return ["on-ring.d", "on-unanswered.d"].flatMap { hooks($0, in: String(file[..<end])) }
  }

  private static func hooks(_ folderName: String, in parent: String) -> [Finding] {
    let folder = "\(parent)/\(folderName)"
    guard FileSystem.status(folder) != nil else { return [] }
    // eggd leaves out hidden files and backups of editors on purpose.
    let files = (FileSystem.names(in: folder) ?? []).sorted().compactMap {
      name -> (name: String, runs: Bool)? in
      guard !name.hasPrefix("."), !name.hasSuffix("~"), let status = FileSystem.status("\(folder)/\(name)"),
        status.st_mode & S_IFMT == S_IFREG
      else { return nil }
      return (name, status.st_mode & S_IXUSR != 0)
    }
    func named(_ names: [String]) -> String {
      (names.prefix(3).joined(separator: ", ") + (names.count > 3 ? ", …" : "")).visible
    }
    let exposed = files.filter { $0.runs && FileSystem.exposure(of: "\(folder)/\($0.name)") != nil }
      .map(\.name)
    let open: Finding? =
      if let reason = FileSystem.exposure(of: folder) {
        Finding(
          "hooks", .wrong, "nothing in \(folder.visible) runs: \(reason.visible)", command: closing([folder]))
      } else if !exposed.isEmpty {
        Finding(
          "hooks", .wrong,
          "\(folderName) has programs that do not run, because others can change them: \(named(exposed))",
          command: closing(exposed.map { "\(folder)/\($0)" }))
      } else {
        nil
      }
    let idle = files.filter { !$0.runs }.map(\.name)
    guard !idle.isEmpty else { return [open].compactMap(\.self) }
    let closed = Finding(
      "hooks", .advice,
      "\(folderName) has files that do not run, because they are not executable: \(named(idle))",
      command: "chmod +x " + idle.map { "\(folder)/\($0)".shellQuoted }.joined(separator: " "))
    return [open, closed].compactMap(\.self)
  }

  /// The command after which no other user can change these: the file itself is open to others, or a folder above it.
  private static func closing(_ paths: [String]) -> String {
    var places: [String: Set<String>] = [:]
    for path in paths {
      guard let real = FileSystem.realPath(path), let status = FileSystem.status(real) else { continue }
      guard [geteuid(), 0].contains(status.st_uid) else {
        places["sudo chown $USER", default: []].insert(real)
        continue
      }
      let open = status.st_mode & S_IWOTH != 0 ? real : FileSystem.openParent(of: real) ?? real
      // A folder that is not this user's may be meant for all; with +t nobody can replace what is another's in it.
      let words =
        FileSystem.status(open)?.st_uid == geteuid()
        ? "chmod o-w" : open == real ? "sudo chmod o-w" : "sudo chmod +t"
      places[words, default: []].insert(open)
    }
    return places.sorted { $0.key < $1.key }.map { words, paths in
      ([words] + paths.sorted().map(\.shellQuoted)).joined(separator: " ")
    }.joined(separator: " && ")
  }

  /// nil while no alarm asks for it.
  private static func wake(_ reply: StatusReply, _ variable: (String) -> String?) -> Finding? {
    guard let state = reply.wake else { return nil }
    guard let problem = state.problem else {
      return Finding("wake", .ok, "this machine wakes from suspend for alarms that ask for it")
    }
    return Finding(
      "wake", .wrong, "this machine will not wake from suspend: \(problem)",
      shown: "this machine will not wake from suspend: \(tr(received: problem))",
      command: state.command(variable))
  }

  static func journal(_ reply: StatusReply) -> Finding {
    if reply.journal { return Finding("journal", .ok, "journald accepts entries") }
    // With neither, nobody learns of a ring.
    return Finding(
      "journal", reply.desktop == .shown ? .advice : .wrong,
      "no journald; rings are printed on eggd's stderr",
      command: "systemctl status systemd-journald")
  }

  static func lingering(_ reply: StatusReply) -> Finding {
    if reply.linger == true { return Finding("lingering", .ok, "eggd runs while you are logged out") }
    return reply.linger == false
      ? Finding("lingering", .advice, "off: eggd ends when you log out", command: "loginctl enable-linger")
      : Finding("lingering", .advice, "unknown whether it is on", command: "loginctl enable-linger")
  }

  /// Whether the unit or its socket is enabled, for this user or for all (systemd.unit(5), User Unit Search
  /// Path).
  static func isEnabled(_ directories: BaseDirectories) -> Bool {
    startsAtLogin(directories) || isWanted(["sockets.target.wants/eggd.socket"], directories)
  }

  private static func startsAtLogin(_ directories: BaseDirectories) -> Bool {
    isWanted(["default.target.wants/eggd.service", "default.target.wants/eggd-login.service"], directories)
  }

  private static func isWanted(_ units: [String], _ directories: BaseDirectories) -> Bool {
    [directories.configuration, "/etc"].compactMap { $0 }.contains { folder in
      units.contains { access("\(folder)/systemd/user/\($0)", F_OK) == 0 }
    }
  }

  static func unit(_ directories: BaseDirectories) -> Finding {
    if startsAtLogin(directories) { return Finding("unit", .ok, "eggd starts when you log in") }
    return Finding(
      "unit", .advice, "eggd does not start when you log in",
      command: "systemctl --user enable --now eggd.socket")
  }
}
