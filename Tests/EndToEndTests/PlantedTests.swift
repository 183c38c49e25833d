import Testing

@Suite("another user", .enabled(if: isRoot, "acts as two users: needs root"))
struct PlantedTests {
  @Test("what another user puts in place of a file changes none, is not obeyed and makes none wait")
  func planted() throws { try Scenario.run("planted.sh") }
}
