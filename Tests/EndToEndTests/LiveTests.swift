import Testing

@Suite("scripts and programs that follow the list")
struct LiveTests {
  @Test("wait lasts through restarts of eggd, tells rings from deletions, and ends when its time is out")
  func wait() throws { try Scenario.run("wait.sh") }

  @Test("monitor prints every change, and a reader that does not read loses its stream and nothing else")
  func monitor() throws { try Scenario.run("monitor.sh") }

  @Test("next --follow counts down, and shows another alarm when there is one")
  func next() throws { try Scenario.run("next.sh") }

  @Test("the varlink client of other people applies every change of two clients and has the list as it is")
  func mirror() throws { try Scenario.run("mirror.sh") }
}
