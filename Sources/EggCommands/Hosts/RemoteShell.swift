import Alarms
import Gettext
import Glibc
import LinuxIO

/// Runs ssh, found by PATH.
struct RemoteShell {
  let name: HostName

  /// The words of ssh(1) that run a command line there. `--` keeps a name from being an option.
  func words(_ command: String, options: [String] = [], onTerminal: Bool = false) -> [String] {
    ["ssh", "-x", onTerminal ? "-t" : "-T", "-o", "ConnectTimeout=\(Self.patience.components.seconds)"]
      + options + destination + [Self.wrapped(command)]
  }

  private var destination: [String] {
    (name.port.map { ["-p", "\($0)"] } ?? []) + ["--", name.destination]
  }

  /// `command`, without a newline, in a shell that every login shell can start. ssh's PATH often lacks where install.sh puts eggctl.
  private static func wrapped(_ command: String) -> String {
    "exec sh -c " + "PATH=$PATH:$HOME/.local/bin; \(command)".inSingleQuotes
  }

  /// How long a machine may say nothing.
  static let patience = Duration.seconds(10)

  /// Waits until ssh has logged in, however long a person takes to enter a password. It tells that by an empty line
  /// before anything from there, unless another ssh had logged in already.
  func awaitLogin(_ descriptor: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&entry, 1, Int32(Self.patience / .milliseconds(1))) <= 0 { if isShared { return } }
    var byte: UInt8 = 0
    let end = UInt8(ascii: "\n")
    if recv(descriptor, &byte, 1, Int32(MSG_PEEK)) == 1, byte == end { recv(descriptor, &byte, 1, 0) }
  }

  /// Whether an ssh that has logged in passes on what others say: ControlMaster of ssh_config(5).
  private var isShared: Bool {
    let words = ["sh", "-c", #"exec ssh -O check "$@" 2>&1"#, "sh"] + destination
    return ProgramOutput.read(words, environment: ChildProcess.ownEnvironment, within: .seconds(1))?
      .hasPrefix("Master running") ?? false
  }

  /// Starts ssh with a socket as its standard input and output. Its prompts reach the terminal, and its messages too
  /// unless `quiet`: then it asks nothing either, and does not tell of the login.
  func start(_ command: String, quiet: Bool) throws -> (process: pid_t, descriptor: Int32) {
    // A link that is gone is noticed within a minute.
    let options =
      ["-o", "ServerAliveInterval=15"]
      + (quiet ? ["-o", "BatchMode=yes"] : ["-o", "PermitLocalCommand=yes", "-o", "LocalCommand=echo"])
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, type, 0, &ends) == 0 else {
      throw Failure(.unavailable, tr("cannot create a socket: \(Gettext.reason(errno))"))
    }
    var child = ChildProcess(words(command, options: options), environment: ChildProcess.ownEnvironment)
    child.startsAsInShell = true
    child.streams = (ends[1], ends[1], quiet ? nil : STDERR_FILENO)
    let process = child.start()
    let failure = errno
    close(ends[1])
    guard let process else {
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
