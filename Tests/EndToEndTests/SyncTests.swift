import Testing

@Suite("calendars")
struct SyncTests {
  @Test("sync keeps the list and a folder equal, and two machines over vdirsyncer and Radicale")
  func sync() throws { try Scenario.run("sync.sh") }
}
