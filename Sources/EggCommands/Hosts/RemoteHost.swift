import EggProtocol
import EggTime
import Gettext
import Glibc
import LinuxIO
import Varlink

/// The eggd of another machine: `eggctl bridge` there, over ssh.
final class RemoteHost {
  let name: HostName
  let shell: RemoteShell
  private let now: () -> Instant
  /// The connection that ``open()`` made, until a verb takes it.
  private var ready: ScheduleClient?
  /// The ssh processes that may have to be reaped.
  private var processes: [pid_t] = []
  /// Why the last attempt to connect failed; nil if it did not.
  private(set) var failure: Failure?
  /// Whether eggd there outlives the logout; nil if unknown.
  private(set) var lingers: Bool?
  /// What its clock is ahead of this one. Below a second it may be the way of the answer.
  private(set) var clockLead = TimeSpan.zero

  /// `now` is this machine's clock.
  init(_ name: HostName, now: @escaping () -> Instant) {
    self.name = name
    self.now = now
    shell = RemoteShell(name: name)
  }

  /// Connects and learns how eggd is there. Throws ``Failure``.
  func open() throws {
    do {
      ready = try connect()
    } catch {
      throw failure ?? lost
    }
  }

  /// The same for a verb that runs eggctl there, which says itself why eggd there cannot be reached.
  func openEggctl() throws {
    do { try open() } catch let failure as Failure where failure == Self.unreachable(on: name) {}
  }

  /// A connection that eggd has answered on. It may take as long as a person takes to enter a password.
  func connect() throws(ScheduleClientError) -> ScheduleClient {
    if let client = ready {
      ready = nil
      return client
    }
    failure = nil
    var started: (client: ScheduleClient, process: pid_t)?
    do {
      let (client, process) = try start(quiet: false)
      started = (client, process)
      let asked = now()
      try client.send(StatusCall())
      shell.awaitLogin(client.connection.descriptor)
      let status = try client.receive(StatusCall.self, timeout: RemoteShell.patience)
      lingers = status.linger
      let lead = status.now - (asked + TimeSpan(microseconds: (now() - asked).microseconds / 2))
      clockLead = abs(lead.microseconds) < 1_000_000 ? .zero : lead
      return client
    } catch let error as Failure {
      failure = error
      throw .connection(.disconnected)
    } catch {
      let error = error as? ScheduleClientError ?? .connection(.disconnected)
      if let (client, process) = started { failure = explanation(of: error, client, process) }
      throw error
    }
  }

  /// A connection that nobody has answered on yet: one that fails ends. ssh asks and says nothing.
  func connectQuietly() throws(ScheduleClientError) -> ScheduleClient {
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    do {
      return try start(quiet: true).client
    } catch {
      throw .connection(.disconnected)
    }
  }

  private func start(quiet: Bool) throws -> (client: ScheduleClient, process: pid_t) {
    let (process, descriptor) = try shell.start("exec eggctl bridge --run", quiet: quiet)
    processes.append(process)
    return (ScheduleClient(VarlinkClient(descriptor: descriptor)), process)
  }

  /// A connection that worked has ended.
  var lost: Failure {
    Failure(
      .unavailable, tr("the connection to eggd on \(name.text) was lost before it answered"),
      hint: name.command("eggctl status"))
  }

  private func explanation(
    of error: ScheduleClientError, _ client: ScheduleClient, _ process: pid_t
  ) -> Failure? {
    switch error {
    case .connection(.disconnected):
      processes.removeAll { $0 == process }
      let status = ChildProcess.exitStatus(of: process)
      // What ssh or the shell there ends with is the reason, whatever came before it.
      let isTold = client.connection.hasPart && ![126, 127, 255].contains(status)
      return isTold ? otherAnswer : Self.failure(status: status, on: name)
    case .connection(.timedOut):
      return Failure(
        .timeout, tr("\(name.text) said nothing for \(RemoteShell.patience.components.seconds) s"),
        hint: name.command("eggctl status"))
    case .connection(.protocolViolation): return otherAnswer
    default: return nil
    }
  }

  private var otherAnswer: Failure {
    Failure(
      .unavailable, tr("\(name.text) did not answer as eggd does: its shell may print something at login"),
      hint: tr("\(name.command("true")) must print nothing: see ~/.bashrc and ~/.ssh/authorized_keys there"))
  }

  /// The failure if ssh ended with this status: its own 255, else that of the command there. What either said has been
  /// shown.
  static func failure(status: Int32, on name: HostName, running program: String = "eggctl") -> Failure {
    let host = name.text
    return switch status {
    case 255: Failure(.unavailable, tr("ssh cannot connect to \(host)"), hint: name.command("true"))
    case 127:
      Failure(
        .unavailable, tr("\(program) is not installed on \(host), or not in the PATH of ssh there"),
        hint: name.command("'echo $PATH'"))
    case 126:
      Failure(
        .unavailable, tr("\(program) cannot be run on \(host)"), hint: name.command("type -a \(program)"))
    case ExitStatus.usage.rawValue:
      Failure(
        .unavailable, tr("eggctl on \(host) is older than this one: it has no bridge"),
        hint: name.command("eggctl --version"))
    case ExitStatus.notPermitted.rawValue where program != "eggctl":
      Failure(
        .notPermitted, tr("the ssh key of \(host) does not allow \(program)"),
        hint: tr("run it on that machine itself"))
    default: unreachable(on: name)
    }
  }

  /// eggctl there says why.
  private static func unreachable(on name: HostName) -> Failure {
    Failure(.unavailable, tr("eggd cannot be reached on \(name.text)"), hint: name.command("eggctl doctor"))
  }
}
