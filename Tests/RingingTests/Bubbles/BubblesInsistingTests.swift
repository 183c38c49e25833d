import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

/// Bubble and sound are repeated until a ring is answered.
@Suite struct BubblesInsistingTests {
  private func insisting(_ span: TimeSpan = .seconds(60)) -> AlarmCard {
    .plain.changed { $0.insist = span }
  }

  private func heard(_ effects: [BubbleEffect]) -> [Int64] {
    effects.flatMap { effect in
      if case .sound(let notices) = effect { notices.map(\.number) } else { [Int64]() }
    }
  }

  @Test("An insisting alarm's bubble is sent again with a sound after its span, and again")
  func repeats() throws {
    var bench = BubblesBench.withServer()
    let began = bench.now
    bench.showAnswered([bench.ring(1, card: insisting()), bench.ring(2)])
    #expect(bench.bubbles.nextRepetition == began + .seconds(60))
    for minute in Int64(1)...3 {
      bench.now = began + .seconds(60 * minute)
      bench.take(.insist)
      let call = try #require(bench.calls.first)
      #expect(bench.calls.count == 1)
      #expect((call.replaces, call.content.makesSound) == (101, true))
      #expect(heard(bench.effects) == [1])
      bench.take(.answered(call: call.call, bubble: 101, server: BubblesBench.server))
      #expect(bench.bubbles.nextRepetition == began + .seconds(60 * (minute + 1)))
    }
  }

  @Test("An answer ends the repetition", arguments: ["dismiss", "delete"])
  func answered(how: String) {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, card: insisting())])
    bench.take(
      how == "dismiss"
        ? .closed(bubble: 101, byPerson: true, server: BubblesBench.server)
        : .retain(number: 1, ringing: []))
    #expect(bench.bubbles.nextRepetition == nil)
    bench.now = bench.now + .seconds(60)
    #expect(bench.take(.insist) == [])
  }

  @Test("After an hour nothing is repeated, and no timer is needed")
  func anHour() {
    var bench = BubblesBench.withServer()
    let began = bench.now
    bench.showAnswered([bench.ring(1, card: insisting())])
    var times = 0
    while let next = bench.bubbles.nextRepetition {
      bench.now = next
      bench.take(.insist)
      bench.answerAll()
      times += 1
      if times > 100 { break }
    }
    #expect(times == 60)
    #expect(bench.now == began + .seconds(3_600))
    #expect(bench.bubbles.shownOccurrences == [1_001])
  }

  @Test("Without a server it is heard all the same")
  func withoutServer() {
    var bench = BubblesBench()
    bench.take(.show([bench.ring(1, card: insisting(.seconds(10)))], joins: false))
    bench.now = bench.now + .seconds(10)
    bench.take(.insist)
    #expect(heard(bench.effects) == [1])
  }

  @Test("A shared bubble is repeated for those of its alarms that insist")
  func shared() {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6) + [bench.ring(7, card: insisting(.seconds(30)))])
    bench.now = bench.now + .seconds(30)
    bench.take(.insist)
    #expect(heard(bench.effects) == [7])
    #expect(bench.calls.map(\.replaces) == [101])
    bench.take(.answered(call: bench.calls[0].call, bubble: 101, server: BubblesBench.server))
    bench.take(.end([1_007]))
    bench.now = bench.now + .seconds(30)
    bench.take(.insist)
    #expect(heard(bench.effects) == [])
    #expect(bench.bubbles.nextRepetition == nil)
  }

  @Test("A clock that is set does not silence it for longer than its span")
  func clockSet() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, card: insisting())])
    bench.now = bench.now - .seconds(86_400)
    bench.take(.insist)
    #expect(heard(bench.effects) == [1])
    #expect(bench.bubbles.nextRepetition == bench.now + .seconds(60))
  }
}
