import Alarms
import EggTime
import Ringing

/// A state machine under test, with a clock that the test moves and what came out of the last input.
package struct BubblesBench {
  package static let server = ":1.7 bus"

  package var bubbles: Bubbles
  package var now = Instant(microseconds: 1_795_210_470_000_000)
  package private(set) var effects: [BubbleEffect] = []
  /// What a server that answers by ``answerAll()`` shows: bodies by id.
  package private(set) var screen: [UInt32: String] = [:]
  package private(set) var closed: Set<UInt32> = []
  package private(set) var answers = 0
  /// All reports since the beginning.
  package private(set) var reports: [NotifierReport] = []
  private var unanswered: [(call: UInt64, replaces: UInt32, body: String)] = []
  private var lastID: UInt32 = 0

  package init(ownDisplay: Bool = false) {
    bubbles = Bubbles(wording: .plain, ownDisplay: ownDisplay)
  }

  /// A server that reads no markup is there.
  package static func withServer(capabilities: [String] = []) -> BubblesBench {
    var bench = BubblesBench()
    bench.take(.owner(server))
    bench.take(.capabilities(capabilities))
    return bench
  }

  @discardableResult
  package mutating func take(_ input: BubbleInput) -> [BubbleEffect] {
    effects = bubbles.handle(input, now: now)
    for effect in effects {
      switch effect {
      case .notify(let call, let replaces, _, let content): unanswered.append((call, replaces, content.body))
      case .close(let id):
        screen[id] = nil
        closed.insert(id)
      case .report(let report): reports.append(report)
      case .askCapabilities, .askEnvironment, .sound: break
      }
    }
    if case .closed(let id, _, _) = input { screen[id] = nil }
    if case .answered(let call, let id, _) = input { note(call, id) }
    if case .failed(let call) = input { unanswered.removeAll { $0.call == call } }
    return effects
  }

  private mutating func note(_ call: UInt64, _ id: UInt32) {
    answers += 1
    lastID = max(lastID, id)
    guard let place = unanswered.firstIndex(where: { $0.call == call }) else { return }
    let answered = unanswered.remove(at: place)
    // Unless the answer had it closed at once.
    if !effects.contains(.close(id)) { screen[id] = answered.body }
  }

  /// The server answers all that it was asked, and what it is asked then.
  package mutating func answerAll() {
    answers = 0
    while let next = unanswered.first {
      take(
        .answered(
          call: next.call, bubble: next.replaces == 0 ? lastID + 1 : next.replaces, server: Self.server))
    }
  }

  /// The Notify calls among the last effects.
  package var calls: [(call: UInt64, replaces: UInt32, autoStart: Bool, content: BubbleContent)] {
    effects.compactMap {
      if case .notify(let call, let replaces, let autoStart, let content) = $0 {
        (call, replaces, autoStart, content)
      } else {
        nil
      }
    }
  }

  /// Shows these and lets the server answer with ids from 101 on, in order.
  package mutating func showAnswered(_ notices: [Notice], from first: UInt32 = 101) {
    take(.show(notices, joins: false))
    for (index, call) in calls.enumerated() {
      take(.answered(call: call.call, bubble: first + UInt32(index), server: Self.server))
    }
  }

  /// The ring of alarm `number`, due now unless it is late; its occurrence is 1000 + number.
  package func ring(
    _ number: Int64, occurrence: Int64? = nil, late: TimeSpan = .zero, reason: LateReason? = nil,
    card: AlarmCard = .plain
  ) -> Notice {
    Notice(
      occurrence: occurrence ?? 1_000 + number, number: number, card: card, dueAt: now - late, lateness: late,
      reason: reason)
  }

  /// The text of a bubble that plain alarms share, the first of which has that number.
  package static func sharedBody(_ count: Int, from first: Int = 1) -> String {
    let named = (first..<first + min(count, 6)).map { "#\($0)" }.joined(separator: ", ")
    return "Your eggs are almost done!\n\(count) alarms: \(named)\(count > 6 ? " and \(count - 6) more" : "")"
  }

  package func rings(_ numbers: ClosedRange<Int64>) -> [Notice] { numbers.map { ring($0) } }
}

extension Notice {
  /// That alarm, ringing on time by a clock that was not moved.
  package static func ring(_ number: Int64, _ card: AlarmCard = .plain) -> Notice {
    BubblesBench().ring(number, card: card)
  }
}

/// An effect, and of what a person chose the alarms' numbers alone.
package enum ToldEffect: Equatable {
  case chosen(BubbleChoice, [Int64])
  case effect(BubbleEffect)
}

extension NotifierReport {
  package var told: ToldEffect {
    if case .chosen(let choice, let notices) = self {
      .chosen(choice, notices.map(\.number))
    } else {
      .effect(.report(self))
    }
  }
}

extension BubblesBench {
  package var told: [ToldEffect] {
    effects.map { if case .report(let report) = $0 { report.told } else { .effect($0) } }
  }
}
