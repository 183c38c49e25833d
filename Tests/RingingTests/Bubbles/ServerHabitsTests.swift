import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

/// What servers do differently.
@Suite struct ServerHabitsTests {
  private func bench(_ server: String) -> BubblesBench {
    var bench = BubblesBench()
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities([], ServerHabits(of: server)))
    return bench
  }

  private func insisting() -> AlarmCard {
    .plain.changed { $0.insist = .seconds(60) }
  }

  @Test("In GNOME Shell an insisting bubble is closed and shown anew at each repetition, with its buttons")
  func buttons() throws {
    var bench = bench("gnome-shell")
    bench.showAnswered([bench.ring(1, card: insisting())])
    for id in UInt32(101)...103 {
      bench.now = bench.now + .seconds(60)
      bench.take(.insist)
      let call = try #require(bench.calls.first)
      #expect(bench.effects.dropFirst().first == .close(id))
      #expect((call.replaces, call.content.makesSound) == (0, true))
      #expect(call.content.actions == ["default", "Dismiss", "snooze", "Snooze", "again", "Again"])
      bench.take(.closed(bubble: id, byPerson: false, server: BubblesBench.server))
      #expect(bench.effects.isEmpty)
      bench.take(.answered(call: call.call, bubble: id + 1, server: BubblesBench.server))
    }
    bench.take(.closed(bubble: 104, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [.chosen(.dismiss, [1])])
  }

  @Test("What is on the screen since before this start is not replaced before it is known how")
  func unknown() throws {
    var bench = BubblesBench()
    bench.take(.owner(BubblesBench.server))
    var notice = bench.ring(1)
    notice.shown = Notice.ShownBubble(id: 7, server: BubblesBench.server)
    bench.take(.restore([notice]))
    #expect(bench.calls.isEmpty)
    bench.take(.capabilities([], ServerHabits(of: "gnome-shell")))
    #expect(bench.effects.first == .close(7))
    #expect(bench.calls.first?.replaces == 0)
  }

  @Test("Where the newest bubbles are hidden, a further ring joins the one on the screen, with its sound")
  func joins() throws {
    var bench = bench("Plasma")
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(2, card: .with(label: "tea"))], joins: false))
    let call = try #require(bench.calls.first)
    #expect((bench.calls.count, call.replaces, call.content.makesSound) == (1, 101, true))
    #expect(call.content.body == "Your eggs are almost done!\n2 alarms: #1, tea")
    bench.take(.answered(call: call.call, bubble: 101, server: BubblesBench.server))
    bench.take(.end([1_001]))
    #expect(bench.calls.first?.content.body == "Your eggs are almost done!\ntea")
  }

  @Test("In GNOME Shell, which shows one bubble at a time, that one is shown anew for a further ring")
  func shownAnew() throws {
    var bench = bench("gnome-shell")
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(2, card: .with(label: "tea"))], joins: false))
    #expect(bench.effects.first == .close(101))
    let call = try #require(bench.calls.first)
    #expect((bench.calls.count, call.replaces, call.content.makesSound) == (1, 0, true))
    #expect(call.content.body == "Your eggs are almost done!\n2 alarms: #1, tea")
    #expect(call.content.actions == ["default", "Dismiss", "snooze", "Snooze"])
  }

  @Test("The only bubble names two dozen alarms")
  func named() {
    var bench = bench("Plasma")
    for number in Int64(1)...25 {
      bench.take(.show([bench.ring(number)], joins: false))
      bench.answerAll()
    }
    let names = (1...24).map { "#\($0)" }.joined(separator: ", ")
    #expect(
      Array(bench.screen.values) == ["Your eggs are almost done!\n25 alarms: \(names) and 1 more"])
  }

  @Test(
    "Bubbles that were shown before the server was known become one, and the next ring joins it",
    arguments: [1, 3])
  func becomesOne(count: Int64) throws {
    var bench = BubblesBench()
    bench.take(.owner(BubblesBench.server))
    bench.take(.show(bench.rings(1...count), joins: false))
    bench.answerAll()
    bench.take(.capabilities([], ServerHabits(of: "Plasma")))
    bench.answerAll()
    bench.take(.show([bench.ring(count + 1)], joins: false))
    bench.answerAll()
    #expect(Array(bench.screen.values) == [BubblesBench.sharedBody(Int(count) + 1)])
  }
}
