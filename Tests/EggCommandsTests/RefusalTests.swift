import LinuxIO
import Glibc
import Testing
import Varlink

@testable import EggCommands

/// Messages and exit statuses if eggd refuses, or the server is not eggd.
@Suite struct RefusalTests {
  private typealias ExitStatus = EggCommands.ExitStatus

  private static func error(_ name: String, _ parameters: String) -> ScriptedDaemon.Answer {
    .messages(["{\"error\":\"\(name)\",\"parameters\":\(parameters)}"])
  }

  @Test(
    "Each error of the daemon has a sentence and an exit status",
    arguments: [
      (
        "NoSuchAlarm", "{\"numbers\":[98,99],\"ids\":[]}", ExitStatus.refused,
        "there are no alarms 98 and 99\neggctl: hint: eggctl list"
      ),
      (
        "WrongState", "{\"number\":12,\"state\":\"scheduled\"}", .refused,
        "alarm 12 is scheduled: only ringing alarms can be snoozed\neggctl: hint: eggctl show 12"
      ),
      (
        "KeyInUse", "{\"key\":\"k\",\"number\":12}", .refused,
        "key 'k' is already used by alarm 12, with other settings\neggctl: hint: eggctl show 12"
      ),
      (
        "NoElapseLeft", "{\"number\":12,\"expression\":\"mon 07:30\",\"until\":1577836800000000}", .refused,
        """
        alarm 12 ends at 2020. 01. 01. 00:00:00, before it would ring again
        eggctl: hint: eggctl edit 12 --every "mon 07:30" --until WHEN
        """
      ),
      (
        "NoElapseLeft", "{\"number\":12,\"expression\":\"every day 07:30\"}", .refused,
        "the --count of alarm 12 is used up\neggctl: hint: eggctl edit 12 \"every day 07:30\" --count NUMBER"
      ),
      (
        "StoreUnavailable", "{\"reason\":\"disk full\"}", .refused,
        "the change may not have been stored: disk full\neggctl: hint: eggctl status"
      ),
      (
        "InvalidExpression",
        "{\"expression\":\"6x\",\"offset\":1,\"reason\":\"not a unit\",\"nearest\":\"6s\"}",
        .usage, "cannot read '6x' as a time: not a unit\n  6x\n   ^\neggctl: hint: did you mean 6s?"
      ),
      (
        "InThePast", "{\"expression\":\"2020-01-01\",\"due\":1577836800000000}", .usage,
        """
        '2020-01-01' is in the past: 2020. 01. 01. 00:00:00
          2020-01-01
          ^
        eggctl: hint: a time alone, such as 07:30, means the next one
        """
      ),
      (
        "LabelTooLong", "{\"characters\":31,\"limit\":30}", .usage,
        "the label has 31 characters; the limit is 30"
      ),
      (
        "InvalidText", "{\"field\":\"summary\",\"limit\":200}", .usage,
        "the title is longer than 200 characters"
      ),
      (
        "InvalidText", "{\"field\":\"summary\",\"limit\":4096}", .usage, "the title is longer than 4096 bytes"
      ),
      ("InvalidText", "{\"field\":\"icon\",\"limit\":4096}", .usage, "the icon is longer than 4096 bytes"),
      (
        "InvalidText", "{\"field\":\"body\",\"limit\":1000}", .usage,
        "the body is longer than 1000 characters"
      ),
      (
        "InvalidText", "{\"field\":\"body\",\"limit\":16384}", .usage, "the body is longer than 16384 bytes"
      ),
      (
        "InvalidDue", "{\"number\":12,\"due\":1577836800000000}", .usage,
        "alarm 12 would ring at 2020. 01. 01. 00:00:00, which is in the past\neggctl: hint: eggctl show 12"
      ),
      (
        "InvalidDue", "{\"number\":12,\"due\":9223372036854775807}", .usage,
        """
        alarm 12 would ring after 9999. 12. 30. 23:59:59, the latest possible moment
        eggctl: hint: eggctl show 12
        """
      ),
      (
        "InvalidZone", "{\"zone\":\"Moon\"}", .usage,
        """
        there is no zone 'Moon' on this machine
        eggctl: hint: set TZ to the name of a file in /usr/share/zoneinfo, such as Europe/Paris
        """
      ),
    ])
  func errors(
    _ name: String, _ parameters: String, _ status: EggCommands.ExitStatus, _ message: String
  ) throws {
    let answer = Self.error("io.eggd.Schedule.\(name)", parameters)
    let run = try Run.eggctl("snooze", "12", answers: [answer]).run
    let isWhole = status != .usage || message.contains("eggctl: hint: ")
    let help = isWhole ? "" : "eggctl: hint: eggctl help snooze\n"
    #expect(run == .failed(status, "eggctl: error: \(message)\n\(help)"))
  }

  @Test(
    "Verbs that change nothing say that the schedule cannot be read if the store is unavailable",
    arguments: [
      ["list"], ["show", "12"], ["next"], ["history"], ["history", "12"],
      ["status"],
    ])
  func unreadable(_ words: [String]) throws {
    let daemon = try ScriptedDaemon([
      Self.error("io.eggd.Schedule.StoreUnavailable", "{\"reason\":\"no disk\"}")
    ])
    defer { daemon.end() }
    #expect(
      Run.run(words, variables: ["XDG_RUNTIME_DIR": daemon.directory])
        == .failed(
          .refused, "eggctl: error: the schedule cannot be read: no disk\neggctl: hint: eggctl status\n"))
  }

  @Test("Another protocol exits with 76, a lost connection with 69")
  func strangers() throws {
    let stranger = try Run.eggctl("list", answers: [.messages(["hello"])], disagrees: true)
    #expect(stranger.run.status == .protocolError)
    let unknown = try Run.eggctl(
      "hungry", answers: [Self.error("org.varlink.service.ExpectedMore", "{}")])
    #expect(
      unknown.run
        == .failed(
          .protocolError,
          """
          eggctl: error: eggd sent an error that this eggctl does not know: org.varlink.service.ExpectedMore
          eggctl: hint: compare eggctl --version and eggctl status

          """))
    #expect(
      try Run.eggctl("hungry", answers: [.hangUp]).run
        == .failed(
          .unavailable,
          """
          eggctl: error: eggd closed the connection before it answered
          eggctl: hint: systemctl --user status eggd

          """))
  }

  @Test("A bug in eggctl exits with 70")
  func bug() {
    #expect(
      Connection.failure(of: .connection(.misuse("no call was sent")), precondition: nil, .process)
        == Failure(.bug, "bug in eggctl: no call was sent"))
  }

  @Test("A server that accepts no connection is not waited for forever", arguments: [["list"], ["monitor"]])
  func deaf(_ words: [String]) throws {
    let directory = try ScriptedDaemon.temporaryDirectory()
    let path = directory + "/eggd/eggd.sock"
    mkdir(directory + "/eggd", 0o700)
    let listener = try UnixSocket.listen(path: path)
    // No backlog: one connection waits, the next cannot even do that.
    listen(listener, 0)
    let waiting = try UnixSocket.connect(path: path)
    defer {
      close(waiting)
      close(listener)
      unlink(path)
      rmdir(directory + "/eggd")
      rmdir(directory)
    }
    let run = Run.run(
      words, variables: ["XDG_RUNTIME_DIR": directory], patience: { _ in .milliseconds(1) })
    #expect(
      run
        == .failed(
          .timeout, "eggctl: error: eggd did not answer in time\neggctl: hint: systemctl --user status eggd\n"
        ))
  }

  @Test("A parameter that eggd refuses exits with 64")
  func invalidParameter() throws {
    let answer = Self.error("org.varlink.service.InvalidParameter", "{\"parameter\":\"eggs\"}")
    #expect(
      try Run.eggctl("hungry", answers: [answer]).run
        == .failed(
          .usage,
          "eggctl: error: eggd does not accept the value of 'eggs'\neggctl: hint: eggctl help hungry\n"))
    let empty = Self.error("org.varlink.service.InvalidParameter", "{\"parameter\":\"key\"}")
    #expect(
      try Run.eggctl("schedule", "6m", "--key", "", answers: [empty]).run
        == .failed(.usage, "eggctl: error: --key must not be empty\neggctl: hint: eggctl help schedule\n"))
    let itself = Self.error("org.varlink.service.InvalidParameter", "{\"parameter\":\"other\"}")
    #expect(
      try Run.eggctl("move", "11-13", "--before", "12", answers: [itself]).run
        == .failed(
          .usage, "eggctl: error: an alarm cannot be put next to itself\neggctl: hint: eggctl help move\n"))
  }
}
