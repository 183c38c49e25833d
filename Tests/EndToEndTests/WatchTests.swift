import Testing

@Suite("eggctl watch on a terminal")
struct WatchTests {
  @Test("it follows every change, serves its keys at any size, and leaves the terminal as it was found")
  func screen() throws { try Scenario.run("watch.sh") }
}
