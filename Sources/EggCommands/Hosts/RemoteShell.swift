import Alarms
import Gettext
import Glibc

/// Runs ssh, found by PATH.
struct RemoteShell {
  let name: HostName

  /// The words of ssh(1) that run a command line there. `--` keeps a name from being an option.
  func words(_ command: String, options: [String] = [], onTerminal: Bool = false) -> [String] {
    ["ssh", "-x", onTerminal ? "-t" : "-T"] + options
      + (name.port.map { ["-p", "\($0)"] } ?? []) + ["--", name.destination, Self.wrapped(command)]
  }

  /// `command`, without a newline, in a shell that every login shell can start. ssh's PATH often lacks where install.sh puts eggctl.
  private static func wrapped(_ command: String) -> String {
    "exec sh -c " + "PATH=$PATH:$HOME/.local/bin; \(command)".inSingleQuotes
  }

  /// Starts ssh with a socket as its standard input and output. Its prompts reach the terminal, and its messages too
  /// unless `quiet`: then it asks nothing either.
  func start(_ command: String, quiet: Bool) throws -> (process: pid_t, descriptor: Int32) {
    // A link that is gone is noticed within a minute.
    var options = ["-o", "ServerAliveInterval=15"]
    if quiet { options += ["-o", "BatchMode=yes", "-o", "ConnectTimeout=10"] }
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw Failure(.unavailable, tr("cannot create a socket: \(Gettext.reason(errno))"))
    }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in [0, 1] { posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor) }
    if quiet { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) }
    var process = pid_t()
    let failure = ProgramOutput.withStrings(words(command, options: options)) { words in
      ProgramOutput.withStrings(ProgramLines.environment()) {
        posix_spawnp(&process, "ssh", &actions, nil, words, $0)
      }
    }
    close(ends[1])
    guard failure == 0 else {
      close(ends[0])
      throw Self.missing(failure)
    }
    return (process, ends[0])
  }

  private static func missing(_ code: Int32) -> Failure {
    guard code == ENOENT else { return Failure(.unavailable, tr("cannot run ssh: \(Gettext.reason(code))")) }
    return Failure(
      .unavailable, tr("cannot run ssh: it is not installed"), hint: "apt install openssh-client")
  }
}
