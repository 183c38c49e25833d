import EggTestSupport
import Glibc
import Testing

@Suite("scenarios")
struct ScenarioTests {
  @Test("a claim of several commands fails where one of them does")
  func claims() throws { try Scenario.run("claims.sh") }

  @Test(
    "a script that is given up cleans up, and leaves no process, whether it heeds SIGTERM or not",
    arguments: [("trap 'kill $!; touch \"$1/clean\"' EXIT; sleep 1000 & echo $!; wait", true)]
      + [("trap '' TERM; sleep 1000 & echo $!; wait", false)])
  func givenUp(script: String, isClean: Bool) throws {
    let place = try TemporaryDirectory()
    let environment = ["PATH": "/usr/bin:/bin"]
    var process: ChildProcess? = try ChildProcess(
      ["bash", "-c", script, "bash", place.path], environment: environment)
    let child = try #require(eventually { process?.output.first?.text })
    process = nil
    #expect((access(place.path + "/clean", F_OK) == 0) == isClean)
    // of one that nobody has waited for yet the command line is empty
    let isGone = try eventually { () -> Bool? in
      let looked = try Finished.run(
        ["bash", "-c", "! grep -qs . \"/proc/$1/cmdline\"", "bash", child], environment: environment)
      return looked.status == 0 ? true : nil
    }
    #expect(isGone == true)
  }
}
