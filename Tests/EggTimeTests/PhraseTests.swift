import EggTime
import Gettext
import Testing

@Suite("phrases")
struct PhraseTests {
  private static let state = "rung"
  private static let phrase: Phrase = "alarm \(12) is \(state)"

  @Test("A phrase is its English text, and the catalogue's key has %s for each value")
  func key() {
    #expect(Self.phrase.text == "alarm 12 is rung")
    #expect(Self.phrase.key == "alarm %s is %s")
    #expect(("60 %  \(3) of 5" as Phrase).key == "60 %%  %s of 5")
    #expect(Phrase("every \("Mon")", context: "weekdays").key == "every %s")
  }

  @Test(
    "A translation has the values in its own order",
    arguments: [
      ("%s: %s", "12: rung"), ("%2$s (%1$s)", "rung (12)"), ("100 %%, %s", "100 %, 12"), ("plain", "plain"),
      ("%s %s %s", "12 rung "), ("%9$s", ""), ("%", ""),
    ])
  func filling(translation: String, text: String) {
    #expect(Self.phrase.filling(translation) == text)
  }

  @Test("The words of recurring times and spans can be in any language")
  func wording() throws {
    let shouting: Wording = { $0.text.uppercased() }
    let event = try #require(CalendarEvent("Mon..Fri 07:30"))
    #expect(RecurringTime.event(event).words(in: shouting) == "EVERY MON–FRI 07:30")
    #expect(SpanText.left(.seconds(390), in: SpanUnits(in: shouting)) == "6 MIN 30 S")
  }
}
