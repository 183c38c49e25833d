import Testing

@Suite("the list with the real eggd")
struct ListTests {
  @Test("groups, marks, moves, filters, undo across kill -9, export and import, and two clients at once")
  func list() throws { try Scenario.run("list.sh") }
}
