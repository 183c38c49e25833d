import Alarms
import Testing

@Suite struct AlarmSoundTests {
  @Test(
    "A sound is none, a name of the theme or an absolute path, and reads as it is written",
    arguments: [
      ("none", AlarmSound.silence), ("alarm-clock-elapsed", .named("alarm-clock-elapsed")),
      ("bell2", .named("bell2")), ("/tmp/계란 1.oga", .file("/tmp/계란 1.oga")),
    ])
  func reads(text: String, sound: AlarmSound) {
    #expect(AlarmSound(text) == sound)
    #expect(sound.text == text)
  }

  @Test(
    "Anything else is no sound",
    arguments: [
      "", "a b", "bell.oga", "./bell.oga", "-x", "종", "/tmp/a\nb", "/" + String(repeating: "a", count: 4_096),
    ])
  func refuses(text: String) {
    #expect(AlarmSound(text) == nil)
  }
}
