import Glibc

/// Restores the terminal however the process ends, and reports the signals that a screen follows.
///
/// Only one screen at a time, because signal handlers belong to the process.
enum TerminalKeeper {
  /// The handlers' data: plain memory, never freed, set before they are installed. They call only functions
  /// listed in signal-safety(7).
  private struct Kept {
    var descriptor: Int32
    var attributes: termios
    /// Whether the terminal is changed now.
    var isTaken = false
    /// The bytes that restore the screen.
    var farewell: UnsafeMutableBufferPointer<UInt8>
    /// The pipe that receives signal numbers.
    var told: Int32
  }

  nonisolated(unsafe) private static let kept = UnsafeMutablePointer<Kept>.allocate(capacity: 1)

  /// Signals that end the process, its own faults too; SIGKILL cannot be handled.
  private static let deadly = [
    SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS, SIGALRM,
    SIGUSR1, SIGUSR2, SIGXCPU,
  ]
  private static let followed = [SIGWINCH, SIGTSTP, SIGCONT]

  /// Installs the handlers; call it once. `descriptor` is the terminal. Each followed signal writes its
  /// number as a byte to the pipe `told`.
  static func install(descriptor: Int32, attributes: termios, farewell: String, told: Int32) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: farewell.utf8.count)
    _ = bytes.initialize(from: farewell.utf8)
    kept.initialize(
      to: Kept(descriptor: descriptor, attributes: attributes, farewell: bytes, told: told))
    // The fault may be a stack overflow.
    var stack = stack_t()
    stack.ss_size = 1 << 16
    stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stack.ss_size, alignment: 16)
    sigaltstack(&stack, nil)
    let once = Int32(bitPattern: UInt32(SA_RESETHAND))
    for signal in deadly { handle(signal, once | SA_NODEFER | SA_ONSTACK, end) }
    for signal in followed { follow(signal) }
  }

  /// Whether the terminal must be restored at the end.
  static func take(_ isTaken: Bool) { kept.pointee.isTaken = isTaken }

  /// Stops the process group of the terminal, as Control-Z does, until it is continued.
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
    // Restoring from the background must not stop the process.
    sigemptyset(&action.sa_mask)
    sigaddset(&action.sa_mask, SIGTTOU)
    sigaction(signal, &action, nil)
  }

  /// Restores the terminal and ends the process with the same signal, whose default handler is in place
  /// again.
  private static let end: @convention(c) (Int32) -> Void = { number in
    if TerminalKeeper.kept.pointee.isTaken {
      let farewell = TerminalKeeper.kept.pointee.farewell
      _ = write(TerminalKeeper.kept.pointee.descriptor, farewell.baseAddress, farewell.count)
      tcsetattr(TerminalKeeper.kept.pointee.descriptor, TCSANOW, &TerminalKeeper.kept.pointee.attributes)
    }
    raise(number)
  }
}
