import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import Ringing
import Synchronization
import Testing

@testable import EggDaemon

@Suite struct DesktopNotifierTests {
  private let bus: PrivateBus

  init() throws {
    bus = try PrivateBus()
    try bus.start()
  }

  private func ring(_ number: Int64, _ card: AlarmCard = .plain) -> Notice {
    BubblesBench().ring(number, card: card)
  }

  @Test("Notify has the arguments and hints of an alarm")
  func arguments() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment.merging(["XDG_DATA_DIRS": "/nowhere"]) { $1 })
    desk.on { $0.show([.ring(3, .with(label: "two soft ones"))]) }
    let shown = try #require(receiver.notifications(1)?.first)
    #expect(shown.application == "Egg Timer")
    #expect(shown.replaces == 0)
    #expect(shown.icon == "eggd")
    #expect(shown.summary == "Wait!")
    #expect(shown.body == "Your eggs are almost done!\ntwo soft ones")
    #expect(shown.actions == ["default", "Dismiss", "snooze", "Snooze", "again", "Again"])
    #expect(
      shown.hints == [
        "urgency": "y2", "category": "x-eggd.alarm", "desktop-entry": "eggd",
        "sound-name": "alarm-clock-elapsed",
      ])
    #expect(shown.expire == -1)
  }

  @Test("An alarm's own icon file is the image too")
  func ownIcon() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment)
    let card = AlarmCard.plain.changed { $0.icon = "/tmp/my egg.png" }
    desk.on { $0.show([.ring(3, card)]) }
    let shown = try #require(receiver.notifications(1)?.first)
    #expect(shown.icon == "/tmp/my egg.png")
    #expect(shown.hints["image-path"] == "file:///tmp/my%20egg.png")
  }

  @Test("A shown bubble is reported with its id and its server")
  func reported() throws {
    let receiver = try NotificationReceiver(bus, firstID: 40)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(3)]) }
    let reports = try #require(desk.reports(1))
    let owner = try #require(desk.on { $0.session?.owner })
    #expect(
      reports == [.shown([Notice.ring(3).ring], bubble: 41, server: owner, at: desk.clock.read().wall)])
    #expect(receiver.notifications.count == 1)
    #expect(owner.hasPrefix(":1."))
  }

  @Test("Before it stops, eggd learns the ids of its bubbles, or gives up on a server that does not answer")
  func answersBeforeTheEnd() throws {
    let receiver = try NotificationReceiver(bus, manner: .hang)
    let desk = Desk(environment: bus.environment)
    let ends = Mutex<[Int]>([])
    func end(_ patience: DispatchTimeInterval) {
      desk.on { notifier in
        notifier.whenAnswered(within: patience) { ends.withLock { $0.append(desk.reports.count) } }
      }
    }
    end(.seconds(600))
    #expect(ends.withLock { $0 } == [0])
    desk.on { $0.show([.ring(3)]) }
    try #require(receiver.notifications(1) != nil)
    end(.milliseconds(1))
    #expect(eventually { ends.withLock { $0.count == 2 } ? true : nil } == true)
    #expect(desk.reports.isEmpty)
    end(.seconds(600))
    receiver.answerLate()
    #expect(eventually { ends.withLock { $0.count == 3 } ? true : nil } == true)
    #expect(ends.withLock { $0 } == [0, 0, 1])
  }

  @Test("A server that reads markup gets the body escaped")
  func escaped() throws {
    let receiver = try NotificationReceiver(bus, capabilities: ["body", "body-markup"])
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(3, .with(label: "<eggs>"))]) }
    let shown = try #require(receiver.notifications(1)?.first)
    #expect(shown.body == "Your eggs are almost done!\n&lt;eggs&gt;")
  }

  @Test("The user's action on the bubble is reported")
  func choices() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1), .ring(2), .ring(3)]) }
    try #require(desk.reports(3) != nil)
    receiver.emitAction(1, "snooze")
    receiver.emitClosed(1, reason: 2)
    receiver.emitAction(2, "again")
    receiver.emitClosed(3, reason: 2)
    let reports = try #require(desk.reports(6))
    #expect(
      reports[3...].map(\.told) == [
        ToldEffect.chosen(.snooze(nil), [1]), .chosen(.again, [2]), .chosen(.dismiss, [3]),
      ])
    #expect(receiver.closed(2) == [1, 2])
  }

  @Test("An edited alarm's bubble is replaced, without a sound")
  func edited() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    desk.on { $0.take(.retain(number: 1, ringing: [1_001], card: .with(label: "two"))) }
    let shown = try #require(receiver.notifications(2)?.last)
    #expect((shown.replaces, shown.body) == (1, "Your eggs are almost done!\ntwo"))
    #expect(shown.hints["suppress-sound"] == "true")
  }

  @Test("A server's name is safe to show wherever eggd writes it")
  func serverName() throws {
    let receiver = try NotificationReceiver(bus, named: "a\u{1b}[2J\n\u{9b}\u{202e}b")
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(receiver.notifications(1) != nil)
    let name = #"a\u{1b}[2J\n\u{9b}\u{202e}b"#
    #expect(eventually { desk.on { $0.serverName } } == name)
    let entry = try #require(desk.events.map(\.record).first { $0.id == .serverAppeared })
    #expect(entry.message == "The notification server is \(name)")
    #expect(entry.fields.first { $0.name == "EGG_SERVER" }?.value == name)
  }

  @Test("A deleted alarm's bubble is closed")
  func deleted() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    desk.on { $0.take(.retain(number: 1, ringing: [], card: nil)) }
    #expect(receiver.closed(1) == [1])
  }

  @Test("A bubble whose alarm is deleted before the server answers is closed by the answer")
  func deletedBeforeAnswer() throws {
    let receiver = try NotificationReceiver(bus, manner: .hang)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(receiver.notifications(1) != nil)
    desk.on { $0.take(.end([1_001])) }
    receiver.answerLate()
    #expect(receiver.closed(1) == [1])
    #expect(desk.reports.isEmpty)
  }

  @Test("Without a server, rings are kept, reported to the journal, and shown when a server appears")
  func noServer() throws {
    let desk = Desk(environment: bus.environment)
    #expect(desk.reaches(.noServer))
    desk.on { $0.show([.ring(1)]) }
    desk.on { $0.show([.ring(2)]) }
    func warnings() -> Int { desk.events.count { if case .noServer = $0 { true } else { false } } }
    // The bus has answered who owns the name.
    try #require(eventually { warnings() > 0 ? true : nil } == true)
    let receiver = try NotificationReceiver(bus)
    #expect(receiver.notifications(2)?.map(\.summary) == ["Wait!", "Wait!"])
    #expect(desk.reports(2)?.count == 2)
    #expect(warnings() == 1)
  }

  @Test("A server that crashes before it answers has shown nothing; the next one shows the bubble")
  func crash() throws {
    let first = try NotificationReceiver(bus, manner: .hang)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(first.notifications(1) != nil)
    first.crash()
    #expect(desk.reaches(.noServer))
    let second = try NotificationReceiver(bus)
    let shown = try #require(second.notifications(1)?.first)
    #expect(shown.hints["sound-name"] == "alarm-clock-elapsed")
  }

  @Test("A restarted server shows the bubble again, without a sound")
  func restartedServer() throws {
    let first = try NotificationReceiver(bus)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    first.crash()
    #expect(desk.reaches(.noServer))
    let second = try NotificationReceiver(bus)
    let shown = try #require(second.notifications(1)?.first)
    #expect(shown.replaces == 0)
    #expect(shown.hints["sound-name"] == nil)
    #expect(shown.hints["suppress-sound"] == "true")
  }

  @Test("After a restart of eggd the same server's bubble is replaced")
  func restartedDaemon() throws {
    let receiver = try NotificationReceiver(bus, firstID: 10)
    let bubble: NotifierReport
    do {
      let desk = Desk(environment: bus.environment)
      desk.on { $0.show([.ring(1)]) }
      bubble = try #require(desk.reports(1)?.first)
    }
    guard case .shown(_, let id, let server, _) = bubble else {
      throw CancellationError()
    }
    var notice = Notice.ring(1)
    notice.shown = Notice.ShownBubble(id: id, server: server)
    let desk = Desk(environment: bus.environment)
    desk.on { [notice] in $0.take(.restore([notice])) }
    #expect(receiver.notifications(2)?.map(\.replaces) == [0, 11])
    receiver.emitClosed(11, reason: 2)
    // The same bubble: it is known to be shown.
    #expect(desk.reports(1)?.map(\.told) == [ToldEffect.chosen(.dismiss, [1])])
  }

  @Test("A server that leaves 64 calls unanswered gets the rest as one shared bubble")
  func hangs() throws {
    let receiver = try NotificationReceiver(bus, manner: .hang)
    let desk = Desk(environment: bus.environment)
    try #require(desk.reaches(.shown))
    for number in Int64(1)...70 { desk.on { $0.show([.ring(number)]) } }
    try #require(receiver.notifications(64) != nil)
    receiver.behave(.answer)
    receiver.answerLate()
    let shown = try #require(receiver.notifications(65))
    #expect(shown.count == 65)
    #expect(shown.last?.body == BubblesBench.sharedBody(6, from: 65))
  }

  @Test("A refused bubble is sent again with the next ring")
  func refused() throws {
    let receiver = try NotificationReceiver(bus, manner: .refuse)
    let desk = Desk(environment: bus.environment)
    desk.on { $0.show([.ring(1)]) }
    try #require(receiver.notifications(1) != nil)
    receiver.behave(.answer)
    let reported = eventually { () -> Bool? in
      // The refusal is on its way; each ring tries again.
      desk.on { $0.show([]) }
      return desk.reports.isEmpty ? nil : true
    }
    #expect(reported == true)
    #expect(receiver.notifications.count == 2)
  }
}

@Suite struct DesktopBusTests {
  @Test("A bus that appears later is found, and kept rings are shown")
  func lateBus() throws {
    let bus = try PrivateBus()
    let desk = Desk(environment: bus.environment)
    #expect(desk.part == .noBus)
    desk.on { $0.show([.ring(1)]) }
    try bus.start()
    let receiver = try NotificationReceiver(bus)
    #expect(receiver.notifications(1)?.count == 1)
    #expect(desk.reports(1)?.count == 1)
  }

  @Test("A bus that returns after a loss gets the bubbles again")
  func lostBus() throws {
    let bus = try PrivateBus()
    try bus.start()
    let desk = Desk(environment: bus.environment)
    var receiver = try NotificationReceiver(bus)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    bus.stop()
    #expect(desk.reaches(.noBus))
    try bus.start()
    receiver = try NotificationReceiver(bus)
    #expect(receiver.notifications(1)?.first?.hints["suppress-sound"] == "true")
  }

  @Test("DBUS_SESSION_BUS_ADDRESS takes precedence over XDG_RUNTIME_DIR")
  func address() throws {
    let bus = try PrivateBus()
    try bus.start()
    let desk = Desk(environment: [
      "XDG_RUNTIME_DIR": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": bus.address,
    ])
    #expect(desk.reaches(.noServer))
  }

  @Test("Without an address there is no bus, and the journal reports it once")
  func noAddress() {
    let desk = Desk(environment: [:])
    desk.on { $0.show([.ring(1)]) }
    #expect(desk.part == .noBus)
    #expect(desk.events.count == 1)
  }

  @Test("A runtime directory with characters that D-Bus addresses must escape is found")
  func escapedAddress() throws {
    let bus = try PrivateBus()
    try bus.start()
    let odd = bus.directory.appending(path: "a b,c;d=é")
    try FileManager.default.createSymbolicLink(at: odd, withDestinationURL: bus.directory)
    let desk = Desk(environment: ["XDG_RUNTIME_DIR": odd.path])
    #expect(desk.reaches(.noServer))
  }

  @Test("A server is started once eggd has run for ten seconds and there is a display")
  func startsServer() throws {
    let bus = try PrivateBus()
    let sign = bus.directory.appending(path: "started")
    try bus.activate("org.freedesktop.Notifications", by: "/usr/bin/touch \(sign.path)")
    try bus.start()
    let desk = Desk(environment: bus.environment.merging(["DISPLAY": ":9"]) { $1 })
    #expect(desk.reaches(.noServer))
    desk.on { $0.show([.ring(1)]) }
    // Answered after the preceding Notify, which started nothing.
    let probe = try NotificationReceiver(bus)
    #expect(probe.notifications(1)?.count == 1)
    #expect(!FileManager.default.fileExists(atPath: sign.path))
    probe.crash()
    #expect(desk.reaches(.noServer))
    desk.clock.advance(.seconds(10))
    desk.on { $0.show([.ring(2)]) }
    #expect(eventually { FileManager.default.fileExists(atPath: sign.path) ? true : nil } == true)
  }

  @Test("Without a display no server is started")
  func startsNoServer() throws {
    let bus = try PrivateBus()
    let sign = bus.directory.appending(path: "started")
    try bus.activate("org.freedesktop.Notifications", by: "/usr/bin/touch \(sign.path)")
    try bus.start()
    let desk = Desk(environment: bus.environment)
    #expect(desk.reaches(.noServer))
    desk.clock.advance(.seconds(10))
    desk.on { $0.show([.ring(1)]) }
    let receiver = try NotificationReceiver(bus)
    #expect(receiver.notifications(1)?.count == 1)
    #expect(!FileManager.default.fileExists(atPath: sign.path))
  }
}
