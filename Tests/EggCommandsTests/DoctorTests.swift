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

  @Test("doctor names problems and what helps, and exits with 1 if there are any")
  func doctor() throws {
    let broken = try Run.eggctl(
      "doctor", answers: [Self.status("9.0", desktop: "noServer", journal: false, disk: "readOnly")]
    ).run
    #expect(broken.status == .refused)
    #expect(broken.messages == "eggctl: error: failed checks: database, journal\n")
    #expect(
      broken.output.hasPrefix(
        """
        advice  eggd       9.0 is running, but this eggctl is 0.1.0
                           systemctl --user restart eggd
        wrong   database   /db is read-only; alarms ring, changes are refused
                           df -h ~
        advice  desktop    no notification server: start one, such as dunst; rings are shown then
        wrong   journal    no journald; rings are printed on eggd's stderr
                           systemctl status systemd-journald
        advice  lingering  off: eggd ends when you log out
                           loginctl enable-linger

        """))
    let full = try Run.eggctl(
      "doctor", answers: [Self.status("0.1.0", desktop: "shown", journal: true, disk: "failing")]
    ).run
    #expect(full.messages == "eggctl: error: failed checks: database\n")
    #expect(full.output.contains("wrong   database   /db could not store the last change; alarms ring\n"))
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
      "eggd is not running, or uses another XDG_RUNTIME_DIR: there is no /nonexistent/eggd/eggd.sock"
    #expect(absent.messages == "eggctl: error: \(sentence)\n")
    #expect(
      absent.output.hasPrefix(
        "wrong   eggd  \(sentence)\n              systemctl --user enable --now eggd.socket\n"))
  }

  /// An eggd whose only alarm rings at once; `sound` is who makes it heard.
  private static func ringing(shown: Bool, sound: String) -> @Sendable (String) -> ScriptedDaemon.Answer {
    { call in
      let alarm = """
        {"number":7,"state":"ringing","done":false,"category":"other","eggs":1,"createdAt":1795210470000000,\
        "latest":{"id":1,"dueAt":1,"outcome":"rung"\(shown ? ",\"shownAt\":2" : "")}}
        """
      func reply(_ parameters: String) -> ScriptedDaemon.Answer {
        .messages(["{\"parameters\":\(parameters)}"])
      }
      if call.contains("Schedule.Schedule\"") {
        return reply("{\"alarm\":\(alarm),\"existed\":false,\"sequence\":1}")
      }
      if call.contains("Schedule.Wait\"") { return reply("{\"rang\":[7],\"deleted\":[],\"sequence\":1}") }
      if call.contains("Schedule.Show\"") { return reply("{\"alarm\":\(alarm),\"occurrences\":[]}") }
      if call.contains("Schedule.Delete\"") {
        return reply(
          "{\"count\":1,\"deleted\":[7],\"rang\":[7],\"missing\":[],\"missingIds\":[],\"sequence\":2}")
      }
      if call.contains("Schedule.Config\"") { return reply("{\"settings\":[]}") }
      return reply(
        """
        {"version":"0.1.0","pid":42,"startedAt":1,"now":2,"sequence":7,"totals":{"alarms":1,"eggs":1},\
        "desktop":"\(shown ? "shown" : "noServer")","server":"dunst","journal":true,"disk":"writable",\
        "database":"/db","zone":"UTC","connections":1,"linger":true,\(sound)}
        """)
    }
  }

  @Test("doctor --ring asks whether the test alarm was seen and heard, names what to check, and deletes it")
  func ring() throws {
    let (run, calls) = try Run.eggctl(
      "doctor", "--ring", typed: ["perhaps", "y", "n"],
      answering: Self.ringing(shown: true, sound: "\"sound\":\"player\""))
    #expect(run.status == .refused)
    #expect(
      run.messages == """
        Did you see the test alarm? [y/n] Did you see the test alarm? [y/n] Did you hear it? [y/n] \
        eggctl: error: failed checks: heard

        """)
    #expect(run.output.contains("ok      sound      eggd plays the sound of a ring with libcanberra\n"))
    #expect(run.output.contains("ok      seen       you saw the test alarm\n"))
    #expect(
      run.output.contains(
        """
        wrong   heard      the sound server accepted the sound: check the volume and the output
                           pactl list short sinks

        """), "\(run.output)")
    #expect(calls.contains { $0.contains("Schedule.Delete\"") && $0.contains("[7]") })
  }

  @Test("Without a terminal doctor --ring reports what eggd knows and asks nobody")
  func ringUnasked() throws {
    let run = try Run.eggctl(
      "doctor", "--ring",
      answering: Self.ringing(
        shown: false, sound: "\"sound\":\"nobody\",\"silence\":\"libcanberra0 is not installed\"")
    ).run
    // Neither seen nor heard.
    #expect(run.messages == "eggctl: error: failed checks: sound, seen\n")
    #expect(
      run.output.contains(
        """
        wrong   sound      rings are not heard: libcanberra0 is not installed
                           sudo apt install libcanberra0 libcanberra-pulse sound-theme-freedesktop

        """), "\(run.output)")
    #expect(
      run.output.contains("wrong   seen       nobody showed the test alarm: start a notification server\n"))
  }

  /// What doctor prints of an eggd with that sound on a machine whose programs answer so.
  private func output(
    sound: String, shown: Bool = true, machine: @escaping ([String]) -> String?
  ) throws -> String {
    let daemon = try ScriptedDaemon([], disagrees: false, answering: Self.ringing(shown: shown, sound: sound))
    defer { daemon.end() }
    return Run.run(["doctor"], variables: ["XDG_RUNTIME_DIR": daemon.directory], machine: machine).output
  }

  @Test(
    "doctor names the command that makes rings heard again",
    arguments: [
      (
        "player", "pactl get-sink-mute @DEFAULT_SINK@", "Mute: yes\n",
        "the sound output is muted", "pactl set-sink-mute @DEFAULT_SINK@ 0"
      ),
      (
        "player", "pactl get-sink-volume @DEFAULT_SINK@",
        "Volume: front-left: 0 /   0% / -inf dB,   front-right: 0 /   0% / -inf dB\n",
        "the volume of the sound output is 0", "pactl set-sink-volume @DEFAULT_SINK@ 50%"
      ),
      (
        "nobody", "systemctl --user show -p LoadState pulseaudio.service", "LoadState=loaded\n",
        "no sound server takes sounds", "systemctl --user restart pulseaudio.service"
      ),
      (
        "nobody", "", "", "no sound server takes sounds", "sudo apt install libcanberra-pulse pipewire-pulse"
      ),
    ])
  func unheard(sound: String, asked: String, answer: String, problem: String, command: String) throws {
    for (shown, verdict) in [(true, "advice"), (false, "wrong ")] {
      let output = try output(
        sound: "\"sound\":\"\(sound)\",\"silence\":\"no sound server takes sounds\"", shown: shown
      ) { $0.joined(separator: " ") == asked ? answer : nil }
      #expect(
        output.contains(
          """
          \(verdict)  sound      rings are not heard: \(problem)
                             \(command)

          """), "\(output)")
    }
  }

  @Test("doctor says of units that are masked how eggd starts again, while it runs too")
  func masked() throws {
    let state = try #require(
      UnitState(reading: "LoadState=masked\nActiveState=active\n\nLoadState=masked\nActiveState=active\n"))
    let command =
      "systemctl --user unmask eggd.service eggd.socket && systemctl --user enable --now eggd.socket"
    let absent = Run.run(["doctor"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"], unit: { state })
    #expect(
      absent.output.contains("wrong   eggd  nothing can start eggd again: masked: eggd.service eggd.socket\n")
    )
    #expect(absent.output.contains(command))
    let running = try running(state)
    #expect(running.status == .refused)
    #expect(running.output.contains(command))
  }

  private func running(_ state: UnitState) throws -> Run {
    let daemon = try ScriptedDaemon(
      [], disagrees: false, answering: Self.ringing(shown: true, sound: "\"sound\":\"server\""))
    defer { daemon.end() }
    return Run.run(["doctor"], variables: ["XDG_RUNTIME_DIR": daemon.directory], unit: { state })
  }

  @Test("With its socket alone masked, eggd can still be started, by its service")
  func maskedSocket() throws {
    func state(_ service: String) throws -> UnitState {
      try #require(
        UnitState(reading: "LoadState=loaded\n\(service)\n\nLoadState=masked\nActiveState=inactive\n"))
    }
    let unmask = "systemctl --user unmask eggd.socket && systemctl --user enable"
    let found = "eggctl cannot start eggd: masked: eggd.socket\n"
    let stopped = try state("ActiveState=inactive")
    let absent = Run.run(["doctor"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"], unit: { stopped })
    #expect(
      absent.output.hasPrefix("wrong   eggd  \(found)              \(unmask) --now eggd.socket\n"),
      "\(absent.output)")
    let running = try running(try state("ActiveState=active"))
    #expect(running.status == .success)
    #expect(
      running.output.contains(
        "advice  unit       \(found)                   \(unmask) eggd.socket && "
          + "systemctl --user stop eggd.service && systemctl --user start eggd.socket eggd.service\n"),
      "\(running.output)")
    let failed = try state("ActiveState=failed\nResult=exit-code\nExecMainStatus=226")
    #expect(
      Run.run(["list"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"], unit: { failed }).messages.contains(
        "226/NAMESPACE"))
  }

  @Test(
    "doctor says why eggd runs without its sandbox, and how it gets it back",
    arguments: [
      ("max_user_namespaces", "0", "user.max_user_namespaces=15000"),
      ("unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
      (
        "apparmor_restrict_unprivileged_userns", "1", "kernel.apparmor_restrict_unprivileged_userns=0"
      ), ("", "", nil),
    ] as [(String, String, String?)])
  func sandbox(file: String, number: String, setting: String?) throws {
    let output = try output(sound: "\"sound\":\"server\"") { words in
      if words.last == "eggd-plain.service" { return "ActiveState=active\n" }
      guard words.first == "cat", let asked = words.last?.split(separator: "/").last else { return nil }
      return asked == file ? number + "\n" : "63000\n"
    }
    let forbidden = "eggd runs without its sandbox, because this machine forbids user namespaces"
    #expect(
      output.contains(
        setting.map {
          """
          advice  sandbox    \(forbidden)
                             sudo sysctl \($0) && systemctl --user stop eggd-plain && systemctl --user daemon-reload \
          && systemctl --user restart eggd

          """
        }
          ?? """
          advice  sandbox    eggd runs without its sandbox, which cannot be set up here
                             journalctl --user -t eggd -p warning -n 20

          """), "\(output)")
  }

  @Test("A socket that was deleted while eggd listens is made anew")
  func lostSocket() throws {
    let state = try #require(
      UnitState(reading: "LoadState=loaded\nActiveState=active\n\nLoadState=loaded\nActiveState=active\n"))
    let run = Run.run(["list"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"], unit: { state })
    #expect(
      run
        == .failed(
          .unavailable,
          """
          eggctl: error: eggd's socket was deleted or replaced: nothing answers at /nonexistent/eggd/eggd.sock
          eggctl: hint: systemctl --user stop eggd.service eggd.socket && systemctl --user start eggd.socket eggd.service

          """))
  }

  @Test(
    "A mistake in config.toml is mended by an editor, and a database that its owner may not write by chmod")
  func mending() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggctl-closed-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = folder.path + "/s.db"
    try Data().write(to: URL(filePath: database))
    chmod(database, 0o400)
    let status = """
      {"version":"0.1.0","pid":42,"startedAt":1,"now":2,"sequence":7,"totals":{"alarms":1,"eggs":1},\
      "desktop":"shown","server":"dunst","journal":true,"disk":"readOnly","database":"\(database)","zone":"UTC",\
      "connections":1,"linger":true,"mistake":{"file":"/c d/config.toml","line":2,"reason":"no such key"}}
      """
    let output = try Run.eggctl("doctor", answers: [.reply(status)]).run.output
    #expect(
      output.contains("\n                   ${EDITOR:-vi} \"/c d/config.toml\" && eggctl reload\n"),
      "\(output)")
    #expect(output.contains("\n                   chmod u+w \(database)\n"), "\(output)")
  }

  @Test("doctor names hooks that are not executable, and those that others can change")
  func hooks() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggctl-hooks-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let hooks = folder.appending(path: "on-ring.d")
    try FileManager.default.createDirectory(at: hooks, withIntermediateDirectories: true)
    for (name, mode) in [
      ("runs", 0o755), ("b c.sh", 0o644), ("a.sh", 0o644), (".hidden", 0o644), ("a.sh~", 0o644),
    ] {
      let file = hooks.appending(path: name)
      try Data().write(to: file)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }
    func run() throws -> String {
      let daemon: @Sendable (String) -> ScriptedDaemon.Answer = { call in
        call.contains("Schedule.Config\"")
          ? .messages([#"{"parameters":{"file":"\#(folder.path)/config.toml","settings":[]}}"#])
          : Self.status("0.1.0", desktop: "shown", journal: true, disk: "writable")
      }
      return try Run.eggctl("doctor", answering: daemon).run.output
    }
    let found = """
      advice  hooks      on-ring.d has files that do not run, because they are not executable: a.sh, b c.sh
                         chmod +x \(hooks.path)/a.sh "\(hooks.path)/b c.sh"

      """
    let output = try run()
    #expect(output.contains(found), "\(output)")
    for name in ["a.sh", "b c.sh"] { try FileManager.default.removeItem(at: hooks.appending(path: name)) }
    #expect(try !run().contains("hooks "))
    // Others could change it.
    chmod(hooks.path + "/runs", 0o757)
    #expect(
      try run().contains(
        """
        wrong   hooks      on-ring.d has programs that do not run, because others can change them: runs
                           chmod o-w \(hooks.path)/runs

        """))
    chmod(hooks.path, 0o1777)
    #expect(
      try run().contains(
        """
        wrong   hooks      nothing in \(hooks.path) runs: it can be written by anybody
                           chmod o-w \(hooks.path)

        """))
    chmod(hooks.path, 0o755)
    chmod(folder.path, 0o777)
    #expect(
      try run().contains(
        """
        wrong   hooks      nothing in \(hooks.path) runs: anybody can replace what is in '\(folder.path)'
                           chmod o-w \(folder.path)

        """))
  }

  @Test("doctor sees whether eggd starts at login", arguments: ["eggd.service", "eggd-login.service"])
  func doctorUnit(unit: String) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "eggctl-doctor-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let wants = folder.appending(path: "systemd/user/default.target.wants")
    let variables = ["XDG_RUNTIME_DIR": "/nonexistent", "XDG_CONFIG_HOME": folder.path]
    #expect(
      Run.run(["doctor"], variables: variables).output.contains("systemctl --user enable --now eggd.socket"))
    try FileManager.default.createDirectory(at: wants, withIntermediateDirectories: true)
    try Data().write(to: wants.appending(path: unit))
    #expect(
      Run.run(["doctor"], variables: variables).output.contains("ok     unit  eggd starts when you log in"))
  }
}
