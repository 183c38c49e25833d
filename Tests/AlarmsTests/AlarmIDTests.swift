import Alarms
import EggTime
import Testing

@Suite struct AlarmIDTests {
  @Test("An identity reads back from its text in either case")
  func roundTrip() {
    let id = AlarmID()
    #expect(AlarmID(id.description) == id)
    #expect(AlarmID(id.description.uppercased()) == id)
  }

  @Test("A new identity is a random version 4 UUID")
  func version() {
    for _ in 0..<100 {
      let text = Array(AlarmID().description)
      #expect(text[14] == "4")
      #expect("89ab".contains(text[19]))
    }
    #expect(Set((0..<1_000).map { _ in AlarmID() }).count == 1_000)
  }

  @Test("An identity with a moment is a version 7 UUID that sorts by it")
  func moments() {
    let start: Int64 = 1_795_212_000_123_000
    let ids = (0..<3_000).map { AlarmID(madeAt: Instant(microseconds: start + $0)).description }
    #expect(ids[0].hasPrefix("01a1faf9-3b7b-7000-"))
    for id in ids {
      #expect(Array(id)[14] == "7")
      #expect("89ab".contains(Array(id)[19]))
    }
    #expect(ids == ids.sorted())
    let moment = Instant(microseconds: start)
    #expect(Set((0..<1_000).map { _ in AlarmID(madeAt: moment) }).count == 1_000)
    #expect(AlarmID(madeAt: Instant(microseconds: .min)).description.hasPrefix("00000000-0000-7000-"))
  }

  @Test(
    "A text that is no UUID is refused",
    arguments: [
      "", "12", "3b241101-e2bb-4255-8caf-4136c566a96", "3b241101-e2bb-4255-8caf-4136c566a9622",
      "3b241101e2bb42558caf4136c566a962", "3b241101-e2bb-4255-8caf-4136c566a96g",
      "3b241101+e2bb-4255-8caf-4136c566a962", "３b241101-e2bb-4255-8caf-4136c566a96",
    ])
  func refused(text: String) {
    #expect(AlarmID(text) == nil)
  }
}
