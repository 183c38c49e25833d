import EggProtocol
import EggTime
import Gettext
import Varlink

/// `eggctl next --follow`: prints a line whenever the shown text changes. Asks eggd only after a change that
/// concerns the shown alarm, and wakes only when the time left reads differently.
final class NextFollowing {
  private enum Shown {
    case alarm(WireAlarm)
    case nothing
    case away

    var alarm: WireAlarm? {
      if case .alarm(let alarm) = self { alarm } else { nil }
    }
  }

  private let surroundings: Surroundings
  private let format: NextFormat?
  private let isPlain: Bool
  private var shown = Shown.away
  private var line: String?
  /// To another machine, where each connection is a login.
  private var connection: Connection?

  init(_ surroundings: Surroundings, format: NextFormat?, isPlain: Bool) {
    self.surroundings = surroundings
    self.format = format
    self.isPlain = isPlain
  }

  /// Runs until the reader is gone.
  func run() throws {
    var isStale = false
    // eggd is asked once all messages that have arrived were read.
    try surroundings.follow(
      SubscribeCall(pages: false), until: { isStale ? .now : try wake() }
    ) { event, stream in
      switch event {
      case .message(let message): isStale = isStale || concerns(message)
      case .refused(.tooSlow): try stream.begin()
      case .refused(let error):
        throw Connection.failure(of: .refused(error), precondition: nil, surroundings)
      case .away:
        shown = .away
        try show()
      case .time:
        if isStale { try ask() }
        isStale = false
        try show()
      case .back, .readable, .readerGone: break
      }
    }
  }

  /// Whether another alarm may be next, or the shown one changed.
  private func concerns(_ message: SubscribeReply) -> Bool {
    guard message.part == .change else { return true }
    guard let alarm = shown.alarm, let due = alarm.due else { return true }
    if message.old?.number == alarm.number || message.new?.number == alarm.number { return true }
    return message.new?.due.map { $0 <= due } ?? false
  }

  private func ask() throws {
    do {
      if connection?.client.connection.hasEnded == true { connection = nil }
      let connection = try self.connection ?? Connection(surroundings)
      if surroundings.host != nil { self.connection = connection }
      shown = try connection.nextAlarm().map { .alarm($0) } ?? .nothing
    } catch let failure as Failure where failure.status == .unavailable {
      // The stream has ended; it begins again when eggd is back.
    }
  }

  /// When the shown text changes by itself.
  private func wake() throws -> ContinuousClock.Instant? {
    guard format?.showsLeft ?? true, let due = shown.alarm?.due,
      let span = SpanText.leftLasts(due - surroundings.now())
    else { return nil }
    return .now + .microseconds(span.microseconds)
  }

  private func show() throws {
    let line = try text()
    guard line != self.line else { return }
    self.line = line
    try surroundings.output.data(line + "\n")
    try surroundings.output.flush()
  }

  private func text() throws -> String {
    var bar = BarLine(text: "", tooltip: "", class: "", alt: "")
    switch shown {
    case .away: (bar.class, bar.tooltip) = ("away", tr("eggd is not running"))
    case .nothing: (bar.class, bar.tooltip) = ("none", tr("no alarm is waiting"))
    case .alarm(let alarm):
      let moments = try Moments(surroundings)
      let label = alarm.label.map { " " + $0.visible } ?? ""
      let left = alarm.due.map { SpanText.left($0 - moments.now) } ?? ""
      bar.text = format?.text(alarm, moments) ?? left + label
      bar.tooltip = "#\(alarm.number) \(alarm.due.map(moments.text) ?? "")\(label)"
      bar.class = alarm.state.rawValue
    }
    bar.alt = bar.class
    return isPlain ? bar.text : try JSON.text(bar)
  }
}

/// A line for waybar's custom modules with `"return-type": "json"`, waybar-custom(5).
private struct BarLine: Encodable {
  var text: String
  var tooltip: String
  var `class`: String
  var alt: String
}
