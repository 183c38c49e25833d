import EggTestSupport
import EggTime
import Ringing
import Testing

@Suite struct BubblesServerTests {
  private static let next = ":1.8 bus"

  @Test("Without a bus, rings are kept until there is a server")
  func noBus() {
    var bench = BubblesBench()
    #expect(bench.take(.show([bench.ring(1)], joins: false)) == [])
    #expect(bench.bubbles.keepsSomething)
    bench.take(.owner(BubblesBench.server))
    #expect(bench.effects.first == .askCapabilities(autoStart: false))
    #expect(bench.calls.count == 1)
  }

  @Test("A bubble first shown late gives the real due time")
  func keptIsLate() {
    var bench = BubblesBench()
    bench.take(.show([bench.ring(1)], joins: false))
    bench.now = bench.now + .seconds(90)
    bench.take(.owner(BubblesBench.server))
    #expect(
      bench.calls.map(\.content.body) == [
        "Your eggs are almost done!\nDue @1795210470, 90 s late: no notification server was running"
      ])
  }

  /// What keeps a bubble from the screen, or brings it back, although a server had the name at the ring.
  private static let returns: [(name: String, act: @Sendable (inout BubblesBench) -> Void)] = [
    ("refused", { $0.take(.failed(call: 1)) }),
    ("another server before an answer", { _ in }),
    (
      "another server after an answer",
      { $0.take(.answered(call: 1, bubble: 101, server: BubblesBench.server)) }
    ),
    (
      "a choice that could not be stored",
      { bench in
        bench.take(.answered(call: 1, bubble: 101, server: BubblesBench.server))
        bench.take(.chosen(bubble: 101, action: "snooze", server: BubblesBench.server))
        guard case .chosen(_, let notices) = bench.reports.last else { return }
        bench.now = bench.now + .seconds(300)
        bench.take(.giveBack(notices))
      }
    ),
    (
      "another start of eggd, before the server has answered",
      { bench in
        let ring = bench.ring(1)
        bench.bubbles = Bubbles(wording: .plain, ownDisplay: false)
        bench.now = bench.now + .seconds(90)
        bench.take(.restore([ring]))
      }
    ),
    (
      "another start of eggd, after the answer",
      { bench in
        var ring = bench.ring(1)
        ring.shown = Notice.ShownBubble(id: 101, server: BubblesBench.server)
        bench.bubbles = Bubbles(wording: .plain, ownDisplay: false)
        bench.now = bench.now + .seconds(90)
        bench.take(.restore([ring]))
      }
    ),
    (
      "five others that no server has shown",
      { bench in
        bench.take(.answered(call: 1, bubble: 101, server: BubblesBench.server))
        bench.take(.owner(nil))
        for number in Int64(2)...6 { bench.take(.show([bench.ring(number)], joins: false)) }
      }
    ),
  ]

  @Test(
    "A bubble that comes late says that there was no server only if none had the name at its ring",
    arguments: returns.indices)
  func wasThere(_ index: Int) throws {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    Self.returns[index].act(&bench)
    bench.now = bench.now + .seconds(90)
    bench.take(.owner(nil))
    let before = bench.calls
    bench.take(.owner(Self.next))
    let call = try #require((before + bench.calls).first)
    #expect(!call.content.body.contains("no notification server"), "\(call.content.body)")
  }

  @Test("A bubble that a choice brings back is as late as it was")
  func givenBackLateness() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, late: .seconds(7), reason: .asleep)])
    let body = try #require(bench.bubbles.shownOccurrences == [1_001] ? bench.screen[101] : nil)
    bench.take(.chosen(bubble: 101, action: "snooze", server: BubblesBench.server))
    guard case .chosen(_, let notices) = bench.reports.last else { throw CancellationError() }
    bench.now = bench.now + .seconds(300)
    bench.take(.giveBack(notices))
    #expect(bench.calls.map(\.content.body) == [body])
    #expect(bench.calls.allSatisfy { $0.content.makesSound })
  }

  @Test("More than five kept rings share one bubble")
  func keptShare() {
    var bench = BubblesBench()
    for number in Int64(1)...6 { bench.take(.show([bench.ring(number)], joins: false)) }
    bench.take(.owner(BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == [BubblesBench.sharedBody(6)])
  }

  @Test("An error keeps the bubble for the next server")
  func failed() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.take(.failed(call: 1)) == [])
    bench.take(.owner(nil))
    bench.take(.owner(Self.next))
    #expect(bench.calls.count == 1)
    #expect(bench.calls.allSatisfy { $0.content.makesSound })
  }

  @Test("A refused bubble is sent again with the next ring")
  func refused() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    bench.take(.failed(call: 1))
    bench.take(.show([bench.ring(2)], joins: false))
    #expect(bench.calls.count == 2)
  }

  @Test("A server that dies before it answers has shown nothing")
  func diesBeforeAnswer() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.take(.owner(nil)) == [])
    #expect(bench.take(.failed(call: 1)) == [])
    bench.take(.owner(Self.next))
    #expect(bench.calls.map(\.replaces) == [0])
  }

  @Test("A bubble is shown again to a new server, without a sound")
  func newServer() throws {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.owner(Self.next))
    let call = try #require(bench.calls.first)
    #expect(call.replaces == 0)
    #expect(!call.content.makesSound)
    #expect(call.content.body == "Your eggs are almost done!")
  }

  @Test("The old server's signals mean nothing to the new one's bubbles")
  func oldServersSignals() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.owner(Self.next))
    bench.take(.answered(call: 2, bubble: 101, server: Self.next))
    #expect(bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server)) == [])
  }

  @Test("An abandoned call that a new owner answers leaves no second bubble")
  func givenUp() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    bench.take(.owner(Self.next))
    #expect(bench.calls.map(\.call) == [2])
    #expect(bench.take(.answered(call: 1, bubble: 5, server: Self.next)) == [.close(5)])
  }

  @Test("A lost bus ends ids and calls; the next one shows everything again")
  func busLost() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(2)], joins: false))
    #expect(bench.take(.busLost) == [])
    #expect(bench.bubbles.shownOccurrences.sorted() == [1_001, 1_002])
    bench.take(.owner(BubblesBench.server))
    #expect(bench.calls.map(\.content.makesSound) == [true])
    bench.take(.capabilities([]))
    #expect(bench.calls.map(\.content.makesSound) == [false])
  }

  @Test(
    "The same server on a bus that is back: its bubbles are replaced, and those that have ended are closed")
  func busBack() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1), bench.ring(2)])
    bench.take(.busLost)
    bench.take(.end([1_001]))
    let effects = bench.take(.owner(BubblesBench.server))
    #expect(effects.contains(.close(101)))
    bench.take(.capabilities([]))
    #expect(bench.calls.map(\.replaces) == [102])
  }

  @Test("A bubble that ended while its text was on the way is closed once the bus is back")
  func endedOnTheWay() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    bench.take(.show([bench.ring(1, occurrence: 2_001)], joins: false))
    bench.take(.end([2_001]))
    bench.take(.busLost)
    #expect(bench.take(.owner(BubblesBench.server)).contains(.close(101)))
  }

  @Test("An alarm deleted without a bus is never shown")
  func deletedWithoutBus() {
    var bench = BubblesBench()
    bench.take(.show([bench.ring(1)], joins: false))
    bench.take(.end([1_001]))
    #expect(bench.take(.owner(BubblesBench.server)) == [.askCapabilities(autoStart: false)])
  }

  @Test("Texts that need escaping wait until the server has said whether it reads markup")
  func waitsForCapabilities() {
    var bench = BubblesBench()
    bench.take(.owner(BubblesBench.server))
    #expect(bench.take(.show([bench.ring(1, card: .with(label: "<"))], joins: false)) == [])
    bench.take(.show([bench.ring(2)], joins: false))
    #expect(bench.calls.count == 1)
    bench.take(.capabilities(nil))
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\n<"])
  }
}

/// After eggd has started.
@Suite struct BubblesRestoredTests {
  private func shown(_ notice: Notice, _ id: UInt32, by server: String = BubblesBench.server) -> Notice {
    var notice = notice
    notice.shown = Notice.ShownBubble(id: id, server: server)
    return notice
  }

  @Test("The same server's bubble is replaced, without a sound")
  func sameServer() {
    var bench = BubblesBench()
    bench.take(.restore([shown(bench.ring(1), 77)]))
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities([]))
    #expect(bench.calls.map(\.replaces) == [77])
    #expect(bench.calls.allSatisfy { !$0.content.makesSound })
  }

  @Test("A bubble that the same server still shows is not reported again")
  func knownAlready() {
    var bench = BubblesBench.withServer()
    bench.take(.restore([shown(bench.ring(1), 77)]))
    #expect(bench.take(.answered(call: 1, bubble: 77, server: BubblesBench.server)) == [])
  }

  @Test("Occurrences that shared a bubble share it again")
  func sharedBefore() {
    var bench = BubblesBench.withServer()
    bench.take(.restore(bench.rings(1...8).map { shown($0, 77) }))
    #expect(bench.calls.map(\.replaces) == [77])
    #expect(bench.calls.map(\.content.body) == [BubblesBench.sharedBody(8)])
  }

  @Test("Another server shows a new bubble, without a sound")
  func otherServer() {
    var bench = BubblesBench()
    bench.take(.restore([shown(bench.ring(1), 77, by: ":1.5 bus")]))
    bench.take(.owner(BubblesBench.server))
    #expect(bench.calls.map(\.replaces) == [0])
    #expect(bench.calls.allSatisfy { !$0.content.makesSound })
  }

  @Test("An id from a server that is gone replaces nothing on a server started later")
  func startedServer() {
    var bench = BubblesBench(ownDisplay: true)
    bench.take(.owner(nil))
    bench.take(.settled)
    bench.take(.restore([shown(bench.ring(1), 77)]))
    #expect(bench.calls.map(\.replaces) == [0])
    #expect(bench.calls.map(\.autoStart) == [true])
  }

  @Test(
    "Rings that no server has shown are shown with a sound; more than five share a bubble", arguments: [5, 6])
  func neverShown(count: Int64) {
    var bench = BubblesBench.withServer()
    bench.take(.restore(bench.rings(1...count)))
    #expect(
      bench.calls.map(\.content.makesSound) == Array(repeating: true, count: count > 5 ? 1 : Int(count)))
  }

  @Test("An earlier bubble whose alarm was deleted is not shown, and is closed on its server")
  func endedMeanwhile() {
    var bench = BubblesBench()
    bench.take(.restore([shown(bench.ring(1), 77)]))
    bench.take(.retain(number: 1, ringing: []))
    #expect(bench.take(.owner(BubblesBench.server)) == [.close(77), .askCapabilities(autoStart: false)])
  }

  @Test("An alarm that rings before it is restored has only its new bubble")
  func rungBefore() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    var old = shown(bench.ring(1, late: .seconds(60)), 77)
    old.occurrence = 7
    bench.take(.restore([old]))
    #expect(bench.effects == [.close(77)])
    #expect(bench.take(.retain(number: 1, ringing: [1_001])) == [])
    #expect(bench.take(.end([1_001])) == [.close(101)])
  }

  @Test("A ring replaces earlier occurrences that are restored after it, whatever the clock showed at those")
  func replacedBeforeRestored() {
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1)])
    var old = shown(bench.ring(1, late: .zero - .seconds(3_600)), 77)
    old.occurrence = 7
    bench.take(.restore([old]))
    #expect(bench.calls.isEmpty)
    #expect(bench.take(.end([1_001])) == [.close(101)])
  }

  @Test("An earlier bubble whose new text is unanswered is closed after the bus was lost")
  func unansweredThenLost() {
    var bench = BubblesBench.withServer()
    bench.take(.restore([shown(bench.ring(1), 77), shown(bench.ring(2), 77)]))
    #expect(bench.calls.map(\.replaces) == [77])
    bench.take(.end([1_002]))
    bench.take(.end([1_001]))
    bench.take(.busLost)
    bench.take(.owner(BubblesBench.server))
    #expect(bench.effects.contains(.close(77)))
  }

  @Test("Bubbles of a server that is gone become one, which leaves room")
  func roomMeanwhile() {
    var bench = BubblesBench()
    bench.take(
      .restore((Int64(1)...200).map { shown(bench.ring($0), UInt32($0), by: ":1.5 bus") }))
    bench.take(.owner(BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == [BubblesBench.sharedBody(200)])
    bench.take(.show([bench.ring(300, card: .with(label: "alone"))], joins: false))
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\nalone"])
  }
}

/// Starting a notification server for rings.
@Suite struct BubblesAutoStartTests {
  @Test("Within ten seconds of the start no server is started, even with a display")
  func unsettled() {
    var bench = BubblesBench(ownDisplay: true)
    bench.take(.owner(nil))
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.calls.map(\.autoStart) == [false])
    #expect(bench.take(.failed(call: 1)) == [])
    #expect(bench.bubbles.keepsSomething)
    bench.take(.settled)
    #expect(bench.calls.map(\.autoStart) == [true])
  }

  @Test("With its own display eggd has a server started")
  func ownDisplay() {
    var bench = BubblesBench(ownDisplay: true)
    bench.take(.owner(nil))
    bench.take(.settled)
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.calls.map(\.autoStart) == [true])
  }

  @Test("Without its own display, eggd asks the user manager and uses its display")
  func managersDisplay() {
    var bench = BubblesBench()
    bench.take(.owner(nil))
    bench.take(.settled)
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.calls.map(\.autoStart) == [false])
    #expect(bench.take(.failed(call: 1)) == [.askEnvironment])
    bench.take(.environment(hasDisplay: true))
    #expect(bench.calls.map(\.autoStart) == [true])
    // A failed attempt is not repeated by itself.
    #expect(bench.take(.failed(call: 2)) == [])
  }

  @Test("Without any display no server is started")
  func noDisplay() {
    var bench = BubblesBench()
    bench.take(.owner(nil))
    bench.take(.settled)
    bench.take(.show([bench.ring(1)], joins: false))
    bench.take(.failed(call: 1))
    #expect(bench.take(.environment(hasDisplay: false)) == [])
  }

  @Test("A call that started a server is answered by it and not repeated")
  func started() {
    var bench = BubblesBench(ownDisplay: true)
    bench.take(.owner(nil))
    bench.take(.settled)
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.take(.owner(BubblesBench.server)) == [.askCapabilities(autoStart: false)])
    bench.take(.answered(call: 1, bubble: 3, server: BubblesBench.server))
    #expect(bench.effects.count == 1)
  }

  @Test("A text that needs escaping starts the server by asking for its capabilities, and is then shown")
  func startedByQuestion() {
    var bench = BubblesBench(ownDisplay: true)
    bench.take(.owner(nil))
    bench.take(.settled)
    let notice = bench.ring(1, card: .with(label: "<"))
    #expect(bench.take(.show([notice], joins: false)) == [.askCapabilities(autoStart: true)])
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities(["body-markup"]))
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\n&lt;"])
  }
}
