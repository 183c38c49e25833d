import EggProtocol
import Gettext

/// Prints the list and then its changes, if there is no screen.
struct WatchLines {
  let surroundings: Surroundings
  /// Whether the terminal's bell rings.
  let rings: Bool

  /// Prints until the reader is gone. Throws ``Failure`` if eggd is not running at the beginning.
  func run() throws {
    let output = surroundings.output
    try surroundings.follow(SubscribeCall()) { event, stream in
      switch event {
      case .message(let message): try print(message)
      case .refused(.tooSlow):
        try output.hint(tr("changes came too fast; all alarms follow"))
        try stream.begin()
      case .refused(let error):
        throw Connection.failure(of: .refused(error), precondition: nil, surroundings)
      case .away: try output.hint(tr("eggd is away; all alarms follow when it is back"))
      case .back: try output.hint(tr("eggd is back; all alarms follow"))
      case .time, .readable, .readerGone: break
      }
    }
  }

  private func print(_ message: SubscribeReply) throws {
    let output = surroundings.output
    let text = AlarmText(moments: try Moments(surroundings))
    switch message.part {
    case .page: for alarm in message.alarms ?? [] { try output.data(text.line(alarm)) }
    case .change:
      let line = Self.line(from: message.old, to: message.new, text)
      if !line.isEmpty { try output.data(line) }
    case .startOver: try output.hint(tr("any alarm may have changed; all alarms follow"))
    case .ready, .groups, .other: break
    }
    if message.part != .page { try output.flush() }
    if rings, message.isRing { try output.bell() }
  }

  /// What happened, in one word, then the alarm; empty if nothing is known.
  static func line(from old: WireAlarm?, to new: WireAlarm?, _ text: AlarmText) -> String {
    switch (old, new) {
    case (nil, nil): ""
    case (nil, let new?): said(tr("created")) + text.line(new)
    case (let old?, nil): said(tr("deleted")) + text.line(old)
    case (let old?, let new?) where old.beforeNotice == new.beforeNotice: ""
    case (let old?, let new?): said(new.rings(after: old) ? tr("rings") : tr("changed")) + text.line(new)
    }
  }

  /// The word with blanks up to the alarm.
  private static func said(_ word: String) -> String {
    word + String(repeating: " ", count: max(1, 9 - word.displayWidth))
  }
}

extension WireAlarm {
  /// Without the moments at which journal and desktop took its ring.
  fileprivate var beforeNotice: WireAlarm {
    var alarm = self
    alarm.latest?.journaledAt = nil
    alarm.latest?.shownAt = nil
    return alarm
  }
}
