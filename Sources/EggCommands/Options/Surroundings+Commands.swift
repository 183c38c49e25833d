import Alarms
import Gettext
import Glibc
import LinuxIO

extension Surroundings {
  /// A command as eggd accepts it, with the absolute path of its program; empty for none.
  ///
  /// The program is looked for in the caller's PATH: the service manager's is another.
  ///
  /// - Parameter field: What it is to be.
  func commandText(_ text: String, _ field: LimitedText) throws -> String {
    let option = field == .run ? "--run" : "--run-unanswered"
    guard !text.isEmpty else { return "" }
    guard let command = AlarmCommand(text) else {
      if let failure = Failure(field, text) { throw failure }
      throw Failure(
        .usage,
        tr("cannot read '\(text.visible)' as a command: a quote is not closed, or there is no program"),
        hint: "eggctl help schedule")
    }
    let name = command.words[0]
    // Here nobody knows the PATH of another machine.
    guard let path = try host?.file(name) ?? program(named: name) else {
      throw Failure(
        .usage, tr("there is no program '\(name.visible)' to run"),
        hint: tr("give its path; what needs a shell is \(option) \"sh -c '…'\""))
    }
    guard let found = AlarmCommand(words: [path] + command.words.dropFirst()) else {
      throw Failure.invalidText(field.rawValue, limit: Int64(Limits.runBytes))
    }
    if host == nil, let file = command.words.dropFirst().first(where: isOnlyHere) {
      try output.hint(
        tr("the command runs in your home folder, which has no '\(file.visible)': give its whole path"))
    }
    return found.text
  }

  /// Whether the word names a file from this folder, and none from the home folder, where commands run.
  private func isOnlyHere(_ word: String) -> Bool {
    guard !word.isEmpty, !word.hasPrefix("/"), !word.hasPrefix("-"), let home = variable("HOME") else {
      return false
    }
    return access(pathFromRoot(word), F_OK) == 0 && access("\(home)/\(word)", F_OK) != 0
  }

  /// The names of programs in PATH that begin so, for completion.
  func programNames(_ prefix: String) -> [String] {
    let folders = Set((variable("PATH") ?? "").split(separator: ":").map(String.init))
    let names = folders.flatMap { folder in
      (FileSystem.names(in: folder) ?? []).filter { $0.hasPrefix(prefix) && isProgram("\(folder)/\($0)") }
    }
    return Set(names).sorted()
  }

  private func program(named name: String) -> String? {
    let paths =
      name.contains("/")
      ? [pathFromRoot(name)]
      : (variable("PATH") ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map {
        pathFromRoot("\($0)/\(name)")
      }
    return paths.first(where: isProgram)
  }

  private func isProgram(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
  }
}
