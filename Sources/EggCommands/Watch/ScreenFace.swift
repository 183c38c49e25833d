import EggProtocol
import EggTime

/// What a whole screen shows. Pure: only messages from eggd, keys and the passage of time change it.
protocol ScreenFace {
  var isOver: Bool { get set }
  /// A message shown until the next key.
  var notice: String? { get set }
  /// The machine that requests without an alarm go to.
  var target: UInt8 { get }

  /// Handles a key and returns the requests to send. `context` is for reading times.
  mutating func press(_ key: Key, in context: ReadingContext) -> [WatchRequest]
  mutating func apply(_ reply: SubscribeReply, from host: UInt8)
  mutating func apply(_ outcome: WatchOutcome, from host: UInt8)
  /// The request failed, for this reason.
  mutating func fail(_ request: WatchRequest, _ reason: String)
  /// The connection ended; a new one sends the list again.
  mutating func lose(_ reason: String, from host: UInt8)
  /// Whether the terminal's bell is to ring.
  func isRing(_ reply: SubscribeReply) -> Bool
  /// How long at least a picture stays that changes by time alone.
  var pause: Duration { get }
  /// Also says when the picture next changes by time alone.
  mutating func draw(_ size: (columns: Int, lines: Int), _ moments: Moments, colours: Bool) -> (
    WatchView.Picture, change: Instant?
  )
}

extension WatchState: ScreenFace {
  func isRing(_ reply: SubscribeReply) -> Bool { reply.isRing }
  var pause: Duration { .seconds(1) }

  mutating func draw(_ size: (columns: Int, lines: Int), _ moments: Moments, colours: Bool) -> (
    WatchView.Picture, change: Instant?
  ) {
    let layout = WatchLayout(
      columns: size.columns, lines: size.lines, groups: groups.count, groupWidth: groupWidth,
      footer: footerLines)
    prepare(rows: layout.rows)
    let view = WatchView(state: self, moments: moments, layout: layout, colours: colours)
    keepDetails(within: view.lastDetailsTop)
    return (view.picture(), view.nextChange())
  }
}
