import Alarms
import EggTime
import Ringing
import Synchronization

/// A scheduler that keeps what the store tells it and answers holds as a test wants.
package final class RecordingObserver: ScheduleObserver {
  package enum Heard {
    case hold(NumberSet, HoldID)
    case unrecorded(NumberSet)
    case news(StoreNews)
    case takenUp(Refill)
  }

  package let heard = Kept<Heard>()
  package let remembered = Kept<HeadEntry>()
  private let answer = Mutex<@Sendable (NumberSet) -> [RingRecord]>({ _ in [] })

  /// What holds and questions for the unrecorded are answered with from now on.
  package func answer(_ rings: @escaping @Sendable (NumberSet) -> [RingRecord]) {
    answer.withLock { $0 = rings }
  }

  package func hold(_ numbers: NumberSet, as hold: HoldID) -> [RingRecord] {
    heard.append(.hold(numbers, hold))
    return answer.withLock { $0 }(numbers)
  }

  package func takeUp(_ head: Refill) { heard.append(.takenUp(head)) }

  package func unrecorded(_ numbers: NumberSet) -> [RingRecord] {
    heard.append(.unrecorded(numbers))
    return answer.withLock { $0 }(numbers)
  }

  package func stored() -> [HeadEntry] { remembered.all }

  package func deliver(_ news: StoreNews) { heard.append(.news(news)) }

  /// One word for each thing heard, in order.
  package var words: [String] {
    heard.all.map { heard in
      switch heard {
      case .takenUp: "takenUp"
      case .hold: "hold"
      case .unrecorded: "unrecorded"
      case .news(.refilled): "refilled"
      case .news(.refillFailed): "refillFailed"
      case .news(.changed): "changed"
      case .news(.holdEnded): "held"
      case .news(.recorded(_, let stored)): stored ? "recorded" : "unstored"
      case .news(.ended): "ended"
      case .news(.ringingUnknown): "ringingUnknown"
      case .news(.ringing): "ringing"
      }
    }
  }

  package var moments: [AlarmMoments] {
    heard.all.flatMap { heard -> [AlarmMoments] in
      guard case .news(.changed(let moments)) = heard else { return [] }
      return moments
    }
  }

  package var refills: [Refill] {
    heard.all.compactMap { heard -> Refill? in
      guard case .news(.refilled(let refill)) = heard else { return nil }
      return refill
    }
  }

  /// What was told synchronously, at the begin of a transaction.
  package var heads: [Refill] {
    heard.all.compactMap { heard -> Refill? in
      if case .takenUp(let head) = heard { head } else { nil }
    }
  }
}
