import CLibc

/// `eggd-wake`: wakes the machine from suspend in time for an alarm. eggd tells it the moment; it keeps one timer armed.
/// The service manager starts it when eggd connects. It is a process of its own, because such a timer needs
/// CAP_WAKE_ALARM, which no process in eggd's sandbox can have.
@main
struct EggdWake {
  /// sd_listen_fds(3).
  private static let listener: CInt = 3

  static func main() {
    guard number("LISTEN_FDS") == 1, number("LISTEN_PID") == getpid() else {
      report("eggd-wake is started by eggd-wake.socket")
      exit(64)
    }
    clibc_ignore(SIGPIPE)
    var waker = Waker()
    while true {
      var watched = [listener, waker.connection, waker.timer].map {
        pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
      }
      let count = poll(&watched, nfds_t(watched.count), waker.patience)
      // Nobody wants the machine to wake any more.
      if count == 0 { exit(0) }
      guard count > 0 else { continue }
      if watched[2].revents != 0 { waker.elapsed() }
      if watched[1].revents != 0 { waker.receive() }
      if watched[0].revents != 0 { waker.accept(from: listener) }
    }
  }

  /// Of the environment.
  private static func number(_ name: String) -> CInt? { getenv(name).flatMap { CInt(String(cString: $0)) } }

  /// One line in the journal.
  static func report(_ text: String) {
    let line = Array("<4>\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
  }
}
