import EggTime
import Testing

@Suite("Weeks and months of suspends, set clocks, and zones that change")
struct SimulatedTimeTests {
  @Test(
    "In a week every alarm rings when it should, once, and none is lost",
    arguments: [
      // Summer time begins in Europe, in America; it ends in Europe.
      (1 as UInt64, "2027-03-25 12:00:00"), (2, "2027-03-11 12:00:00"), (3, "2026-10-22 12:00:00"),
      (4, "2026-11-20 21:34:30"),
    ])
  func week(seed: UInt64, start: String) throws {
    let simulation = try TimeSimulation(seed: seed, start: start)
    try simulation.run(.seconds(7 * 86_400), disturbances: 250)
    #expect(simulation.compared > 50)
  }

  @Test(
    "In half a year, too, for every reason there is",
    arguments: [(2027 as UInt64, "2027-01-01 00:00:00"), (2028, "2027-07-01 00:00:00")])
  func halfYear(seed: UInt64, start: String) throws {
    let simulation = try TimeSimulation(seed: seed, start: start)
    try simulation.run(.seconds(183 * 86_400), disturbances: 750)
    #expect(simulation.compared > 250)
    #expect(simulation.coalesced > 25)
    #expect(simulation.resumed > 5)
    #expect(Set(simulation.reasons.keys).isSuperset(of: [nil, .asleep, .clockStep, .zoneChange, .down]))
  }
}
