import EggProtocol
import EggTime

/// The countdown to one alarm's next ring, on the whole screen.
struct TimerState: ScreenFace {
  let number: Int64
  /// nil before eggd has told, and once it is deleted.
  private(set) var alarm: WireAlarm?
  /// Why eggd tells nothing.
  private(set) var absence: String?
  /// Whether the list that arrives has it.
  private var isListed = false
  var notice: String?
  var isOver = false
  var target: UInt8 { 0 }

  init(number: Int64) { self.number = number }

  private var id: WatchedID { WatchedID(number) }

  mutating func press(_ key: Key, in _: ReadingContext) -> [WatchRequest] {
    notice = nil
    switch key {
    case .character("q"), .escape: isOver = true
    case .character(" "): return [alarm?.state == .paused ? .resume(id) : .pause(id)]
    case .character("+"), .character("="), .up: return [.extend(id, .seconds(60))]
    case .character("-"), .down: return [.extend(id, .seconds(-60))]
    case .character("s"): return [.snooze(id, nil)]
    case .enter: return [.dismiss(id)]
    default: break
    }
    return []
  }

  mutating func apply(_ reply: SubscribeReply, from _: UInt8) {
    switch reply.part {
    case .page: reply.alarms?.first { $0.number == number }.map { show($0) }
    case .change where reply.new?.number == number: reply.new.map { show($0) }
    case .change where reply.new == nil && reply.old?.number == number: leave()
    case .startOver: isListed = false
    case .ready:
      absence = nil
      if !isListed { leave() }
    case .change, .groups, .other: break
    }
  }

  private mutating func show(_ new: WireAlarm) {
    isListed = true
    // Who dismisses it, wherever, is done with it.
    if alarm?.state == .ringing, new.state == .rung { isOver = true }
    // What was said before would hide the keys of the ring.
    if alarm?.state != .ringing, new.state == .ringing { notice = nil }
    alarm = new
  }

  private mutating func leave() {
    alarm = nil
    isOver = true
  }

  mutating func apply(_ outcome: WatchOutcome, from _: UInt8) { notice = outcome.notice ?? notice }

  mutating func fail(_: WatchRequest, _ reason: String) { notice = reason }

  mutating func lose(_ reason: String, from _: UInt8) {
    absence = reason
    isListed = false
  }

  // Each second is drawn as it begins.
  var pause: Duration { .zero }

  func isRing(_ reply: SubscribeReply) -> Bool { reply.isRing && reply.new?.number == number }

  mutating func draw(_ size: (columns: Int, lines: Int), _ moments: Moments, colours: Bool) -> (
    WatchView.Picture, change: Instant?
  ) {
    let view = TimerView(state: self, moments: moments, columns: size.columns, lines: size.lines)
    let change = view.left.flatMap { $0 > .zero && alarm?.state != .paused ? $0 : nil }
    // The second that is shown lasts until the next whole one.
    return (
      WatchView.Picture(lines: view.picture().map { $0.text(in: size.columns, colours: colours) }),
      change.map { moments.now + TimeSpan(microseconds: ($0.microseconds - 1) % 1_000_000 + 1) }
    )
  }
}
