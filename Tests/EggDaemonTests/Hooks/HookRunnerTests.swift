import Alarms
import Dispatch
import EggTestSupport
import EggTime
import Foundation
import Ringing
import Testing

@testable import EggDaemon

/// Hooks without a service manager: as eggd's own children.
@Suite final class HookRunnerTests {
  private let folder: URL
  private let ended = Kept<HookEnd>()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "eggd-hooks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var directory: URL { folder.appending(path: "eggd/on-ring.d") }

  private func runner(
    bus: String? = nil, isConfined: Bool = false, limit: Int32 = 60_000,
    json: @escaping @Sendable (Int64) -> String? = { "{\"number\":\($0)}" }
  ) -> HookRunner {
    var environment = [
      "XDG_CONFIG_HOME": folder.path, "HOME": folder.path, "PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": "/n",
    ]
    environment["DBUS_SESSION_BUS_ADDRESS"] = bus
    if isConfined { environment["EGGD_SANDBOX"] = "1" }
    return HookRunner(
      environment: environment, limit: limit,
      alarm: { number, answer in json(number).map { answer(Array($0.utf8)) } },
      ended: { [ended] in $0.forEach { ended.append($0) } })
  }

  private func program(_ name: String, _ script: String, mode: Int = 0o755) throws {
    let path = directory.appending(path: name).path
    try "#!/bin/sh\n\(script)\n".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  private func ring(_ number: Int64 = 1, run words: [String]? = nil, label: String? = nil) -> Notice {
    let run = words.flatMap { AlarmCommand(words: $0)?.text }
    return .ring(number, .plain.changed { ($0.label, $0.run) = (label, run) })
  }

  private func results(_ count: Int) -> [HookRun]? {
    eventually { ended.all.count >= count ? ended.all.map(\.run) : nil }
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test(
    "An alarm's command gets its words as they are, its JSON, and EGG_ variables; it runs in the home folder")
  func command() throws {
    let script = "cat >json; printf '%s\\n' \"$@\" >words; env >variables"
    let words = ["/bin/sh", "-c", script, "sh", "$HOME *", "", "; exit 4", "한글"]
    runner().run(.ring, [ring(7, run: words, label: "two 'soft' ones")])
    #expect(results(1)?.map(\.result) == [.exited(0)])
    #expect(try text("json") == "{\"number\":7}")
    #expect(try text("words") == "$HOME *\n\n; exit 4\n한글\n")
    let variables = try text("variables").split(separator: "\n")
    #expect(variables.contains("EGG_ALARM_NUMBER=7"))
    #expect(variables.contains("EGG_LABEL=two 'soft' ones"))
    #expect(variables.contains("EGG_SUMMARY=Wait!"))
    #expect(!variables.contains { $0.hasPrefix("NOTIFY_SOCKET") })
  }

  @Test("When nobody answers, another command and the programs of another folder run")
  func unanswered() throws {
    let other = folder.appending(path: "eggd/on-unanswered.d")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try program("rings", "exit 1")
    try program("../on-unanswered.d/calls", "echo $EGG_ALARM_NUMBER $EGG_OCCASION >called")
    var notice = ring(7, run: ["/bin/false"])
    notice.card = notice.card.changed { $0.runUnanswered = "/bin/sh -c 'exit 3'" }
    let begun = Kept<Int>()
    runner().run(.unanswered, [notice]) { begun.append(1) }
    #expect(results(2)?.map(\.result).contains(.exited(3)) == true)
    #expect(ended.all.map(\.run.result).contains(.exited(0)))
    #expect(try text("called") == "7 unanswered\n")
    #expect(begun.all == [1])
  }

  @Test("How it ended is told: by a status, by a signal, or that it did not start")
  func ends() throws {
    let runner = runner()
    runner.run(
      .ring,
      [
        ring(1, run: ["/bin/sh", "-c", "exit 3"]), ring(2, run: ["/bin/sh", "-c", "kill -9 $$"]),
        ring(3, run: ["/nonexistent/program"]), ring(4),
      ])
    let runs = try #require(results(3))
    let byNumber = Dictionary(uniqueKeysWithValues: ended.all.map { ($0.number, $0.run) })
    #expect(runs.count == 3)
    #expect(byNumber[1]?.result == .exited(3))
    #expect(byNumber[2]?.result == .killed(9))
    #expect(
      byNumber[3] == HookRun(hook: "/nonexistent/program", result: .notStarted("No such file or directory")))
  }

  @Test("A command that runs too long is ended, with what it started")
  func overdue() throws {
    let script = "sleep 300 & echo $! >child; wait"
    runner(limit: 300).run(.ring, [ring(1, run: ["/bin/sh", "-c", script])])
    #expect(results(1)?.map(\.result) == [.timedOut])
    let child = try #require(pid_t(try text("child").dropLast()))
    #expect(eventually { kill(child, 0) != 0 ? true : nil } == true)
  }

  @Test("Programs in on-ring.d run at every ring, but for hidden files, backups and what is not executable")
  func programs() throws {
    for name in ["20-led", "10-light"] { try program(name, "echo \"$0 $EGG_ALARM_NUMBER\" >>\"$HOME/ran\"") }
    for name in [".hidden", "old~"] { try program(name, "touch \"$HOME/wrong\"") }
    try program("notes.txt", "touch \"$HOME/wrong\"", mode: 0o644)
    runner().run(.ring, [ring(5), ring(6)])
    let runs = try #require(results(4))
    #expect(runs.allSatisfy { $0.result == .exited(0) })
    let lights = ended.all.filter { $0.run.hook.hasSuffix("/on-ring.d/10-light") }
    #expect(lights.count == 2)
    #expect(try text("ran").split(separator: "\n").count == 4)
    #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "wrong").path))
  }

  @Test(
    "A program that another user could change does not run, and that is told",
    arguments: [
      ("eggd/on-ring.d/each", 0o757, "it can be written by anybody"),
      ("eggd/on-ring.d", 0o777, "on-ring.d: it can be written by anybody"),
      ("eggd/on-ring.d", 0o1777, "on-ring.d: it can be written by anybody"),
      ("eggd/on-ring.d/each", 0o775, nil),
    ] as [(String, Int, String?)])
  func exposed(path: String, mode: Int, reason: String?) throws {
    try program("each", "touch \"$HOME/ran\"")
    try FileManager.default.setAttributes(
      [.posixPermissions: mode], ofItemAtPath: folder.appending(path: path).path)
    runner().run(.ring, [ring(5, run: ["/bin/true"])])
    let runs = try #require(results(2))
    #expect(runs.filter { $0.hook == "/bin/true" }.map(\.result) == [.exited(0)])
    let expected = reason.map { HookRun.Result.notStarted($0) } ?? .exited(0)
    #expect(runs.filter { $0.hook != "/bin/true" }.map(\.result) == [expected])
    #expect(FileManager.default.fileExists(atPath: folder.appending(path: "ran").path) == (reason == nil))
  }

  @Test("At most eight run at once, and of very many the last are refused")
  func bounds() throws {
    try program("count", "echo + >>\"$HOME/count\"; sleep 0.05; echo - >>\"$HOME/count\"")
    let count = HookRunner.atOnce + HookRunner.mostWaiting
    runner().run(.ring, (1...Int64(count) + 10).map { ring($0) })
    let runs = try #require(results(count + 10))
    let refused = runs.filter { $0.result == .notStarted("too many commands are waiting") }
    #expect(refused.count == 10 + HookRunner.atOnce)
    var (running, most) = (0, 0)
    for line in try text("count").split(separator: "\n") {
      running += line == "+" ? 1 : -1
      most = max(most, running)
    }
    #expect(most <= HookRunner.atOnce)
  }

  @Test("Where the alarm cannot be read, the command runs without its JSON")
  func unreadable() throws {
    runner(json: { _ in nil }).run(.ring, [ring(1, run: ["/bin/sh", "-c", "cat >json"])])
    #expect(results(1)?.map(\.result) == [.exited(0)])
    #expect(try text("json").isEmpty)
  }

  @Test("With a bus that has no service manager, the command runs all the same")
  func noManager() throws {
    let bus = try PrivateBus()
    try bus.start()
    runner(bus: bus.address).run(.ring, [ring(1, run: ["/bin/sh", "-c", "exit 5"])])
    #expect(results(1)?.map(\.result) == [.exited(5)])
  }

  @Test("A failure in eggd's sandbox, for lack of a bus, is told as that")
  func confined() throws {
    runner(isConfined: true).run(.ring, [ring(1, run: ["/bin/sh", "-c", "exit 5"])])
    #expect(results(1)?.map(\.result) == [.exited(5)])
    #expect(
      ended.all[0].record.message
        == "A command of alarm #1 failed with status 5 in eggd's sandbox, as there is no bus to the service manager: "
        + "/bin/sh -c 'exit 5'")
  }

  @Test("A command that ran did start, whatever its status", arguments: 0...4)
  func ranWithHighStatus(questions: Int) throws {
    let bus = try PrivateBus()
    try bus.start()
    let manager = try FakeServiceManager(
      bus, ending: .init(state: "failed", result: "exit-code", code: 1, status: 203, active: 7),
      after: questions)
    withExtendedLifetime(manager) {
      runner(bus: bus.address).run(.ring, [ring(1, run: ["/bin/false"])])
      #expect(results(1)?.map(\.result) == [.exited(203)])
    }
  }

  @Test("How a unit ended is told the same wherever it ends between eggd's questions", arguments: 0...4)
  func endsBetweenQuestions(questions: Int) throws {
    let bus = try PrivateBus()
    try bus.start()
    let manager = try FakeServiceManager(
      bus, ending: .init(state: "failed", result: "exit-code", code: 1, status: 203), after: questions)
    withExtendedLifetime(manager) {
      runner(bus: bus.address).run(.ring, [ring(1, run: ["/gone"])])
      #expect(
        results(1)?.map(\.result) == [.notStarted("the service manager could not run it (status 203)")])
    }
  }

  @Test(
    "What the service manager says of the end is understood",
    arguments: [
      ("success", 1, 0, .exited(0)), ("exit-code", 1, 3, .exited(3)), ("exit-code", 1, 199, .exited(199)),
      ("exit-code", 1, 203, .notStarted("the service manager could not run it (status 203)")),
      ("signal", 2, 15, .killed(15)), ("success", 2, 15, .killed(15)), ("core-dump", 3, 11, .killed(11)),
      ("oom-kill", 2, 9, .killed(9)), ("timeout", 2, 15, .timedOut), ("something new", 1, 4, .exited(4)),
      ("resources", 0, 0, .notStarted("the service manager says: resources")),
    ] as [(String, Int32, Int32, HookRun.Result)])
  func managerResult(result: String, code: Int32, status: Int32, expected: HookRun.Result) {
    #expect(TransientUnits.result(result, code: code, status: status, ran: false) == expected)
  }
}
