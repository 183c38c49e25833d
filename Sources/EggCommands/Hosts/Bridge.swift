import ArgumentParser
import EggProtocol
import Gettext
import Glibc
import LinuxIO
import Varlink

struct Bridge: Verb {
  static let configuration = CommandConfiguration(
    "bridge", tr("Connect standard input and output to eggd, for eggctl -H."),
    discussion: """
      eggctl -H runs this command on the other machine over ssh; nobody else needs
      it. It ends when either side does. A key that may only do this, in
      ~/.ssh/authorized_keys:

      restrict,command="eggctl bridge" ssh-ed25519 AAAA… alarms

      Over such a key no alarm gets a command (schedule --run), and none that has
      one is repeated or brought back.
      """)

  @Flag(
    name: .customLong("run"), inversion: .prefixedNo,
    help: "Let alarms get commands, as eggctl -H asks where it may start any program.")
  var passesCommands = false

  func run(in surroundings: Surroundings) throws {
    do {
      let asked = surroundings.variable("SSH_ORIGINAL_COMMAND")
      if let asked, !asked.contains("bridge") {
        throw Failure(.notPermitted, tr("the ssh key allows eggctl bridge alone"))
      }
      let connection = try Connection(surroundings)
      if let from = surroundings.variable("SSH_CONNECTION")?.split(separator: " ").first {
        // Without an answer, which an older eggd would refuse.
        try? connection.client.connection.oneway(RelayCall.qualifiedName, RelayCall(from: String(from)))
      }
      // sshd(8), for a bound key: unset where the other side asks for a shell.
      if !passesCommands || asked != nil {
        _ = try connection.read(ForbidCommandsCall())
      }
      signal(SIGPIPE, SIG_IGN)
      var bytes = BridgedBytes(eggd: connection.client.connection.descriptor)
      try bytes.copy(surroundings)
    } catch var failure as Failure {
      // The caller's eggctl gives a hint; this one would be typed on the wrong machine.
      failure.hint = nil
      throw failure
    }
  }
}

/// The bytes of both directions. Neither waits for the other.
private struct BridgedBytes {
  private static let most = 1 << 16
  /// A pipe that poll(2) calls writable takes so many bytes without blocking (pipe(7)).
  private static let portion = 4_096

  let eggd: Int32
  var toEggd: [UInt8] = []
  var fromEggd: [UInt8] = []
  var hasAnswered = false

  /// Returns when either side has ended. Throws ``Failure`` if eggd cannot start.
  mutating func copy(_ surroundings: Surroundings) throws {
    let watch = surroundings.unit.map { UnitWatch($0) }
    var looks = (watch == nil ? [] : UnitWatch.looks)[...]
    var asked: ContinuousClock.Instant?
    while true {
      var look: ContinuousClock.Instant?
      if !hasAnswered, let asked, let next = looks.first { look = asked + next }
      let ready = wait(until: look)
      if ready.input, toEggd.isEmpty {
        guard let bytes = Self.read(0) else { return }
        toEggd = bytes
        if asked == nil { asked = .now }
      }
      if ready.eggd, fromEggd.isEmpty {
        if let bytes = Self.read(eggd) {
          fromEggd = bytes
          hasAnswered = true
        } else {
          return
        }
      }
      if !toEggd.isEmpty {
        guard Self.pass(&toEggd, { send(eggd, $0, $1, Int32(MSG_DONTWAIT)) }) else { return }
      }
      if ready.output, !fromEggd.isEmpty {
        guard Self.pass(&fromEggd, { write(1, $0, min($1, Self.portion)) }) else { return }
      }
      if ready.isOver { return }
      if let look, look <= .now, let watch {
        looks = looks.dropFirst()
        if !watch.goesOn() { throw Connection.unitFailure(surroundings) ?? Connection.lateness }
      }
    }
  }

  private func wait(until deadline: ContinuousClock.Instant?) -> (
    input: Bool, output: Bool, eggd: Bool, isOver: Bool
  ) {
    let (input, output) = (Int16(POLLIN), Int16(POLLOUT))
    var entries = [
      pollfd(fd: toEggd.isEmpty ? 0 : -1, events: input, revents: 0),
      // Without events it still tells that nobody reads any more.
      pollfd(fd: 1, events: fromEggd.isEmpty ? 0 : output, revents: 0),
      // Otherwise its end would be told again and again before all of it has been passed on.
      pollfd(
        fd: fromEggd.isEmpty || !toEggd.isEmpty ? eggd : -1,
        events: (fromEggd.isEmpty ? input : 0) | (toEggd.isEmpty ? 0 : output), revents: 0),
    ]
    guard poll(&entries, 3, deadline?.pollTime ?? -1) > 0 else { return (false, false, false, false) }
    let gone = Int16(POLLERR | POLLHUP | POLLNVAL)
    return (
      entries[0].revents != 0, entries[1].revents & output != 0, entries[2].revents & (input | gone) != 0,
      entries[1].revents & gone != 0
    )
  }

  /// nil at the end.
  private static func read(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: most)
    let count = Glibc.read(descriptor, &bytes, most)
    if count < 0, errno == EINTR || errno == EAGAIN { return [] }
    return count > 0 ? Array(bytes[..<count]) : nil
  }

  /// Passes on what is taken at once; false if the other side is gone.
  private static func pass(_ bytes: inout [UInt8], _ take: (UnsafeRawPointer?, Int) -> Int) -> Bool {
    let count = bytes.withUnsafeBytes { take($0.baseAddress, $0.count) }
    if count < 0 { return errno == EAGAIN || errno == EINTR }
    bytes.removeFirst(count)
    return true
  }
}
