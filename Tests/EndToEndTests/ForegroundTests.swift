import Alarms
import EggProtocol
import EggTestSupport
import Glibc
import Testing

@Suite("eggd in the foreground, without systemd, journald and bus")
struct ForegroundTests {
  @Test("says once what is missing, rings on standard error, never early")
  func rings() throws {
    let daemon = try PrivateDaemon()
    // one of them may be late where the machine was elsewhere
    let lateness = try ["300ms", "400ms", "500ms"].map { expression in
      let call = ScheduleCall(expression: expression, manner: Manner(summary: "Wait, \(expression)!"))
      let due = try #require(try daemon.client().call(call).alarm.due).microseconds
      let line = try #require(
        daemon.process.waitForError(containing: "Wait, \(expression)! Your eggs are almost done!"),
        "it did not ring")
      #expect(line.text.hasPrefix("<5>"))
      return line.moment - due
    }
    let least = try #require(lateness.min())
    #expect(least >= 0 && least < 50_000, "µs late: \(lateness)")
    for part in ["bus", "journald"] {
      let said = daemon.process.errors.map(\.text).filter { $0.contains(part) }
      #expect(said.count == 1, "\(part): \(said)")
    }
  }

  @Test("hungry is due exactly 5 000 000 µs after eggd read the call")
  func hungry() throws {
    let daemon = try PrivateDaemon()
    let before = now()
    let finished = try daemon.eggctl("hungry", "-q")
    let after = now()
    let number = try #require(Int64(finished.output.dropLast()))
    let shown = try daemon.client().call(ShowCall(number: number)).alarm
    let read = try #require(shown.due).microseconds - 5_000_000
    #expect(read >= before && read <= after)
    #expect(shown.span?.microseconds == 5_000_000)
    // the reply tells what was stored, to the microsecond: createdAt is the moment of the reading
    #expect(shown.createdAt?.microseconds == read)
  }

  @Test(
    "SIGTERM: exits 0 within a second, after the replies of the calls it has read",
    arguments: [SIGTERM, SIGINT])
  func terminates(signal: Int32) throws {
    let daemon = try PrivateDaemon()
    let client = try daemon.client().connection
    for _ in 0..<50 { try client.send(ScheduleCall.qualifiedName, ScheduleCall(expression: "1h")) }
    // the first reply shows that the calls have been read
    var replies: [Int64] = [try client.receive(as: ScheduleReply.self, timeout: patience).alarm.number]
    let began = now()
    daemon.process.signal(signal)
    while let reply = try? client.receive(as: ScheduleReply.self, timeout: patience) {
      replies.append(reply.alarm.number)
    }
    #expect(daemon.process.waitForEnd() == 0)
    #expect(now() - began < 1_000_000)
    try daemon.restart()
    let stored = try daemon.client().call(ListCall()).alarms.map(\.number)
    #expect(Set(stored).isSuperset(of: replies))
  }

  @Test("between alarms it is never scheduled, whatever it was asked before and whoever is connected")
  func idle() throws { try Scenario.run("idle.sh") }

  @Test("a second eggd refuses to start, naming the first")
  func second() throws {
    let daemon = try PrivateDaemon()
    let second = try ChildProcess(
      [Product.testbed("without-journald"), Product.eggd], environment: daemon.environment)
    #expect(second.waitForEnd() == 1)
    #expect(second.errors.contains { $0.text.contains("\(daemon.process.pid)") }, "\(second.errors)")
    #expect(try daemon.eggctl("list").status == 0)
  }

  @Test("a socket that a killed eggd left behind is taken over")
  func takesOver() throws {
    let daemon = try PrivateDaemon()
    try daemon.kill()
    #expect(access(daemon.socket, F_OK) == 0)
    try daemon.restart()
  }

  @Test("without XDG_RUNTIME_DIR the socket is in a place that is the user's own")
  func noRuntimeDirectory() throws {
    let place = try TemporaryDirectory()
    let environment = ["PATH": "/usr/bin:/bin", "HOME": place.path]
    let daemon = try ChildProcess(
      [Product.testbed("without-journald"), Product.eggd], environment: environment)
    let listed = eventually {
      (try? Finished.run([Product.eggctl, "list", "--json"], environment: environment)).flatMap {
        $0.status == 0 ? $0 : nil
      }
    }
    #expect(listed != nil, "\(daemon.errors)")
    daemon.signal(SIGTERM)
    #expect(daemon.waitForEnd() == 0)
  }

  @Test("under nohup it outlives the terminal, and rings")
  func nohup() throws {
    let place = try TemporaryDirectory()
    let environment = ["PATH": "/usr/bin:/bin", "HOME": place.path, "XDG_RUNTIME_DIR": place.path]
    let daemon = try ChildProcess(["/usr/bin/nohup", Product.eggd], environment: environment)
    func said(_ text: String, by verb: String...) -> Bool? {
      let answer = try? Finished.run([Product.eggctl] + verb, environment: environment)
      return answer?.output.contains(text) == true ? true : nil
    }
    #expect(eventually { said("#1 ", by: "schedule", "1s") } != nil, "\(daemon.errors)")
    daemon.signal(SIGHUP)
    #expect(eventually { said("ringing", by: "show", "1") } != nil, "\(daemon.errors)")
    daemon.signal(SIGTERM)
    #expect(daemon.waitForEnd() == 0)
  }

  @Test("a socket path too long for a socket address is a clear error")
  func longPath() throws {
    let place = try TemporaryDirectory()
    let long = place.path + "/" + String(repeating: "x", count: 100)
    mkdir(long, 0o700)
    let environment = ["PATH": "/usr/bin:/bin", "HOME": place.path, "XDG_RUNTIME_DIR": long]
    let daemon = try ChildProcess(
      [Product.testbed("without-journald"), Product.eggd], environment: environment)
    #expect(daemon.waitForEnd() == 78)
    #expect(daemon.errors.contains { $0.text.contains("longer than 107 bytes") }, "\(daemon.errors)")
  }
}
