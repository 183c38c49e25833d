import Gettext
import Glibc

extension Surroundings {
  /// eggd's socket: `eggd/eggd.sock` in XDG_RUNTIME_DIR; without that in /run/user/UID if the caller owns it;
  /// else `eggd.sock` in eggd's state directory. A relative XDG path counts as unset (XDG Base Directory
  /// Specification).
  func socketPath() throws -> String {
    if let directory = directory("XDG_RUNTIME_DIR") { return directory + "/eggd/eggd.sock" }
    let runtime = "/run/user/\(userID)"
    var status = stat()
    if lstat(runtime, &status) == 0, status.st_uid == userID, status.st_mode & S_IFMT == S_IFDIR {
      return runtime + "/eggd/eggd.sock"
    }
    if let directory = directory("XDG_STATE_HOME") { return directory + "/eggd/eggd.sock" }
    if let home = directory("HOME") { return home + "/.local/state/eggd/eggd.sock" }
    throw Failure(
      .unavailable, tr("cannot tell where eggd listens: neither XDG_RUNTIME_DIR nor HOME is set"),
      hint: "export XDG_RUNTIME_DIR=/run/user/\(userID)")
  }

  /// The base directory of that variable, else of the user's home; nil without one.
  func baseDirectory(_ name: String, else folder: String) -> String? {
    directory(name) ?? directory("HOME").map { "\($0)/\(folder)" }
  }

  private func directory(_ name: String) -> String? {
    guard let path = variable(name), path.hasPrefix("/") else { return nil }
    return path
  }
}
