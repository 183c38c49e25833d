import Glibc

/// The terminal as a screen of lines. Only lines that changed are written.
final class WatchScreen {
  /// The terminal's bytes come from here.
  let input: Int32
  /// Receives signals that the screen follows, one byte each: SIGWINCH, SIGTSTP, SIGCONT.
  let signals: Int32
  private let found: termios
  /// The current contents; nil if unknown.
  private var shown: WatchView.Picture?

  /// Switches to the alternate screen.
  private static let greeting = "\u{1b}[?1049h"
  /// Hides the cursor, cuts lines at the edge, and brackets pasted text.
  private static let modes = "\u{1b}[?7l\u{1b}[?25l\u{1b}[?2004h"
  /// Without an alternate screen, later output begins at the bottom.
  private static let farewell = "\u{1b}[0m\u{1b}[?2004l\u{1b}[?7h\u{1b}[?25h\u{1b}[999;1H\r\n\u{1b}[?1049l"

  /// The process's terminal. nil if standard output is no terminal, it cannot move the cursor, or there is no
  /// input.
  init?(ofProcess variable: (String) -> String?) {
    guard isatty(1) == 1, let kind = variable("TERM"), kind != "dumb" else { return nil }
    let input = isatty(0) == 1 ? 0 : open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    var attributes = termios()
    var ends: [Int32] = [0, 0]
    guard input >= 0, tcgetattr(input, &attributes) == 0, pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    TerminalKeeper.install(descriptor: input, attributes: attributes, farewell: Self.farewell, told: ends[1])
    self.input = input
    signals = ends[0]
    found = attributes
  }

  func enter() {
    TerminalKeeper.take(true)
    prepare(Self.greeting + Self.modes)
  }

  /// Sets the terminal up again, whatever others did to it meanwhile; the next drawing is complete.
  func goOn() { prepare(Self.modes) }

  private func prepare(_ modes: String) {
    var attributes = found
    cfmakeraw(&attributes)
    // Comes first: in the background it stops the process until that is in the foreground again.
    set(attributes)
    write(modes)
    forget()
  }

  func leave() {
    write(Self.farewell)
    set(found)
    TerminalKeeper.take(false)
  }

  /// Stops until the process is continued.
  func stop() {
    leave()
    TerminalKeeper.stop()
    enter()
  }

  /// Forgets the contents, so that the next drawing is complete.
  func forget() { shown = nil }

  var size: (columns: Int, lines: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Waits for bytes and returns them; nil if the terminal is gone.
  func read() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = Glibc.read(input, &bytes, bytes.count)
      if count > 0 { return Array(bytes[..<count]) }
      if count < 0, errno == EINTR { continue }
      return count < 0 && errno == EAGAIN ? [] : nil
    }
  }

  /// The signals since the last call.
  func readSignals() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(signals, &bytes, bytes.count)
    return bytes.prefix(max(0, count)).map(Int32.init)
  }

  func bell() { write("\u{7}") }

  func show(_ picture: WatchView.Picture) {
    guard picture != shown else { return }
    write(Self.update(from: shown, to: picture))
    shown = picture
  }

  /// The bytes that change the old picture into the new one; a nil picture is unknown.
  static func update(from old: WatchView.Picture?, to new: WatchView.Picture) -> String {
    let isSame = old?.lines.count == new.lines.count
    var text = isSame ? "" : "\u{1b}[H\u{1b}[2J"
    for (index, line) in new.lines.enumerated() {
      if isSame ? old?.lines[index] == line : line.isEmpty { continue }
      text += "\u{1b}[\(index + 1);1H" + (isSame ? "\u{1b}[2K" : "") + line
    }
    if let caret = new.caret {
      text += "\u{1b}[\(caret.line + 1);\(caret.column + 1)H\u{1b}[?25h"
    } else if old == nil || old?.caret != nil {
      text += "\u{1b}[?25l"
    }
    return text
  }

  private func set(_ attributes: termios) {
    var attributes = attributes
    while tcsetattr(input, TCSADRAIN, &attributes) != 0, errno == EINTR {}
  }

  /// Errors are ignored: if the terminal is gone, reading keys notices it.
  private func write(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var entry = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&entry, 1, -1)
      } else if errno != EINTR {
        return
      }
    }
  }
}
