import Testing

@Suite("eggctl watch and timer on a terminal")
struct WatchTests {
  @Test("it follows every change, serves its keys at any size, and leaves the terminal as it was found")
  func screen() throws { try Scenario.run("watch.sh") }

  @Test("a countdown fills the screen, takes keys, and leaves its alarm when it is left or killed")
  func timer() throws { try Scenario.run("timer.sh") }
}
