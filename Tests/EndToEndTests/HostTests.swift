import Testing

@Suite("other machines")
struct HostTests {
  @Test("-H asks the eggd of another machine, and watch shows several")
  func hosts() throws { try Scenario.run("hosts.sh") }
}
