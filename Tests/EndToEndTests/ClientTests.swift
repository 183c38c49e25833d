import EggProtocol
import EggTestSupport
import Glibc
import Testing

@Suite("who talks to eggd")
struct ClientTests {
  @Test("the varlink client of other people introspects, schedules, lists, subscribes and deletes")
  func varlink() throws { try Scenario.run("varlink-client.sh") }

  @Test("an assistant schedules, asks, is refused and named, and broken messages do no harm")
  func assistant() throws { try Scenario.run("assistant.sh") }

  @Test("search boxes find a moment, both readings and what rings; nothing is scheduled before Enter")
  func search() throws { try Scenario.run("search.sh") }

  @Test("another user cannot connect", .enabled(if: isRoot, "acts as another user: needs root"))
  func otherUser() throws {
    let daemon = try PrivateDaemon()
    let connect = [
      "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "python3", "-c",
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      s.settimeout(30)
      try:
          s.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
          print(len(s.recv(100)))
      except ConnectionError:
          print(0)
      """, daemon.socket,
    ]
    let environment = ["PATH": "/usr/bin:/bin"]
    chmod(daemon.directory, 0o755)
    let shut = try Finished.run(connect, environment: environment)
    #expect(shut.status != 0 && shut.errors.contains("PermissionError"), "\(shut)")
    // and with every permission given away, the daemon itself hangs up
    for path in [daemon.runtime, daemon.runtime + "/eggd"] { chmod(path, 0o755) }
    chmod(daemon.socket, 0o666)
    let refused = try Finished.run(connect, environment: environment)
    #expect(refused.status == 0 && refused.output == "0\n", "\(refused)")
    #expect(daemon.process.waitForError(containing: "another user") != nil)
    #expect(try daemon.eggctl("list").status == 0)
  }

  @Test("without a daemon: exit 69, and the command that starts it")
  func noDaemon() throws {
    let place = try TemporaryDirectory()
    let finished = try Finished.run(
      [Product.eggctl, "list"],
      environment: ["HOME": place.path, "XDG_RUNTIME_DIR": place.path, "PATH": "/usr/bin:/bin"])
    #expect(finished.status == 69)
    #expect(finished.output.isEmpty)
    #expect(finished.errors.hasPrefix("eggctl: error: "))
    #expect(finished.errors.contains("systemctl --user enable --now eggd.socket"))
  }

  @Test(
    "bad input: exit status and message",
    arguments: [
      (["schedule", "6mm"], 64, "6mm"), (["schedule", "2001-01-01 00:00"], 64, "past"),
      (["schedule", "1h", "--eggs", "0"], 64, "egg"), (["schedule", "1h", "--category", "raw"], 64, "raw"),
      (["schedule", "1h", "a label that has more than thirty characters"], 64, "30"),
      (["delete", "999"], 1, "999"), (["show", "999"], 1, "999"),
    ] as [([String], Int32, String)])
  func badInput(arguments: [String], status: Int32, text: String) throws {
    let daemon = try PrivateDaemon()
    let finished = try Finished.run([Product.eggctl] + arguments, environment: daemon.environment)
    #expect(finished.status == status)
    #expect(finished.output.isEmpty)
    #expect(finished.errors.hasPrefix("eggctl: error: "), "\(finished.errors)")
    #expect(finished.errors.contains(text), "\(finished.errors)")
    #expect(try daemon.client().call(ListCall()).alarms.isEmpty)
  }
}
