import EggTestSupport
import EggTime
import Glibc
import Ringing
import Testing

/// For a user who never dismisses anything.
@Suite struct BubblesBoundTests {
  /// `count` alarms rang one by one, and each was shown.
  private func desk(_ count: Int64) -> BubblesBench {
    var bench = BubblesBench.withServer()
    for number in 1...count {
      bench.take(.show([bench.ring(number)], joins: false))
      bench.answerAll()
    }
    return bench
  }

  @Test("Beyond 64 bubbles, all further alarms share one, which sounds for each")
  func rest() throws {
    var bench = desk(64)
    #expect(bench.screen.count == 64)
    for number in Int64(65)...200 {
      bench.take(.show([bench.ring(number)], joins: false))
      #expect(bench.calls.count == 1)
      #expect(bench.calls.allSatisfy { $0.content.makesSound })
      bench.answerAll()
    }
    #expect(bench.screen.count == 65)
    #expect(bench.screen.values.contains(BubblesBench.sharedBody(136, from: 65)))
  }

  @Test("Shared bubbles count towards the limit")
  func shared() {
    var bench = BubblesBench.withServer()
    for first in stride(from: Int64(1), to: 2_000, by: 10) {
      bench.take(.show(bench.rings(first...first + 9), joins: false))
      bench.answerAll()
    }
    #expect(bench.screen.count == 65)
  }

  @Test("While the shared bubble's update is unanswered, further alarms share one more")
  func coalesced() {
    var bench = desk(66)
    bench.take(.show([bench.ring(67)], joins: false))
    let update = bench.calls
    #expect(update.count == 1)
    for number in Int64(68)...100 { #expect(bench.take(.show([bench.ring(number)], joins: false)) == []) }
    bench.answerAll()
    #expect(bench.answers == 2)
    #expect(bench.screen.values.contains(BubblesBench.sharedBody(36, from: 65)))
  }

  @Test("The limit holds without a server")
  func kept() {
    var bench = BubblesBench()
    for number in Int64(1)...1_000 { bench.take(.show([bench.ring(number)], joins: false)) }
    bench.take(.owner(BubblesBench.server))
    bench.answerAll()
    #expect(bench.screen.values.sorted() == [BubblesBench.sharedBody(1_000)])
  }

  @Test("After a dismissal the next alarm has its own bubble")
  func roomAgain() {
    var bench = desk(70)
    bench.take(.retain(number: 3, ringing: []))
    bench.answerAll()
    bench.take(.show([bench.ring(71, card: .with(label: "alone"))], joins: false))
    bench.answerAll()
    #expect(bench.screen.values.contains("Your eggs are almost done!\nalone"))
    #expect(bench.screen.count == 65)
  }

  @Test("After a restart single bubbles stay single, and the rest share one")
  func restored() {
    var bench = BubblesBench.withServer()
    let notices = (Int64(1)...1_000).map { number in
      var notice = bench.ring(number)
      notice.shown = Notice.ShownBubble(id: UInt32(min(number, 65)), server: BubblesBench.server)
      return notice
    }
    bench.take(.restore(notices))
    #expect(bench.calls.count == 64)
    bench.answerAll()
    #expect(Set(bench.screen.keys) == Set(1...65))
    #expect(bench.screen[65] == BubblesBench.sharedBody(936, from: 65))
    #expect(bench.reports == [])
  }

  @Test(
    "After a restart, excess bubbles are closed, and their alarms join the shared one")
  func restoredTooMany() {
    var bench = BubblesBench.withServer()
    let notices = (1...1_024).map { number in
      var notice = bench.ring(Int64(number))
      notice.shown = Notice.ShownBubble(id: UInt32(number), server: BubblesBench.server)
      return notice
    }
    bench.take(.restore(notices))
    bench.answerAll()
    #expect(bench.closed == Set(66...1_024))
    #expect(Set(bench.screen.keys) == Set(1...65))
    #expect(bench.screen[65] == BubblesBench.sharedBody(960, from: 65))
  }

  @Test(
    "Ending, joining or dismissing one alarm of a shared bubble costs at most in proportion to the others",
    arguments: [BoundCost.end, .join, .answer])
  func flat(cost: BoundCost) {
    func time(_ count: Int64) -> Duration {
      var bench = BubblesBench.withServer()
      bench.take(.show(bench.rings(1...count), joins: false))
      bench.answerAll()
      return (1...5).map { round in
        processorTime {
          for step in Int64(1)...20 {
            let number = Int64(round) * 20 + step
            switch cost {
            case .end: bench.take(.end([1_000 + number]))
            case .join: bench.take(.show([bench.ring(1_000_000 + number)], joins: true))
            case .answer:
              bench.take(.retain(number: number, ringing: []))
              bench.answerAll()
            }
          }
        }
      }.min() ?? .zero
    }
    #expect(time(5_000) < time(500) * 20)
  }
}

/// The time that this thread has taken: others may keep the processors.
func processorTime(_ body: () -> Void) -> Duration {
  func now() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
  let begin = now()
  body()
  return now() - begin
}

enum BoundCost: String {
  case end
  case join
  case answer
}
