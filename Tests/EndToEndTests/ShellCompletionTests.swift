import Testing

@Suite("completion in the shells")
struct ShellCompletionTests {
  @Test("Tab offers what eggd knows in bash, zsh and fish, runs nothing of it, and never waits")
  func shells() throws { try Scenario.run("completion.sh") }
}
