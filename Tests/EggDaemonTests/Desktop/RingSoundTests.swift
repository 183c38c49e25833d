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

  /// A desk whose player goes on as `ending` says. A check ends with `check`.
  private func desk(
    _ ending: String, check: Int = 0, sound: SoundSettings = SoundSettings()
  ) throws -> Desk {
    let program = folder.appending(path: "player")
    try """
    #!/bin/sh
    test "$1" != --check || exit \(check)
    echo "$1 $2" >>"\(folder.path)/manner"
    echo "$3" >>"\(folder.path)/played"
    \(ending)

    """.write(to: program, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    return Desk(environment: bus.environment, player: program.path, sound: sound)
  }

  private func lines(_ file: String) -> [String] {
    let text = (try? String(contentsOf: folder.appending(path: file), encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What was played so far.
  private var played: [String] { lines("played") }

  private func played(_ count: Int) -> [String]? {
    eventually { played.count >= count ? played : nil }
  }

  private func isSilent(_ desk: Desk) -> Bool {
    eventually { desk.on { $0.isPlaying } ? nil : true } == true
  }

  private static let long = "exec sleep 300"

  private func ring(_ number: Int64, sound: AlarmSound?) -> Notice {
    .ring(number, .plain.changed { $0.sound = sound?.text })
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

  @Test("eggd plays what a server with the capability could play, and asks it for silence")
  func playsForServer() throws {
    let receiver = try NotificationReceiver(bus, capabilities: ["body", "sound"])
    let desk = try desk(Self.long)
    #expect(desk.reaches(.shown))
    try #require(eventually { desk.on { $0.serverPlays } ? nil : true } == true)
    try #require(checked(desk) == .some(nil))
    desk.on { $0.show([ring(1, sound: .named("bell"))]) }
    #expect(played(1) == ["bell"])
    let hints = try #require(receiver.notifications(1)?.first?.hints)
    #expect(hints.filter { $0.key.contains("sound") } == ["suppress-sound": "true"])
  }

  @Test(
    "A server with the capability plays what the alarm says where eggd cannot",
    arguments: [
      (nil, "sound-name", "alarm-clock-elapsed"), (AlarmSound.named("bell"), "sound-name", "bell"),
      (.file("/tmp/a.oga"), "sound-file", "/tmp/a.oga"), (.silence, "suppress-sound", "true"),
    ] as [(AlarmSound?, String, String)])
  func serverPlays(sound: AlarmSound?, hint: String, value: String) throws {
    let receiver = try NotificationReceiver(bus, capabilities: ["body", "sound"])
    let desk = try desk(Self.long, check: 75)
    #expect(eventually { desk.on { $0.serverPlays } ? true : nil } == true)
    desk.on { $0.show([ring(1, sound: sound)]) }
    let hints = try #require(receiver.notifications(1)?.first?.hints)
    #expect(hints.filter { $0.key.contains("sound") } == [hint: value])
    #expect(desk.on { $0.isPlaying } == false)
  }

  @Test("Without a server the sound is played all the same")
  func noServer() throws {
    let desk = try desk(Self.long, sound: SoundSettings(usual: .named("bell")))
    #expect(desk.reaches(.noServer))
    desk.on { $0.show([.ring(1)]) }
    #expect(played(1) == ["bell"])
  }

  @Test(
    "Alarms that ring together are one sound; those that ring meanwhile are heard after it; silent ones are not"
  )
  func oneSound() throws {
    let desk = try desk(Self.long)
    desk.on { $0.show([ring(1, sound: .silence)]) }
    #expect(desk.on { $0.isPlaying } == false)
    desk.on { $0.show([ring(2, sound: .silence), ring(3, sound: .named("bell")), ring(4, sound: nil)]) }
    desk.on { $0.show([ring(5, sound: .named("complete"))]) }
    desk.on { $0.show([ring(6, sound: nil)]) }
    #expect(played(1) == ["bell"])
    for number in [3, 4] { desk.on { $0.take(.end([1_000 + Int64(number)])) } }
    #expect(played(2) == ["bell", "complete"])
    desk.on { $0.take(.end([1_005])) }
    #expect(desk.on { $0.isPlaying })
    desk.on { $0.take(.end([1_006])) }
    #expect(isSilent(desk))
    #expect(played == ["bell", "complete"])
  }

  @Test("A ring is repeated and fades in as the settings say; a late one and many at once sound once")
  func manner() throws {
    let desk = try desk("exit 0", sound: SoundSettings(lasting: .seconds(45)))
    var late = Notice.ring(2)
    late.lateness = .seconds(2)
    let many = (10...15).map { Notice.ring($0) }
    for notices in [[.ring(1)], [late], many] {
      desk.on { $0.show(notices) }
      try #require(isSilent(desk))
    }
    desk.on { $0.follow(.plain, SoundSettings(lasting: .zero, fadesIn: false)) }
    desk.on { $0.show([.ring(3)]) }
    try #require(isSilent(desk))
    #expect(lines("manner") == ["45 fade", "0 fade", "0 fade", "0 full"])
  }

  @Test("A repetition of an insisting alarm begins the sound again after its end")
  func begunAgain() throws {
    let desk = try desk("test -e \"\(folder.path)/second\" && exec sleep 300; exec sleep 0.2")
    desk.on { $0.show([.ring(1)]) }
    #expect(played(1) != nil)
    _ = FileManager.default.createFile(atPath: folder.appending(path: "second").path, contents: nil)
    desk.on { $0.show([.ring(1)]) }
    #expect(played(2)?.count == 2)
    #expect(desk.on { $0.isPlaying })
  }

  @Test("A sound that cannot be played is journaled once a ring, and the next alarm is heard")
  func unplayable() throws {
    let desk = try desk("test \"$3\" != /a.mp3 || echo \"$3\"; echo \"$4\" >>\"\(folder.path)/instead\"")
    desk.on { $0.show([ring(1, sound: .file("/a.mp3"))]) }
    try #require(isSilent(desk))
    desk.on { $0.show([ring(2, sound: .named("bell"))]) }
    try #require(isSilent(desk))
    #expect(played == ["/a.mp3", "bell"])
    #expect(lines("instead").first == "alarm-clock-elapsed")
    let told = desk.events.filter { if case .soundUnplayable = $0 { true } else { false } }
    #expect(told == [.soundUnplayable(number: 1, sound: "/a.mp3")])
  }

  @Test("Where neither the sound nor the usual one is there, the next alarm is tried all the same")
  func noSound() throws {
    let desk = try desk("test \"$3\" = bell || exit 66")
    desk.on { $0.show([ring(1, sound: nil)]) }
    try #require(isSilent(desk))
    desk.on { $0.show([ring(2, sound: .named("bell"))]) }
    #expect(played(2)?.last == "bell")
  }

  @Test("A person's answer on the bubble ends the sound")
  func dismissed() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = try desk(Self.long)
    desk.on { $0.show([.ring(1)]) }
    try #require(desk.reports(1) != nil)
    #expect(desk.on { $0.isPlaying })
    receiver.emitClosed(1, reason: 2)
    #expect(isSilent(desk))
  }

  @Test("What rang before this start makes no sound")
  func restored() throws {
    let desk = try desk(Self.long)
    desk.on { $0.take(.restore([.ring(1)])) }
    #expect(desk.on { $0.isPlaying } == false)
  }

  @Test("A failure is journaled once; for five seconds nothing is tried, and servers are asked to play")
  func failure() throws {
    let receiver = try NotificationReceiver(bus)
    let desk = try desk("exit 75")
    for number in 1...3 {
      desk.on { $0.show([.ring(Int64(number))]) }
      try #require(isSilent(desk))
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
    arguments: [
      (69, "libcanberra0 is not installed"), (75, "no sound server takes sounds"), (0, nil),
    ] as [(Int, String?)])
  func check(status: Int, problem: String?) throws {
    #expect(try checked(desk(Self.long, check: status)) == .some(problem))
  }

  private func checked(_ desk: Desk) -> String?? {
    let answers = Kept<String?>()
    desk.on { $0.checkSound { _, problem in answers.append(problem) } }
    return eventually { answers.all.first }
  }

  @Test("A ring during a check is heard")
  func ringDuringCheck() throws {
    let desk = try desk(Self.long)
    desk.on { $0.checkSound { _, _ in } }
    desk.on { $0.show([.ring(1)]) }
    #expect(played(1) == ["alarm-clock-elapsed"])
  }
}
