import Glibc

/// Gives the terminal back however the process ends, and tells of the signals that a screen follows.
///
/// One screen at a time: signal handlers belong to the process.
enum TerminalKeeper {
  /// What the handlers use: plain memory that is never freed, set before they are installed. They call nothing but
  /// what signal-safety(7) lists.
  private struct Kept {
    var descriptor: Int32
    /// As they were found.
    var attributes: termios
    /// Whether the terminal is not as it was found.
    var isTaken = false
    /// What makes the screen as it was.
    var farewell: UnsafeMutableBufferPointer<UInt8>
    /// Signals' numbers go there.
    var told: Int32
  }

  nonisolated(unsafe) private static let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)

  /// End the process, by faults of its own too; not SIGKILL.
  private static let deadly = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGALRM,
    SIGUSR1, SIGUSR2, SIGXCPU,
  ]
  private static let followed = [SIGWINCH, SIGTSTP, SIGCONT]

  /// Installs the handlers; to be called once. `descriptor` is the terminal, `told` the end of a pipe that followed
  /// signals are written to, a byte each.
  static func install(descriptor: Int32, attributes: termios, farewell: String, told: Int32) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: farewell.utf8.count)
    _ = bytes.initialize(from: farewell.utf8)
    kept.initialize(
      to: Kept(descriptor: descriptor, attributes: attributes, farewell: bytes, told: told))
    // a fault may be that of a full stack
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    let once = Int32(bitPattern: UInt32(SA_RESETHAND))
    for signal in deadly { handle(signal, once | SA_NODEFER | SA_ONSTACK, end) }
    for signal in followed { follow(signal) }
  }

  /// Whether the terminal is to be given back at the end.
  static func take(_ isTaken: Bool) { kept.pointee.isTaken = isTaken }

  /// Stops the process and those that it shares the terminal with, as Control-Z does, until it is told to go on.
  static func stop() {
    signal(SIGTSTP, SIG_DFL)
    kill(0, SIGTSTP)
    follow(SIGTSTP)
  }

  private static func follow(_ signal: Int32) {
    handle(signal, SA_RESTART) { number in
      let code = errno
      var byte = UInt8(truncatingIfNeeded: number)
      _ = write(TerminalKeeper.kept.pointee.told, &byte, 1)
      errno = code
    }
  }

  private static func handle(
    _ signal: Int32, _ flags: Int32, _ handler: @escaping @convention(c) (Int32) -> Void
  ) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = handler
    action.sa_flags = flags
    // giving back from the background must not stop the process instead
    sigemptyset(&action.sa_mask)
    sigaddset(&action.sa_mask, SIGTTOU)
    sigaction(signal, &action, nil)
  }

  /// Gives the terminal back and ends the process by the same signal: its handler is the default one again.
  private static let end: @convention(c) (Int32) -> Void = { number in
    if TerminalKeeper.kept.pointee.isTaken {
      let farewell = TerminalKeeper.kept.pointee.farewell
      _ = write(TerminalKeeper.kept.pointee.descriptor, farewell.baseAddress, farewell.count)
      tcsetattr(TerminalKeeper.kept.pointee.descriptor, TCSANOW, &TerminalKeeper.kept.pointee.attributes)
    }
    raise(number)
  }
}
