import LinuxIO
import Testing

@testable import EggCommands

/// eggctl's messages if eggd's unit fails.
@Suite struct UnitStateTests {
  private static func state(
    _ active: String, _ result: String, _ status: Int, restarts: Int = 0, job: Int = 0
  )
    throws -> UnitState
  {
    try #require(
      UnitState(
        reading: """
          ActiveState=\(active)
          Result=\(result)
          ExecMainStatus=\(status)
          NRestarts=\(restarts)
          Job=\(job)

          """))
  }

  private static let namespaces = """
    eggctl: error: eggd.service failed with 217/USER: user namespaces are forbidden here
    eggctl: hint: systemctl --user restart eggd-plain.service

    """

  @Test(
    "Every kind of command names the failed unit, the reason and the remedy, without waiting a minute",
    arguments: [
      ["status"], ["schedule", "6m"], ["list"], ["wait", "3"], ["delete", "3"], ["next"], ["monitor"],
    ])
  func failed(words: [String]) throws {
    let daemon = try ScriptedDaemon { _ in .silence }
    defer { daemon.end() }
    let failed = try Self.state("failed", "exit-code", 217)
    let run = Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory], unit: { failed })
    #expect(run == .failed(.unavailable, Self.namespaces))
  }

  @Test("Without a socket the unit's failure is reported at once")
  func nobodyListens() throws {
    let failed = try Self.state("failed", "exit-code", 217)
    let run = Run.run(["list"], variables: ["XDG_RUNTIME_DIR": "/nonexistent"], unit: { failed })
    #expect(run == .failed(.unavailable, Self.namespaces))
  }

  @Test("An eggd that runs, is starting or was killed once is waited for")
  func waitedFor() throws {
    let killed = try Self.state("activating", "signal", 9, restarts: 4)
    let running = try Self.state("active", "success", 0, restarts: 5)
    let starting = try Self.state("activating", "success", 0, restarts: 5)
    let failed = try Self.state("failed", "exit-code", 217)
    let queued = try Self.state("failed", "exit-code", 217, job: 12)
    for looks in [
      [killed, running], [killed, killed], [running, running], [running, killed], [queued, queued],
      [failed, starting], [failed, running],
    ] {
      var left = looks[...]
      let watch = UnitWatch { left.popFirst() }
      #expect(watch.goesOn() && watch.goesOn(), "\(looks)")
    }
  }

  @Test("A unit that failed again after a restart is not waited for")
  func keepsFailing() throws {
    var left = try [
      Self.state("activating", "signal", 9, restarts: 4), Self.state("activating", "success", 0, restarts: 5),
      Self.state("activating", "signal", 9, restarts: 5),
    ][...]
    let watch = UnitWatch { left.popFirst() }
    #expect([watch.goesOn(), watch.goesOn(), watch.goesOn()] == [true, true, false])
  }

  @Test("A unit that refuses each start by its socket is not waited for")
  func refuses() throws {
    var left = try [
      Self.state("activating", "success", 0), Self.state("failed", "exit-code", 78, job: 12),
      Self.state("activating", "exit-code", 78, job: 13),
    ][...]
    let watch = UnitWatch { left.popFirst() }
    #expect([watch.goesOn(), watch.goesOn(), watch.goesOn()] == [true, true, false])
  }

  @Test("A program's output is read, within a time limit")
  func programs() {
    #expect(ProgramOutput.read(["echo", "a b"], environment: [], within: .seconds(30)) == "a b\n")
    #expect(ProgramOutput.read(["sleep", "1000"], environment: [], within: .milliseconds(1)) == nil)
    #expect(ProgramOutput.read(["/nonexistent"], environment: [], within: .seconds(30)) == nil)
  }
}
