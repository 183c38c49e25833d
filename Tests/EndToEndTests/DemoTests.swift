import Glibc
import Testing

@Suite("make demo")
struct DemoTests {
  private func demo(eggctl: String = Product.eggctl, below wrapper: [String] = []) throws -> Finished {
    try Finished.run(
      wrapper + ["\(Product.root)/Tests/demo/demo", Product.eggd, eggctl],
      environment: ["PATH": inherited("PATH") ?? "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": "/nonexistent"])
  }

  /// What a busy machine makes late it does not make late three times in turn.
  private func demoInTime(below wrapper: [String]) throws -> Finished {
    for _ in 0..<2 {
      let finished = try demo(below: wrapper)
      if finished.status == 0 { return finished }
    }
    return try demo(below: wrapper)
  }

  /// An eggctl that, after it has shown the list, does something to the eggd of the demo.
  private func meddling(_ deed: String, in directory: TemporaryDirectory) throws -> String {
    let path = directory.path + "/eggctl"
    let script = """
      #!/bin/bash
      \(Product.eggctl) "$@" || exit
      [[ $1 == list ]] || exit 0
      pid=$(\(Product.eggctl) status --json | jq .pid)
      \(deed)
      """
    try script.write(to: path, mode: 0o755)
    return path
  }

  @Test("without desktop and journald it judges the line on standard error, and exits 0")
  func bare() throws {
    let began = now()
    let finished = try demoInTime(below: [Product.testbed("without-journald")])
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("Wait! Your eggs are almost done!"))
    #expect(finished.output.contains("No desktop here"))
    #expect(finished.output.contains("No journald here"))
    #expect(finished.output.contains("seen by the reader of the line"))
    #expect(now() - began < 45_000_000)
  }

  @Test("on a desktop it judges the notification as it came over the bus")
  func desktop() throws {
    let finished = try demoInTime(
      below: [
        Product.testbed("with-notify-server"), "dunst", Product.testbed("without-journald"),
      ])
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("summary: Wait!\n  body: Your eggs are almost done!\n"))
    #expect(finished.output.contains("seen by dbus-monitor"))
  }

  @Test(
    "with journald it judges the journal's entry", .enabled(if: isRoot, "starts a journald: needs root"))
  func journal() throws {
    let finished = try demoInTime(below: [Product.testbed("with-journald")])
    #expect(finished.status == 0, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("MESSAGE=Wait! Your eggs are almost done!"))
    #expect(finished.output.contains("seen by journald"))
  }

  @Test(
    "it exits 1 when eggd is made not to ring, or to ring late",
    arguments: [
      "\(Product.eggctl) delete --all -y",
      "kill -STOP $pid",
      "kill -STOP $pid; (sleep 5.3; kill -CONT $pid) >/dev/null 2>&1 &",
    ])
  func silenced(deed: String) throws {
    let directory = try TemporaryDirectory()
    let finished = try demo(
      eggctl: try meddling(deed, in: directory), below: [Product.testbed("without-journald")])
    #expect(finished.status == 1, "\(finished.output)\(finished.errors)")
    #expect(finished.output.contains("WRONG"))
  }
}

extension String {
  /// Writes a new file.
  fileprivate func write(to path: String, mode: mode_t) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard descriptor >= 0 else { throw SystemFailure(call: "open \(path)", errno: errno) }
    defer { close(descriptor) }
    let bytes = Array(utf8)
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count else {
      throw SystemFailure(call: "write \(path)", errno: errno)
    }
  }
}
