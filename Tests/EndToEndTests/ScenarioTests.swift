import Testing

@Suite("scenarios")
struct ScenarioTests {
  @Test("a claim of several commands fails where one of them does")
  func claims() throws { try Scenario.run("claims.sh") }
}
