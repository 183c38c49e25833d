import Foundation
import Testing

@testable import EggCommands

@Suite("doctor")
struct DoctorTests {
  private static func status(_ version: String, desktop: String, journal: Bool, disk: String)
    -> ScriptedDaemon.Answer
  {
    .messages([
      """
      {"parameters":{"version":"\(version)","pid":42,"startedAt":1795206870000000,"now":1795210470000000,"sequence":7,\
      "totals":{"alarms":1,"eggs":1},"desktop":"\(desktop)","journal":\(journal),"disk":"\(disk)",\
      "database":"/db","zone":"UTC","connections":1,"linger":false}}
      """
    ])
  }

  @Test("doctor names what is wrong and what helps, and ends with 1 where something is")
  func doctor() throws {
    let broken = try Run.eggctl(
      "doctor", answers: [Self.status("9.0", desktop: "noServer", journal: false, disk: "readOnly")]
    ).run
    #expect(broken.status == .refused)
    #expect(broken.messages == "eggctl: error: wrong: database, journal\n")
    #expect(
      broken.output.hasPrefix(
        """
        advice  eggd       9.0 runs, and this eggctl is 0.1.0
                           systemctl --user restart eggd
        wrong   database   /db is read-only: alarms ring, changes are refused
                           df -h ~
        advice  desktop    no notification server: what rings is kept and shown when one starts
        wrong   journal    no journald: what rings goes to eggd's stderr
                           systemctl status systemd-journald
        advice  lingering  off: eggd ends when you log out
                           loginctl enable-linger

        """))
    let full = try Run.eggctl(
      "doctor", answers: [Self.status("0.1.0", desktop: "shown", journal: true, disk: "failing")]
    ).run
    #expect(full.messages == "eggctl: error: wrong: database\n")
    #expect(full.output.contains("wrong   database   /db could not store the last change: alarms ring\n"))
    let sound = try Run.eggctl(
      "doctor", "--json", answers: [Self.status("0.1.0", desktop: "shown", journal: true, disk: "writable")]
    ).run
    #expect(sound.status == .success)
    #expect(
      sound.output.hasPrefix(#"{"findings":[{"name":"eggd","text":"0.1.0, process 42","verdict":"ok"},"#),
      "\(sound.output)")
    let absent = Run.alone("doctor")
    #expect(absent.status == .unavailable)
    let sentence =
      "eggd is not running, or not with this XDG_RUNTIME_DIR: there is no /nonexistent/eggd/eggd.sock"
    #expect(absent.messages == "eggctl: error: \(sentence)\n")
    #expect(
      absent.output.hasPrefix(
        "wrong   eggd  \(sentence)\n              systemctl --user enable --now eggd\n"))
  }

  @Test("doctor sees whether eggd starts at login")
  func doctorUnit() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggctl-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let wants = folder.appending(path: "systemd/user/default.target.wants")
    let variables = ["XDG_RUNTIME_DIR": "/nonexistent", "XDG_CONFIG_HOME": folder.path]
    #expect(Run.run(["doctor"], variables: variables).output.contains("systemctl --user enable --now eggd"))
    try FileManager.default.createDirectory(at: wants, withIntermediateDirectories: true)
    try Data().write(to: wants.appending(path: "eggd.service"))
    #expect(
      Run.run(["doctor"], variables: variables).output.contains("ok     unit  eggd starts when you log in"))
  }
}
