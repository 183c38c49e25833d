import Testing

@Suite("the list with the real eggd")
struct ListTests {
  @Test("groups, marks, moves, filters, undo across kill -9, export and import, and two clients at once")
  func list() throws { try Scenario.run("list.sh") }

  @Test("What eggctl cannot do ends with its own status and says what to type next")
  func refusals() throws { try Scenario.run("refusals.sh") }

  @Test("Three school mornings become quiet on holidays and on a trip with three commands")
  func quietDays() throws { try Scenario.run("quiet-days.sh") }
}
