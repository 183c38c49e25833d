import EggTestSupport
import EggTime
import Testing

/// An action on a bubble concerns only what its text said.
@Suite struct BubblesUnseenTests {
  /// Six share bubble 101, and a seventh is on its way there.
  private func joining() throws -> (bench: BubblesBench, call: UInt64) {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.show([bench.ring(7, card: .with(label: "new"))], joins: true))
    return (bench, try #require(bench.calls.first).call)
  }

  @Test("Closing a shared bubble while an alarm joins it dismisses only the others")
  func closedWhileJoining() throws {
    var (bench, call) = try joining()
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.chosen(.dismiss, Array(1...6))])
    #expect(bench.bubbles.shownOccurrences == [1_007])
    // The server's updated bubble names all seven.
    bench.take(.answered(call: call, bubble: 101, server: BubblesBench.server))
    #expect(bench.calls.map(\.replaces) == [101])
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\nnew"])
  }

  @Test(
    "A choice on it dismisses only the others too, without closing its replacement",
    arguments: ["default", "snooze"])
  func chosenWhileJoining(action: String) throws {
    var (bench, call) = try joining()
    bench.take(.chosen(bubble: 101, action: action, server: BubblesBench.server))
    let numbers = Array(Int64(1)...6)
    #expect(
      bench.told == [ToldEffect.chosen(action == "snooze" ? .snooze(nil) : .dismiss, numbers)])
    #expect(bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server)) == [])
    bench.take(.answered(call: call, bubble: 101, server: BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\nnew"])
  }

  @Test(
    "An alarm that waits to be named gets its own bubble when the shared one is closed",
    arguments: [true, false])
  func closedBeforeUpdate(byPerson: Bool) throws {
    var (bench, call) = try joining()
    bench.take(.show([bench.ring(8)], joins: true))
    #expect(bench.take(.failed(call: call)) == [])
    bench.take(.closed(bubble: 101, byPerson: byPerson, server: BubblesBench.server))
    let update = try #require(bench.calls.first)
    #expect(update.replaces == 0)
    #expect(
      update.content.body
        == (byPerson ? "Your eggs are almost done!\n2 alarms: new, #8" : BubblesBench.sharedBody(8)))
  }

  @Test("After the update is answered, closing dismisses all")
  func closedAfterJoining() throws {
    var (bench, call) = try joining()
    bench.take(.answered(call: call, bubble: 101, server: BubblesBench.server))
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.chosen(.dismiss, Array(1...7))])
  }

  @Test(
    "A bubble closed while its alarm rings again is shown again", arguments: [nil, "snooze", "again"])
  func closedWhileRinging(action: String?) throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(1, occurrence: 2_001)], joins: false))
    let call = try #require(bench.calls.first).call
    if let action {
      bench.take(.chosen(bubble: 101, action: action, server: BubblesBench.server))
    } else {
      bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    }
    #expect(bench.effects == [])
    bench.take(.answered(call: call, bubble: 101, server: BubblesBench.server))
    #expect(bench.bubbles.shownOccurrences == [2_001])
    bench.answerAll()
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.chosen(.dismiss, [1])])
  }

  @Test("An update that the server refuses is sent with the next ring")
  func refusedUpdate() throws {
    var (bench, call) = try joining()
    #expect(bench.take(.failed(call: call)) == [])
    bench.take(.show([bench.ring(20)], joins: false))
    #expect(Set(bench.calls.map(\.replaces)) == [0, 101])
  }
}

/// Alarms that ring repeatedly.
@Suite struct BubblesRecurringTests {
  @Test("A later occurrence replaces an unanswered bubble, with a sound")
  func takesPlace() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.now = bench.now + .seconds(60)
    bench.take(.show([bench.ring(1, occurrence: 2_001)], joins: false))
    let call = try #require(bench.calls.first)
    #expect(bench.effects.count == 1)
    #expect(call.replaces == 101)
    #expect(call.content.makesSound)
    #expect(call.content.body == "Your eggs are almost done!")
    #expect(bench.bubbles.shownOccurrences == [2_001])
  }

  @Test("An alarm that rings every second at a hanging server has one call and one bubble")
  func hangs() throws {
    var bench = BubblesBench.withServer()
    for round in Int64(1)...300 {
      bench.take(.show([bench.ring(1, occurrence: 2_000 + round)], joins: false))
      #expect(bench.calls.count == (round == 1 ? 1 : 0))
    }
    #expect(bench.bubbles.shownOccurrences == [2_300])
    bench.answerAll()
    #expect(bench.screen.count == 1)
    #expect(bench.answers == 2)
    #expect(bench.closed == [])
  }

  @Test("Alarms that ring together replace the bubble that they shared")
  func together() {
    var bench = BubblesBench.withServer()
    for round in Int64(0)..<20 {
      bench.take(.show((1...10).map { bench.ring($0, occurrence: 2_000 + 100 * round + $0) }, joins: false))
      bench.answerAll()
    }
    #expect(bench.screen.values.sorted() == [BubblesBench.sharedBody(10)])
    #expect(bench.bubbles.shownOccurrences.count == 10)
  }

  @Test("The end of a snooze and a later occurrence share the alarm's bubble, and each can end alone")
  func snoozeBeside() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, occurrence: 2_001)])
    bench.now = bench.now + .seconds(60)
    var end = bench.ring(1)
    end.endsSnooze = true
    bench.take(.show([end], joins: false))
    #expect(bench.calls.map(\.replaces) == [101])
    bench.answerAll()
    #expect(bench.bubbles.shownOccurrences.sorted() == [1_001, 2_001])
    bench.take(.end([1_001]))
    bench.answerAll()
    #expect(bench.screen.count == 1)
    #expect(bench.take(.end([2_001])) == [.close(101)])
  }
}
