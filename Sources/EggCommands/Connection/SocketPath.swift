import Gettext
import LinuxIO

extension Surroundings {
  var directories: BaseDirectories { BaseDirectories(variable: variable) }

  /// eggd's socket: `eggd/eggd.sock` in the runtime directory; without one `eggd.sock` in eggd's state directory.
  func socketPath() throws -> String {
    if let directory = directories.runtime(of: userID) ?? directories.state {
      return directory + "/eggd/eggd.sock"
    }
    throw Failure(
      .unavailable, tr("cannot tell where eggd listens: neither XDG_RUNTIME_DIR nor HOME is set"),
      hint: "export XDG_RUNTIME_DIR=/run/user/\(userID)")
  }
}
