import Alarms
import EggProtocol
import EggTestSupport
import EggTime
import Foundation
import Ringing
import Testing

@testable import EggDaemon

/// Rings with a program in place of eggd-sound that writes down what it is to play.
@Suite struct RingSoundTests {
  private let bus: PrivateBus
  private let folder: URL

  init() throws {
    bus = try PrivateBus()
    try bus.start()
    folder = FileManager.default.temporaryDirectory.appending(path: "eggd-sound-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// A desk whose player goes on as `ending` says.
  private func desk(_ ending: String, usual: AlarmSound = .usual) throws -> Desk {
    let program = folder.appending(path: "player")
    try "#!/bin/sh\necho \"$1\" >>\"\(folder.path)/played\"\n\(ending)\n"
      .write(to: program, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    return Desk(environment: bus.environment, player: program.path, usual: usual)
  }

  /// What was played so far, without checks.
  private var played: [String] {
    let text = (try? String(contentsOf: folder.appending(path: "played"), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init).filter { $0 != "--check" }
  }

  private func played(_ count: Int) -> [String]? {
    eventually { played.count >= count ? played : nil }
  }

  private static let long = "exec sleep 300"

  private func ring(_ number: Int64, sound: AlarmSound?) -> Notice {
    var card = AlarmCard.plain
    card.sound = sound?.text
    return .ring(number, card)
  }

  @Test("eggd plays what a server without the capability does not, and asks that server for silence")
  func playsItself() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = try desk(Self.long)
    #expect(desk.reaches(.shown))
    desk.on { $0.show([ring(1, sound: .file("/tmp/a b.oga"))]) }
    #expect(played(1) == ["/tmp/a b.oga"])
    let hints = try #require(receiver.notifications(1)?.first?.hints)
    #expect(hints["suppress-sound"] == "true")
    #expect(hints["sound-name"] == nil)
    #expect(hints["sound-file"] == nil)
  }

  @Test(
    "A server with the capability plays by itself what the alarm says",
    arguments: [
      (nil, "sound-name", "alarm-clock-elapsed"), (AlarmSound.named("bell"), "sound-name", "bell"),
      (.file("/tmp/a.oga"), "sound-file", "/tmp/a.oga"), (.silence, "suppress-sound", "true"),
    ] as [(AlarmSound?, String, String)])
  func serverPlays(sound: AlarmSound?, hint: String, value: String) throws {
    let receiver = try NotificationReceiver(bus, capabilities: ["body", "sound"])
    let desk = try desk(Self.long)
    #expect(eventually { desk.on { $0.playsSound } ? true : nil } == true)
    desk.on { $0.show([ring(1, sound: sound)]) }
    let hints = try #require(receiver.notifications(1)?.first?.hints)
    #expect(hints.filter { $0.key.contains("sound") } == [hint: value])
    #expect(desk.on { $0.isPlaying } == false)
  }

  @Test("Without a server the sound is played all the same")
  func noServer() throws {
    let desk = try desk(Self.long, usual: .named("bell"))
    #expect(desk.reaches(.noServer))
    desk.on { $0.show([.ring(1)]) }
    #expect(played(1) == ["bell"])
  }

  @Test("Alarms that ring together, or while a sound plays, are one sound; silent ones are none")
  func oneSound() throws {
    let desk = try desk(Self.long)
    desk.on { $0.show([ring(1, sound: .silence)]) }
    #expect(desk.on { $0.isPlaying } == false)
    desk.on { $0.show([ring(2, sound: .silence), ring(3, sound: .named("bell")), ring(4, sound: nil)]) }
    desk.on { $0.show([ring(5, sound: .named("complete"))]) }
    #expect(played(1) == ["bell"])
    // The last of them ends it, and the next ring is heard again.
    for number in [3, 4] { desk.on { $0.end([1_000 + Int64(number)]) } }
    #expect(desk.on { $0.isPlaying })
    desk.on { $0.end([1_005]) }
    try #require(eventually { desk.on { $0.isPlaying } ? nil : true } == true)
    desk.on { $0.show([ring(6, sound: .named("complete"))]) }
    #expect(played(2) == ["bell", "complete"])
  }

  @Test("A person's answer on the bubble ends the sound")
  func dismissed() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = try desk(Self.long)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    #expect(desk.on { $0.isPlaying })
    receiver.emitClosed(1, reason: 2)
    #expect(eventually { desk.on { $0.isPlaying } ? nil : true } == true)
  }

  @Test("What rang before this start makes no sound")
  func restored() throws {
    let desk = try desk(Self.long)
    desk.on { $0.restore([.ring(1)], isLast: true) }
    #expect(desk.on { $0.isPlaying } == false)
  }

  @Test("A failure is journaled once; for five seconds nothing is tried, and servers are asked to play")
  func failure() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = try desk("exit 75")
    for number in 1...3 {
      desk.on { $0.show([.ring(Int64(number))]) }
      try #require(eventually { desk.on { $0.isPlaying } ? nil : true } == true)
      if number > 1 { desk.clock.advance(.seconds(6)) }
    }
    #expect(played == ["alarm-clock-elapsed", "alarm-clock-elapsed"])
    let told = desk.events.filter { if case .notHeard = $0 { true } else { false } }
    #expect(told == [.notHeard(reason: "no sound server takes sounds")])
    let hints = try #require(receiver.notifications(3)?.last?.hints)
    #expect(hints["sound-name"] == "alarm-clock-elapsed")
  }

  @Test(
    "Why nothing is heard is known before the first ring",
    arguments: [("exit 69", "libcanberra0 is not installed"), ("exit 0", nil)] as [(String, String?)])
  func check(ending: String, problem: String?) throws {
    let desk = try desk(ending)
    let answers = Kept<String?>()
    desk.on { $0.checkSound { _, problem in answers.append(problem) } }
    #expect(eventually { answers.all.first } == .some(problem))
  }

  @Test("A ring during a check is heard")
  func ringDuringCheck() throws {
    let desk = try desk("test \"$1\" != --check || sleep 0.2; test \"$1\" = --check || exec sleep 300")
    desk.on { $0.checkSound { _, _ in } }
    desk.on { $0.show([.ring(1)]) }
    #expect(played(1) == ["alarm-clock-elapsed"])
  }
}
