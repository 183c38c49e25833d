import Alarms
import EggDaemon
import EggTime

/// A state machine under test, with a clock that the test moves and what came out of the last input.
struct Bench {
  static let server = ":1.7 bus"

  var bubbles: Bubbles
  var now = Instant(microseconds: 1_795_210_470_000_000)
  private(set) var effects: [BubbleEffect] = []

  init(ownDisplay: Bool = false) {
    bubbles = Bubbles(wording: .plain, ownDisplay: ownDisplay)
  }

  /// A server that reads no markup is there.
  static func withServer(capabilities: [String] = []) -> Bench {
    var bench = Bench()
    bench.take(.owner(server))
    bench.take(.capabilities(capabilities))
    return bench
  }

  @discardableResult
  mutating func take(_ input: BubbleInput) -> [BubbleEffect] {
    effects = bubbles.handle(input, now: now)
    return effects
  }

  /// The Notify calls among the last effects.
  var calls: [(call: UInt64, replaces: UInt32, autoStart: Bool, content: BubbleContent)] {
    effects.compactMap {
      if case .notify(let call, let replaces, let autoStart, let content) = $0 {
        (call, replaces, autoStart, content)
      } else {
        nil
      }
    }
  }

  /// Shows these and lets the server answer with ids from 101 on, in order.
  mutating func showAnswered(_ notices: [Notice], from first: UInt32 = 101) {
    take(.show(notices, joins: false))
    for (index, call) in calls.enumerated() {
      take(.answered(call: call.call, bubble: first + UInt32(index), server: Self.server))
    }
  }

  /// The ring of alarm `number`, due now unless it is late; its occurrence is 1000 + number.
  func ring(_ number: Int64, late: TimeSpan = .zero, reason: LateReason? = nil, card: AlarmCard = .plain)
    -> Notice
  {
    Notice(
      occurrence: 1_000 + number, number: number, card: card, dueAt: now - late, lateness: late,
      reason: reason)
  }

  func rings(_ numbers: ClosedRange<Int64>) -> [Notice] { numbers.map { ring($0) } }
}

extension NoticeWording {
  /// Moments and spans as bare seconds; Again for countdowns alone.
  static var plain: NoticeWording {
    NoticeWording(
      moment: { "@\($0.microseconds / 1_000_000)" }, span: { "\($0.microseconds / 1_000_000) s" },
      offersAgain: { $0 == "6m30s" })
  }
}

extension AlarmCard {
  static let plain = AlarmCard(
    id: AlarmID(), label: nil, summary: nil, body: nil, icon: nil, expression: "6m30s")

  static func with(label: String? = nil, summary: String? = nil, body: String? = nil) -> AlarmCard {
    AlarmCard(
      id: AlarmID(), label: label, summary: summary, body: body, icon: nil, expression: "6m30s")
  }
}

extension Notice {
  /// That alarm, ringing on time by a clock that was not moved.
  static func ring(_ number: Int64, _ card: AlarmCard = .plain) -> Notice {
    Bench().ring(number, card: card)
  }
}
