import EggTestSupport
import Alarms
import EggTime
import Foundation
import Ringing
import Testing

@Suite struct BubbleContentTests {
  private func content(of notices: [Notice], capabilities: [String] = []) throws -> BubbleContent {
    var bench = BubblesBench.withServer(capabilities: capabilities)
    bench.take(.show(notices, joins: false))
    return try #require(bench.calls.first).content
  }

  @Test("A plain alarm says Wait! and that the eggs are almost done")
  func plain() throws {
    let content = try content(of: [BubblesBench().ring(1)])
    #expect(content.summary == "Wait!")
    #expect(content.body == "Your eggs are almost done!")
    #expect(content.icon == "eggd")
    #expect(content.actions == ["default", "Dismiss", "snooze", "Snooze", "again", "Again"])
    #expect(content.makesSound)
  }

  @Test("Several lengths of snooze are buttons, whose keys say the same; Again comes last")
  func lengths() throws {
    var bench = BubblesBench()
    let lengths: [SnoozeLength] = [.span(.seconds(300)), .span(.seconds(3_600)), .until("tomorrow 9:00")]
    bench.bubbles = Bubbles(wording: NoticeWording(zone: { .utc }, snoozes: lengths), ownDisplay: false)
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities([]))
    bench.take(.show([bench.ring(1)], joins: false))
    #expect(
      bench.calls.first?.content.actions == [
        "default", "Dismiss", "snooze:5min", "Snooze 5 min", "snooze:1h", "Snooze 1 h",
        "snooze:tomorrow 9:00", "Until tomorrow 9:00", "again", "Again",
      ])
  }

  @Test("The label is the body's second line")
  func label() throws {
    let content = try content(of: [BubblesBench().ring(1, card: .with(label: "two soft ones"))])
    #expect(content.body == "Your eggs are almost done!\ntwo soft ones")
  }

  @Test("A ring before its moment says how long before, less what it is late")
  func lead() throws {
    var notice = BubblesBench().ring(1, card: .with(label: "meeting"))
    notice.ahead = .seconds(900)
    let body = try content(of: [notice]).body
    #expect(body.hasPrefix("Your eggs are almost done!\nmeeting\nin "))
    notice.lateness = .seconds(900)
    #expect(try !content(of: [notice]).body.contains("\nin "))
  }

  @Test("A note follows the label, cut at 200 characters")
  func note() throws {
    let card = AlarmCard.with(label: "two").changed { $0.note = "in the blue pan\nlid on" }
    #expect(
      try content(of: [BubblesBench().ring(1, card: card)]).body
        == "Your eggs are almost done!\ntwo\nin the blue pan\nlid on")
    #expect(AlarmCard.excerpt(of: String(repeating: "x", count: 200)).count == 200)
    let cut = AlarmCard.excerpt(of: String(repeating: "x", count: 201))
    #expect(cut == String(repeating: "x", count: 199) + "…")
  }

  @Test("A command that did not start is said in the bubble that is on the screen, without a sound")
  func hookProblem() throws {
    var bench = BubblesBench.withServer(capabilities: [])
    let notice = bench.ring(1)
    bench.take(.show([notice], joins: false))
    let call = try #require(bench.calls.first)
    bench.take(.answered(call: call.call, bubble: 7, server: BubblesBench.server))
    bench.take(.hookFailed([(ring: notice.ring, problem: "no\u{7}such file")]))
    let again = try #require(bench.calls.last)
    #expect(again.replaces == 7)
    #expect(again.content.body == "Your eggs are almost done!\nIts command did not start: no\\u{7}such file")
    #expect(!again.content.makesSound)
    bench.take(.hookFailed([(ring: RingID(occurrence: 99, firedAt: notice.dueAt), problem: "late")]))
    #expect(bench.calls.isEmpty)
  }

  @Test("A shared bubble says that a command did not start")
  func sharedHookProblem() throws {
    var bench = BubblesBench.withServer(capabilities: [])
    let notices = (1...7).map { bench.ring($0) }
    bench.take(.show(notices, joins: false))
    let call = try #require(bench.calls.first)
    bench.take(.hookFailed([(ring: notices[2].ring, problem: "no such file")]))
    bench.take(.answered(call: call.call, bubble: 7, server: BubblesBench.server))
    #expect(bench.calls.last?.content.body.hasSuffix("\nA command did not start: no such file") == true)
  }

  @Test("Characters that reorder text are escaped in all texts; the body keeps its lines")
  func bidirectional() throws {
    let card = AlarmCard.with(label: "\u{202e}two", summary: "Up\u{2066}!", body: "One\nTwo\u{200f}")
    let content = try content(of: [BubblesBench().ring(1, card: card)])
    #expect(content.summary == "Up\\u{2066}!")
    #expect(content.body == "One\nTwo\\u{200f}\n\\u{202e}two")
  }

  @Test("An alarm more than a second late says when it was due, how late it is and why")
  func late() throws {
    let late = BubblesBench().ring(
      1, late: .milliseconds(2_900), reason: .asleep, card: .with(label: "two"))
    #expect(
      try content(of: [late]).body
        == "Your eggs are almost done!\ntwo\nDue @1795210467, 2 s late: the machine was asleep")
  }

  @Test("An alarm a second late does not mention it")
  func barelyLate() throws {
    #expect(
      try self.content(of: [BubblesBench().ring(1, late: .seconds(1))]).body == "Your eggs are almost done!")
  }

  @Test("An alarm's own texts and icon replace the usual ones")
  func ownTexts() throws {
    let card = AlarmCard.with(label: "l", summary: "Up!", body: "One\nTwo")
      .changed { $0.icon = "/tmp/a.png" }
    let content = try content(of: [BubblesBench().ring(1, card: card)])
    #expect(content.summary == "Up!")
    #expect(content.body == "One\nTwo\nl")
    #expect(content.icon == "/tmp/a.png")
  }

  @Test("Again is offered only if the entered text can lie ahead")
  func again() throws {
    let card = AlarmCard.plain.changed { $0.expression = "2026-12-24 18:00" }
    #expect(
      try content(of: [BubblesBench().ring(1, card: card)]).actions == [
        "default", "Dismiss", "snooze", "Snooze",
      ])
  }

  @Test("The body is escaped for a server that reads markup, the summary never")
  func escaped() throws {
    let notice = BubblesBench().ring(1, card: .with(label: "a<b> & \"c\"", summary: "<b>"))
    let content = try content(of: [notice], capabilities: ["body", "body-markup"])
    #expect(content.body == "Your eggs are almost done!\na&lt;b&gt; &amp; \"c\"")
    #expect(content.summary == "<b>")
  }

  @Test("No mark hides what would be markup")
  func marks() throws {
    for text in MarkedTexts.around("&<>\"'") {
      let notice = BubblesBench().ring(1, card: .with(label: "x", body: text))
      let escaped = try content(of: [notice], capabilities: ["body", "body-markup"]).body
      #expect(!escaped.utf8.contains { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") })
      let read = [("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(Data(escaped.utf8)) { data, entity in
        var data = data
        while let range = data.range(of: Data(entity.0.utf8)) {
          data.replaceSubrange(range, with: Data(entity.1.utf8))
        }
        return data
      }
      #expect(read == Data("\(text.visibleLines)\nx".utf8))
    }
  }

  @Test("The body is sent as it is to a server that reads no markup")
  func unescaped() throws {
    let notice = BubblesBench().ring(1, card: .with(label: "a<b> & c"))
    #expect(
      try content(of: [notice], capabilities: ["body"]).body == "Your eggs are almost done!\na<b> & c")
  }

  @Test("A shared bubble has the usual texts, says how many, and names each by label, title or number")
  func shared() throws {
    var notices = BubblesBench().rings(1...3)
    notices.append(BubblesBench().ring(4, card: .with(label: "l", summary: "Up!", body: "b")))
    notices.append(BubblesBench().ring(5, card: .with(label: "two\u{202e}")))
    notices.append(BubblesBench().ring(6, card: .with(summary: "Tea")))
    let content = try content(of: notices)
    #expect(content.summary == "Wait!")
    #expect(
      content.body == "Your eggs are almost done!\n6 alarms: #1, #2, #3, l (Up!), two\\u{202e}, Tea")
    #expect(content.actions == ["default", "Dismiss", "snooze", "Snooze"])
  }

  @Test("A shared bubble has the sound of the first alarm, and is silent only where all are")
  func sharedSound() throws {
    func sound(_ sounds: [AlarmSound?]) throws -> AlarmSound? {
      let notices = zip(Int64(1)..., sounds + Array(repeating: .silence, count: 4)).map { number, sound in
        let card = AlarmCard.plain.changed { $0.sound = sound?.text }
        return BubblesBench().ring(number, card: card)
      }
      return try content(of: notices).sound
    }
    #expect(try sound([.named("bell"), .named("complete")]) == .named("bell"))
    #expect(try sound([.silence, .named("complete")]) == nil)
    #expect(try sound([.silence, .silence]) == .silence)
  }

  @Test("A late shared bubble says when the first alarm was due")
  func sharedLate() throws {
    let bench = BubblesBench()
    let notices = (1...300).map { bench.ring($0, late: .seconds($0 * 10), reason: .down) }
    #expect(
      try content(of: notices).body == """
        Your eggs are almost done!
        300 alarms: #300 (@1795207470), #299 (@1795207480), #298 (@1795207490), #297 (@1795207500), \
        #296 (@1795207510), #295 (@1795207520) and 294 more
        The first was due @1795207470, 3000 s late: eggd was not running
        """)
  }

  @Test("A late shared bubble of alarms that were due together says when they were")
  func sharedLateTogether() throws {
    let bench = BubblesBench()
    let notices = (1...6).map { bench.ring($0, late: .seconds(60), reason: .asleep) }
    #expect(
      try content(of: notices).body == """
        Your eggs are almost done!
        6 alarms: #1, #2, #3, #4, #5, #6
        Due @1795210410, 60 s late: the machine was asleep
        """)
  }

  @Test("Where the moments differ, each name has its time, and its date unless that is today's")
  func sharedMoments() throws {
    var bench = BubblesBench()
    bench.bubbles = Bubbles(wording: NoticeWording { .utc }, ownDisplay: false)
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities([]))
    let late: [Int64] = [86_400, 90, 60, 60, 60, 60]
    bench.take(
      .show(
        late.enumerated().map { bench.ring(Int64($0 + 1), late: .seconds($1), reason: .down) }, joins: false))
    #expect(
      bench.calls.first?.content.body == """
        Your eggs are almost done!
        6 alarms: #1 (2026. 11. 19. 21:34:30), #2 (21:33), #3 (21:33:30), #4 (21:33:30), #5 (21:33:30), \
        #6 (21:33:30)
        The first was due 2026. 11. 19. 21:34:30, 1 d late: eggd was not running
        """)
  }

  @Test(
    "A ring that stands for several says how many, and when the last was due",
    arguments: [
      (4, 90, "4 times, the last at 21:33"), (4, 100_000, "4 times, the last at 2026. 11. 19. 17:47:50"),
      (4, nil, "4 times"), (1_001, nil, "More than 1000 times"),
    ] as [(Int64, Int64?, String)])
  func several(count: Int64, ago: Int64?, line: String) throws {
    var bench = BubblesBench()
    bench.bubbles = Bubbles(wording: NoticeWording { .utc }, ownDisplay: false)
    bench.take(.owner(BubblesBench.server))
    var notice = bench.ring(1, late: .seconds(3_630), reason: .asleep)
    notice.elapsed = count
    notice.lastAt = ago.map { bench.now - .seconds($0) }
    bench.take(.show([notice], joins: false))
    #expect(
      bench.calls.first?.content.body
        == "Your eggs are almost done!\nDue 20:34, 1 h late: the machine was asleep\n\(line)")
  }

  @Test("Moments are written in the display format, in the given zone")
  func productWording() {
    let wording = NoticeWording { .utc }
    #expect(wording.moment(BubblesBench().now) == "2026. 11. 20. 21:34:30")
    #expect(wording.span(.seconds(390)) == "6 min 30 s")
    #expect(wording.offersAgain("6m30s"))
    #expect(!wording.offersAgain("2026-12-24 18:00"))
  }

  @Test("Labels of actions and what is added to the body are in the user's language, the body is not")
  func ownLanguage() {
    var bench = BubblesBench()
    bench.bubbles = Bubbles(
      wording: NoticeWording(zone: { .utc }, say: { "<\($0.text)>" }), ownDisplay: false)
    bench.take(.owner(BubblesBench.server))
    bench.take(.capabilities([]))
    bench.take(.show([bench.ring(1, late: .seconds(60), reason: .down)], joins: false))
    let content = bench.calls.first?.content
    #expect(content?.summary == "Wait!")
    #expect(
      content?.body == """
        Your eggs are almost done!
        <Due 21:33:30, <1< min> late>: <eggd was not running>>
        """)
    #expect(content?.actions.prefix(4) == ["default", "<Dismiss>", "snooze", "<Snooze>"])
  }
}
