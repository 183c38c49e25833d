import CLibc
import CLinux

/// The timer and the connection of eggd.
///
/// eggd sends moments: eight bytes, little endian, µs since the epoch; 0 for none. Each replaces the one before and is
/// answered by one ``Answer``.
struct Waker {
  /// As eggd reads it (`WakerConnection.Answer`).
  private enum Answer: UInt8 {
    case armed = 0
    case notPermitted = 1
    /// The timer is armed, but no clock of the machine wakes it.
    case noClock = 2
    /// The last moment is past. Not an answer: sent when it happens.
    case past = 3
  }

  /// How long before its moment an alarm wakes the machine, in µs: so that it rings on time, on a machine that is up.
  private static let lead: Int64 = 10_000_000

  /// -1 for none.
  private(set) var connection: CInt = -1
  /// -1 for none.
  private(set) var timer: CInt = -1
  private var moment: Int64 = 0
  /// Of the next moment, as far as it has arrived.
  private var arrived: [UInt8] = []

  private var isConnected: Bool { connection >= 0 }

  /// How long to wait for something, in ms. An eggd that restarts connects again, and the machine wakes in between too.
  /// Without a moment it stays a little: the next alarm need not start it.
  var patience: CInt { isConnected ? -1 : moment == 0 ? 5_000 : 60_000 }

  /// The newest connection is that of the eggd that runs.
  mutating func accept(from listener: CInt) {
    let accepted = clinux_accept(listener)
    guard accepted >= 0 else { return }
    var peer = clinux_ucred()
    guard clinux_peer_credentials(accepted, &peer) == 0, peer.uid == getuid() else {
      close(accepted)
      return
    }
    disconnect()
    connection = accepted
  }

  mutating func receive() {
    var bytes = [UInt8](repeating: 0, count: 8 - arrived.count)
    let count = read(connection, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || clibc_errno() != EAGAIN && clibc_errno() != EINTR { disconnect() }
      return
    }
    arrived += bytes[..<count]
    guard arrived.count == 8 else { return }
    moment = max(Int64(bitPattern: arrived.reversed().reduce(0) { $0 << 8 | UInt64($1) }), 0)
    arrived = []
    send(arm())
  }

  /// The machine may be suspended again between its waking and the ring.
  mutating func elapsed() {
    var count: UInt64 = 0
    guard read(timer, &count, 8) == 8 else { return }
    if Self.now < moment { _ = arm() } else { send(.past) }
  }

  /// Arms the timer for the moment less the lead, or for the moment itself where that is past.
  private mutating func arm() -> Answer {
    if timer < 0 { timer = timerfd_create(CLOCK_REALTIME_ALARM, CInt(TFD_CLOEXEC | TFD_NONBLOCK)) }
    let early = moment - Self.lead
    // A timer for 0 is disarmed.
    let wake = moment == 0 ? 0 : max(Self.now < early ? early : moment, 1)
    var when = itimerspec()
    when.it_value = timespec(tv_sec: Int(wake / 1_000_000), tv_nsec: Int(wake % 1_000_000) * 1_000)
    guard timer >= 0, timerfd_settime(timer, CInt(TFD_TIMER_ABSTIME), &when, nil) == 0 else {
      EggdWake.report(
        "cannot wake this machine: \(String(cString: strerror(clibc_errno()))); CAP_WAKE_ALARM is needed")
      return .notPermitted
    }
    return AlarmClock.isThere ? .armed : .noClock
  }

  private static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
  }

  private func send(_ answer: Answer) {
    var byte = answer.rawValue
    // eggd reads all answers; one that does not fit is one of many that it has not read.
    if isConnected { _ = write(connection, &byte, 1) }
  }

  private mutating func disconnect() {
    if isConnected { close(connection) }
    connection = -1
    arrived = []
  }
}
