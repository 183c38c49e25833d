import EggProtocol
import Gettext
import LinuxIO

/// Where a verb finds its eggd.
enum DaemonAddress {
  /// The path of this machine's socket.
  case socket(String)
  case host(RemoteHost)

  /// Throws for a host what its ``RemoteHost/failure`` explains.
  func connect(timeout: Duration) throws(ScheduleClientError) -> ScheduleClient {
    switch self {
    case .socket(let path): try ScheduleClient(path: path, timeout: timeout)
    case .host(let host): try host.connect()
    }
  }

  /// Connects again in the middle of a verb: without questions, and without waiting for another machine.
  func connectAgain(timeout: Duration) throws(ScheduleClientError) -> ScheduleClient {
    guard case .host(let host) = self else { return try connect(timeout: timeout) }
    return try host.connectQuietly()
  }

  /// The least pause between two attempts.
  var pause: Duration {
    switch self {
    case .socket: .seconds(1)
    case .host: .seconds(5)
    }
  }
}

extension Surroundings {
  /// Throws ``Failure`` if the environment does not tell where this machine's socket is.
  func daemon() throws -> DaemonAddress { try host.map { .host($0) } ?? .socket(socketPath()) }

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
