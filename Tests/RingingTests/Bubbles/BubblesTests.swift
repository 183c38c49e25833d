import EggTestSupport
import EggTime
import Ringing
import Testing

@Suite struct BubblesTests {
  @Test("Five at once are five bubbles", arguments: [1, 5])
  func separate(count: Int64) {
    var bench = BubblesBench.withServer()
    bench.take(.show(bench.rings(1...count), joins: false))
    #expect(bench.calls.count == Int(count))
    #expect(bench.calls.allSatisfy { $0.replaces == 0 && !$0.autoStart })
  }

  @Test("More than five at once share one bubble, which reports them all as shown")
  func shared() {
    var bench = BubblesBench.withServer()
    bench.take(.show(bench.rings(1...6), joins: false))
    #expect(bench.calls.count == 1)
    bench.take(.answered(call: 1, bubble: 9, server: BubblesBench.server))
    #expect(
      bench.effects == [
        .report(
          .shown(bench.rings(1...6).map(\.ring), bubble: 9, server: BubblesBench.server, at: bench.now))
      ])
  }

  @Test("A further slice of a catch-up joins the bubble of the first, without a sound")
  func joins() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.show([bench.ring(50)], joins: false))
    bench.take(.show(bench.rings(7...9), joins: true))
    let call = try #require(bench.calls.first)
    #expect(bench.calls.count == 1)
    #expect(call.replaces == 101)
    #expect(call.content.body.contains("9 alarms"))
    #expect(!call.content.makesSound)
  }

  @Test("A further slice gets a new shared bubble if the first was dismissed")
  func joinsAfterDismissal() {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    bench.take(.show(bench.rings(7...8), joins: true))
    #expect(bench.calls.map(\.replaces) == [0])
    #expect(bench.bubbles.shownOccurrences.sorted() == [1_007, 1_008])
  }

  @Test("Events of alarms without bubbles cost the same with any number of bubbles")
  func others() {
    func time(bubbles: Int64) -> Duration {
      var bench = BubblesBench.withServer()
      let notices = (1...bubbles).map { number in
        var notice = bench.ring(number)
        notice.shown = Notice.ShownBubble(id: UInt32(number), server: BubblesBench.server)
        return notice
      }
      bench.take(.restore(notices))
      return (1...5).map { _ in
        processorTime {
          for number in Int64(100_000)...100_100 {
            bench.take(.retain(number: number, ringing: []))
            bench.take(.retain(number: 1, ringing: [1_001]))
            bench.take(.end([1_000 + number]))
          }
        }
      }.min() ?? .zero
    }
    #expect(time(bubbles: 3_000) < time(bubbles: 1) * 50)
  }

  @Test("Closing a shared bubble dismisses all its alarms")
  func dismissed() {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.chosen(.dismiss, Array(1...6))])
    #expect(bench.bubbles.shownOccurrences.isEmpty)
  }

  @Test("The only bubble, removed by the server, is shown again without a sound")
  func removedAlone() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.now = bench.now + .seconds(10)
    bench.take(.closed(bubble: 101, byPerson: false, server: BubblesBench.server))
    let call = try #require(bench.calls.first)
    #expect((call.replaces, call.content.makesSound) == (0, false))
    #expect(call.content.body == "Your eggs are almost done!")
    #expect(bench.bubbles.shownOccurrences == [1_001])
  }

  @Test("A bubble that the server removes within a second waits for the next ring")
  func removedAtOnce() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    #expect(bench.take(.closed(bubble: 101, byPerson: false, server: BubblesBench.server)) == [])
    bench.take(.show([bench.ring(2)], joins: false))
    #expect(bench.calls.count == 2)
  }

  @Test("A bubble that the server removes while it shows others joins the newest of them, which names both")
  func removedAmongOthers() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, card: .with(label: "one")), bench.ring(2), bench.ring(3)])
    bench.now = bench.now + .seconds(60)
    bench.take(.closed(bubble: 101, byPerson: false, server: BubblesBench.server))
    let call = try #require(bench.calls.first)
    #expect(bench.calls.count == 1)
    #expect((call.replaces, call.content.makesSound) == (103, false))
    #expect(call.content.body == "Your eggs are almost done!\n2 alarms: one, #3")
    bench.take(.answered(call: call.call, bubble: 103, server: BubblesBench.server))
    bench.take(.closed(bubble: 103, byPerson: true, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.chosen(.dismiss, [1, 3])])
  }

  @Test("A server that shows three bubbles gets three, and they name all alarms")
  func roomForThree() {
    var bench = BubblesBench.withServer()
    bench.take(.show(bench.rings(1...5), joins: false))
    for round in 0..<10 {
      bench.answerAll()
      guard bench.screen.count > 3, let oldest = bench.screen.keys.min() else { break }
      #expect(round < 9)
      bench.take(.closed(bubble: oldest, byPerson: false, server: BubblesBench.server))
    }
    #expect(
      bench.screen.values.sorted() == [
        "Your eggs are almost done!", "Your eggs are almost done!",
        "Your eggs are almost done!\n3 alarms: #1, #2, #5",
      ])
  }

  @Test("A bubble that reads as another on the screen has its alarm's number in the app name")
  func twins() {
    var bench = BubblesBench.withServer(capabilities: ["body-markup"])
    let label = AlarmCard.with(label: "a & b")
    bench.take(
      .show(
        [bench.ring(1), bench.ring(2), bench.ring(3, card: label), bench.ring(4, card: label)], joins: false))
    #expect(bench.calls.map(\.content.appName) == ["Egg Timer", "Egg Timer #2", "Egg Timer", "Egg Timer #4"])
    #expect(Set(bench.calls.map(\.content.body)).count == 2)
    bench.answerAll()
    bench.take(.end([1_001]))
    bench.take(.show([bench.ring(5)], joins: false))
    #expect(bench.calls.map(\.content.appName) == ["Egg Timer"])
    bench.take(.show([bench.ring(6)], joins: false))
    #expect(bench.calls.map(\.content.appName) == ["Egg Timer #6"])
  }

  @Test("A bubble of before this start whose new text is unanswered counts as on the screen")
  func restoredTwin() {
    var bench = BubblesBench.withServer()
    var old = bench.ring(1)
    old.shown = Notice.ShownBubble(id: 7, server: BubblesBench.server)
    bench.take(.restore([old]))
    #expect(bench.calls.map(\.content.appName) == ["Egg Timer"])
    #expect(bench.calls.map(\.replaces) == [7])
    bench.take(.show([bench.ring(2)], joins: false))
    #expect(bench.calls.map(\.content.appName) == ["Egg Timer #2"])
  }

  @Test(
    "A choice ends the bubble, and the closing that follows is ignored",
    arguments: [
      ("default", BubbleChoice.dismiss), ("snooze", .snooze(nil)), ("again", .again),
      ("snooze:1h", .snooze(.span(.seconds(3_600)))),
      ("snooze:tomorrow 9:00", .snooze(.until("tomorrow 9:00"))),
    ])
  func choice(action: String, choice: BubbleChoice) {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.chosen(bubble: 101, action: action, server: BubblesBench.server))
    #expect(bench.told == [ToldEffect.effect(.close(101)), .chosen(choice, [1])])
    #expect(bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server)) == [])
  }

  @Test("An answer that could not be stored is reverted, except for an alarm that has rung since")
  func givenBack() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.showAnswered([bench.ring(2)], from: 102)
    bench.take(.chosen(bubble: 101, action: "snooze", server: BubblesBench.server))
    bench.take(.chosen(bubble: 102, action: "snooze", server: BubblesBench.server))
    #expect(bench.bubbles.shownOccurrences == [])
    var again = bench.ring(1)
    again.occurrence += 10
    bench.showAnswered([again])
    bench.take(.giveBack([bench.ring(1), bench.ring(2)]))
    #expect(bench.bubbles.shownOccurrences.sorted() == [1_002, again.occurrence])
  }

  @Test("Answers on two rings of one alarm that are reverted one after the other leave the later ring")
  func givenBackTwice() throws {
    var bench = BubblesBench.withServer()
    let (first, later) = (bench.ring(1), bench.ring(1, occurrence: 2_000))
    bench.showAnswered([first])
    bench.take(.chosen(bubble: 101, action: "snooze", server: BubblesBench.server))
    bench.showAnswered([later], from: 102)
    bench.take(.chosen(bubble: 102, action: "snooze", server: BubblesBench.server))
    bench.take(.giveBack([first]))
    bench.take(.giveBack([later]))
    #expect(bench.bubbles.shownOccurrences.sorted() == [1_001, 2_000])
    bench.take(.end([1_001]))
    #expect(bench.bubbles.shownOccurrences == [2_000])
  }

  @Test("A choice that was never offered does nothing")
  func unknownChoice() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    #expect(bench.take(.chosen(bubble: 101, action: "boil", server: BubblesBench.server)) == [])
    #expect(bench.bubbles.shownOccurrences == [1_001])
  }

  @Test("Another program's signals and other bubbles' ids are ignored")
  func foreignSignals() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    #expect(bench.take(.closed(bubble: 101, byPerson: true, server: ":1.66 bus")) == [])
    #expect(bench.take(.chosen(bubble: 102, action: "default", server: BubblesBench.server)) == [])
  }

  @Test("A deleted alarm's bubble is closed")
  func deleted() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1), bench.ring(2)])
    #expect(bench.take(.retain(number: 1, ringing: [])) == [.close(101)])
    #expect(bench.take(.end([1_002])) == [.close(102)])
    #expect(bench.bubbles.shownOccurrences.isEmpty)
  }

  @Test("An alarm that keeps ringing keeps its bubble")
  func retained() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    #expect(bench.take(.retain(number: 1, ringing: [1_001])) == [])
    #expect(bench.take(.retain(number: 2, ringing: [])) == [])
  }

  @Test("A deleted member updates the shared bubble without a sound, the last one closes it")
  func deletedMember() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.end([1_001]))
    let update = try #require(bench.calls.first)
    #expect(update.replaces == 101)
    #expect(update.content.body == BubblesBench.sharedBody(5, from: 2))
    #expect(!update.content.makesSound)
    bench.take(.answered(call: update.call, bubble: 101, server: BubblesBench.server))
    #expect(bench.take(.end(Array(1_002...1_006))) == [.close(101)])
  }

  @Test("Deletions during an update make one more update, not one each")
  func updatesCoalesce() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...20))
    bench.take(.end([1_001]))
    let update = try #require(bench.calls.first)
    for occurrence in Int64(1_002)...1_010 { #expect(bench.take(.end([occurrence])) == []) }
    bench.take(.answered(call: update.call, bubble: 101, server: BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == [BubblesBench.sharedBody(10, from: 11)])
  }

  @Test("A bubble whose last alarm is deleted before the answer is closed by the answer")
  func deletedBeforeAnswer() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.take(.retain(number: 1, ringing: [])) == [])
    #expect(bench.bubbles.shownOccurrences.isEmpty)
    #expect(bench.take(.answered(call: 1, bubble: 101, server: BubblesBench.server)) == [.close(101)])
  }

  @Test("The end of a snooze replaces a bubble that is still shown, with a sound")
  func ringsAgain() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(1)], joins: false))
    let call = try #require(bench.calls.first)
    #expect(call.replaces == 101)
    #expect(call.content.makesSound)
    #expect(bench.calls.count == 1)
  }

  @Test("At most 64 calls are unanswered; what comes due meanwhile waits for one shared bubble")
  func limit() throws {
    var bench = BubblesBench.withServer()
    for number in Int64(1)...64 { bench.take(.show([bench.ring(number)], joins: false)) }
    for number in Int64(65)...70 {
      #expect(bench.take(.show([bench.ring(number)], joins: false)) == [])
    }
    bench.take(.answered(call: 1, bubble: 101, server: BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == [BubblesBench.sharedBody(6, from: 65)])
  }
}
