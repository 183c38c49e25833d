import Testing

@Suite("calendars")
struct SyncTests {
  @Test("sync keeps the list and a folder equal, and two machines over vdirsyncer and Radicale")
  func sync() throws { try Scenario.run("sync.sh") }

  @Test("sync is set up with a server in one command, and taken away in one")
  func setup() throws { try Scenario.run("sync-setup.sh") }
}
