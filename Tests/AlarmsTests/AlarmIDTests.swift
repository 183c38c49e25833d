import Alarms
import Testing

@Suite struct AlarmIDTests {
  @Test("an identity reads back from its text, in either case")
  func roundTrip() {
    let id = AlarmID()
    #expect(AlarmID(id.description) == id)
    #expect(AlarmID(id.description.uppercased()) == id)
  }

  @Test("a new identity is a random UUID of version 4")
  func version() {
    for _ in 0..<100 {
      let text = Array(AlarmID().description)
      #expect(text[14] == "4")
      #expect("89ab".contains(text[19]))
    }
    #expect(Set((0..<1_000).map { _ in AlarmID() }).count == 1_000)
  }

  @Test(
    "what is no UUID is refused",
    arguments: [
      "", "12", "3b241101-e2bb-4255-8caf-4136c566a96", "3b241101-e2bb-4255-8caf-4136c566a9622",
      "3b241101e2bb42558caf4136c566a962", "3b241101-e2bb-4255-8caf-4136c566a96g",
      "3b241101+e2bb-4255-8caf-4136c566a962", "３b241101-e2bb-4255-8caf-4136c566a96",
    ])
  func refused(text: String) {
    #expect(AlarmID(text) == nil)
  }
}
