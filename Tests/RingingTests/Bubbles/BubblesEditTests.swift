import Alarms
import EggTestSupport
import EggTime
import Ringing
import Testing

/// An alarm is edited while it rings.
@Suite struct BubblesEditTests {
  private static let before = AlarmCard(
    id: AlarmID(), label: "a",
    manner: Manner(
      summary: "b", body: "c", icon: "d", note: "f", sound: "g", insist: .seconds(60), run: "/bin/h"),
    expression: "6m30s", category: .soft, group: "e")

  /// An edit of each field. `isShown`: a text on the screen changes.
  private static let edits:
    [(field: String, isShown: Bool, edit: @Sendable (inout AlarmCard.Draft) -> Void)] = [
      ("id", false, { $0.id = AlarmID() }), ("label", true, { $0.label = "A" }),
      ("summary", true, { $0.summary = nil }), ("body", true, { $0.body = "C" }),
      ("icon", true, { $0.icon = "D" }), ("expression", true, { $0.expression = "2026-11-21 07:30" }),
      ("recurs", true, { $0.recurs = true }), ("category", false, { $0.category = .hard }),
      ("group", false, { $0.group = nil }), ("note", true, { $0.note = "F" }),
      ("sound", true, { $0.sound = "none" }), ("insist", false, { $0.insist = .seconds(10) }),
      ("run", false, { $0.run = nil }), ("wake", false, { $0.wake = true }),
      ("unansweredAfter", false, { $0.unansweredAfter = .seconds(60) }),
      ("runUnanswered", false, { $0.runUnanswered = "/bin/true" }),
    ]

  @Test("Every field of a card is edited here")
  func all() {
    let fields = Mirror(reflecting: Self.before).children.compactMap(\.label).filter { $0 != "manner" }
    #expect(Set(fields + Manner.fields.map(\.name)) == Set(Self.edits.map(\.field)))
  }

  @Test(
    "The bubble takes an edit of any field in its place, without a sound, if it shows the field",
    arguments: edits.indices)
  func taken(_ index: Int) throws {
    let (_, isShown, edit) = Self.edits[index]
    var bench = BubblesBench.withServer()
    bench.showAnswered([bench.ring(1, card: Self.before)])
    let after = Self.before.changed(edit)
    bench.take(.retain(number: 1, ringing: [1_001], card: after))
    #expect(bench.calls.map(\.replaces) == (isShown ? [101] : []))
    #expect(bench.calls.allSatisfy { !$0.content.makesSound })
    bench.answerAll()
    #expect(bench.take(.retain(number: 1, ringing: [1_001], card: after)) == [])
    // Whoever answers it is told of the alarm as it is now.
    bench.take(.closed(bubble: 101, byPerson: true, server: BubblesBench.server))
    guard case .chosen(.dismiss, let notices) = bench.reports.last else { throw CancellationError() }
    #expect(notices.map(\.card) == [after])
  }

  @Test("A shared bubble takes an edit, too")
  func shared() {
    var bench = BubblesBench.withServer()
    bench.showAnswered(bench.rings(1...6))
    bench.take(.retain(number: 2, ringing: [1_002], card: .with(label: "two")))
    #expect(
      bench.calls.map(\.content.body) == ["Your eggs are almost done!\n6 alarms: #1, two, #3, #4, #5, #6"])
  }

  @Test("An edit before the server has answered is shown after its answer")
  func unanswered() {
    var bench = BubblesBench.withServer()
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(bench.take(.retain(number: 1, ringing: [1_001], card: .with(label: "two"))) == [])
    bench.take(.answered(call: 1, bubble: 101, server: BubblesBench.server))
    #expect(bench.calls.map(\.content.body) == ["Your eggs are almost done!\ntwo"])
    #expect(bench.calls.map(\.replaces) == [101])
  }

  @Test("Insisting begins, changes and ends with an edit, counted from the edit")
  func insists() {
    var bench = BubblesBench.withServer()
    let began = bench.now
    bench.showAnswered([bench.ring(1)])
    bench.now = began + .seconds(600)
    func edited(_ span: TimeSpan?) {
      let card = AlarmCard.plain.changed { $0.insist = span }
      bench.take(.retain(number: 1, ringing: [1_001], card: card))
    }
    edited(.seconds(60))
    #expect(bench.bubbles.nextRepetition == bench.now + .seconds(60))
    edited(.seconds(10))
    #expect(bench.bubbles.nextRepetition == bench.now + .seconds(10))
    edited(nil)
    #expect(bench.bubbles.nextRepetition == nil)
    bench.now = bench.now + .seconds(60)
    #expect(bench.take(.insist) == [])
  }

  @Test("A shared bubble goes on for the others that insist")
  func insistsShared() {
    var bench = BubblesBench.withServer()
    let card = AlarmCard.plain.changed { $0.insist = .seconds(60) }
    bench.showAnswered(bench.rings(1...5) + [bench.ring(6, card: card), bench.ring(7, card: card)])
    for number in Int64(6)...7 {
      bench.take(.retain(number: number, ringing: [1_000 + number], card: .plain))
      bench.now = bench.now + .seconds(60)
      bench.take(.insist)
      let heard = bench.effects.contains {
        if case .sound(let notices) = $0 { notices.map(\.number) == [7] } else { false }
      }
      #expect(heard == (number == 6))
      bench.answerAll()
    }
    #expect(bench.bubbles.nextRepetition == nil)
  }
}
