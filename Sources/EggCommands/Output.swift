import Alarms
import Gettext
import Glibc
import Varlink

/// The one place that prints: data on standard output, messages on standard error.
///
/// Data is buffered; a message is written at once, after all earlier data.
final class Output {
  enum Channel: Int32 {
    case data = 1
    case messages = 2
  }

  let colours: (data: Bool, messages: Bool)
  private let showsProgress: Bool
  /// Whether data goes to a terminal too.
  private let showsData: Bool
  /// nil if neither channel is a terminal.
  private let terminal: Channel?
  private let write: (Channel, String) throws -> Void
  private var pending = ""
  /// The change so far: `alarm 12 is scheduled`; nil if none was made.
  var done: String?
  private(set) var progressIsShown = false
  /// Turns a hint into the command that is to be entered; nil if that is the hint.
  var rewordHint: ((String) -> String)?

  init(
    colours: (data: Bool, messages: Bool), showsProgress: Bool = false, showsData: Bool = false,
    terminal: Channel? = nil, write: @escaping (Channel, String) throws -> Void
  ) {
    self.colours = colours
    self.showsProgress = showsProgress
    self.showsData = showsData
    self.terminal = terminal
    self.write = write
  }

  /// Buffers data; the text contains its own newlines.
  func data(_ text: String) throws {
    pending += text
    if pending.utf8.count >= 1 << 16 { try flush() }
  }

  /// Prints `eggctl: error: …`, the excerpt, `eggctl: hint: …`; as JSON one object.
  func report(_ failure: Failure, asJSON: Bool = false) throws {
    if asJSON {
      var failure = failure
      if let hint = failure.hint { failure.hint = rewordHint?(hint) ?? hint }
      try flush()
      endProgress()
      return try write(.messages, JSON.text(FailureDocument(failure)) + "\n")
    }
    try message(tr("error"), failure.message, style: .error)
    if let excerpt = failure.excerpt {
      try write(.messages, excerpt.hasSuffix("\n") ? excerpt : excerpt + "\n")
    }
    if let hint = failure.hint { try self.hint(hint) }
  }

  /// Prints `eggctl: hint: …`.
  func hint(_ text: String) throws {
    try message(tr("hint"), rewordHint?(text) ?? text, style: .bold)
  }

  /// Prints `eggctl: …`.
  func note(_ text: String) throws {
    try flush()
    endProgress()
    try write(.messages, "eggctl: \(text)\n")
  }

  /// Prints the first ``mostNotes``, and how many more there are, with so many others.
  func notes(_ texts: [String], others: Int = 0) throws {
    for text in texts.prefix(Self.mostNotes) { try note(text) }
    let others = others + max(texts.count - Self.mostNotes, 0)
    if others > 0 { try note(tr("and \(others) more")) }
  }

  static let mostNotes = 20

  func bell() throws {
    if let terminal { try write(terminal, "\u{7}") }
  }

  /// Shows progress on a terminal, in place of the earlier progress.
  func progress(_ text: String) throws {
    guard showsProgress else { return }
    progressIsShown = true
    try write(.messages, "\r\(text)\u{1b}[K")
  }

  func endProgress() {
    guard progressIsShown else { return }
    progressIsShown = false
    // Without the terminal there is nothing to clean up.
    try? write(.messages, "\r\u{1b}[K")
  }

  private func message(_ kind: String, _ text: String, style: Style) throws {
    try note(style.apply(to: "\(kind):", colours: colours.messages) + " " + text)
  }

  func flush() throws {
    guard !pending.isEmpty else { return }
    let text = pending
    pending = ""
    if showsData { endProgress() }
    do {
      try write(.data, text)
    } catch let failure as Failure {
      guard let done else { throw failure }
      throw Failure(.unwritten, tr("\(done), but \(failure.message)"), hint: "eggctl list")
    }
  }
}

extension Failure {
  static func unwritable(_ code: Int32) -> Failure {
    Failure(.refused, tr("the output could not be written: \(Gettext.reason(code))"))
  }
}

extension Output {
  /// Standard output and error of this process. Colours are for terminals (isatty(3)), unless NO_COLOR is not
  /// empty (no-color.org) or TERM is dumb.
  static func standard(variable: (String) -> String?) -> Output {
    let allowed = (variable("NO_COLOR") ?? "").isEmpty && variable("TERM") != "dumb"
    return Output(
      colours: (allowed && isatty(1) == 1, allowed && isatty(2) == 1),
      showsProgress: isatty(2) == 1 && variable("TERM") != "dumb", showsData: isatty(1) == 1,
      terminal: isatty(2) == 1 ? .messages : isatty(1) == 1 ? .data : nil
    ) { channel, text in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(channel.rawValue, $0.baseAddress, $0.count) }
        if count >= 0 {
          rest = rest.dropFirst(count)
        } else if errno != EINTR {
          throw Failure.unwritable(errno)
        }
      }
    }
  }
}

extension JSON {
  /// One line without a newline, its members sorted, safe to show.
  static func text(_ value: some Encodable) throws -> String {
    String(decoding: try bytes(value, sorted: true), as: UTF8.self).visibleJSON
  }
}
