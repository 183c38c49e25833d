import Alarms
import EggProtocol
import EggTime
import Testing

@testable import EggDaemon
@testable import Ringing

@Suite("config.toml")
struct SettingsReaderTests {
  private func read(_ text: String) throws -> Settings {
    try SettingsReader.read(Array(text.utf8), file: "config.toml")
  }

  private func refusal(_ bytes: [UInt8]) -> ConfigurationMistake? {
    do throws(ConfigurationMistake) {
      _ = try SettingsReader.read(bytes, file: "config.toml")
      return nil
    } catch { return error }
  }

  private func refusal(_ text: String) -> ConfigurationMistake? { refusal(Array(text.utf8)) }

  @Test("An empty file sets nothing")
  func empty() throws {
    #expect(try read("") == Settings())
    #expect(try read("# snooze = \"1h\"\n") == Settings())
  }

  @Test("Timers are a time, or a table with texts; an inline table is one")
  func timers() throws {
    let settings = try read(
      """
      [timers]
      tea = "4m"
      pasta = { time = "9m", label = "al dente", sound = "none" }
      [timers.gym]
      time = "every monday 18:00"
      category = "hard"
      insist = "2m"
      run = "mpv --no-video song.ogg"
      """)
    #expect(
      settings.timers.map { "\($0.line) \($0.path.joined(separator: ".")) \($0.value)" } == [
        "2 tea 4m", "3 pasta.time 9m", "3 pasta.label al dente", "3 pasta.sound none",
        "5 gym.time every monday 18:00", "6 gym.category hard", "7 gym.insist 2m",
        "8 gym.run mpv --no-video song.ogg",
      ])
    var state = ConfigurationState()
    state.settings = settings
    let shown = ConfigReply(state).settings.suffix(settings.timers.count)
    #expect(shown.first == WireSetting(key: "timers.tea", value: "4m", source: .file, line: 2))
    #expect(shown.last?.key == "timers.gym.run")
  }

  @Test(
    "A timer that cannot be used is named",
    arguments: [
      ("timers = \"4m\"", "timers", "is a table: [timers]"),
      ("[timers]\ntea = \"soon\"", "timers.tea", "takes a time such as 4m or 07:30, not 'soon'"),
      ("[timers]\n10m = \"4m\"", "timers.10m", "is no name of a timer: it reads as a time"),
      ("[timers]\nnoon = \"4m\"", "timers.noon", "is no name of a timer: it reads as a time"),
      (
        "[timers]\n\"two eggs\" = \"4m\"", "timers.two eggs",
        "is no name of a timer: that is one word, without dots"
      ),
      ("[timers]\ntea = 4", "timers.tea", "takes a text in quotes"),
      ("[timers.tea]\nlabel = \"x\"", "timers.tea", "needs a time"),
      ("[timers]\ntea = {}", "timers.tea", "needs a time"),
      (
        "[timers]\ntea = { time = \"4m\", colour = \"red\" }", "timers.tea.colour",
        "is an unknown key; the keys are time, label, sound, category, insist, run"
      ),
      (
        "[timers.tea]\ntime = \"4m\"\ninsist = \"1s\"", "timers.tea.insist",
        "takes a span from 10s to 1h, or off, not '1s'"
      ),
      ("[timers]\ntea = { time = \"4m\"", nil, "expected '}' or ','"),
      ("[timers]\ntea = \"4m\"\n[timers.tea]", nil, "'timers.tea' is there twice"),
    ] as [(String, String?, String)])
  func wrongTimer(text: String, key: String?, reason: String) {
    let mistake = refusal(text)
    #expect(mistake?.key == key && mistake?.reason == reason, "\(String(describing: mistake))")
  }

  @Test("Every key is read, with its line")
  func everyKey() throws {
    let settings = try read(
      """
      # What I like
      snooze = "ten minutes"
      title = 'Up!'
      body = \"\"\"
      Get
      snooze = "1s"
      up\"\"\"

      sound = "none"
      category = "soft"
      "group" = "Sunday"
      insist = "2m"
      ring-within = "1h 30min"
      date-format = "iso"
      wake = true # and up
      day-at = "7:30 am"
      sound-for = "1m"
      fade-in = false
      """)
    #expect(settings.snooze == [.span(.seconds(600))])
    #expect(settings.words == RingWords(title: "Up!", body: "Get\nsnooze = \"1s\"\nup"))
    #expect(
      settings.heard == SoundSettings(usual: .silence, lasting: .seconds(60), fadesIn: false))
    #expect(settings.category == .soft)
    #expect(settings.group == "Sunday")
    #expect(settings.manner.insist == .seconds(120))
    #expect(settings.ifMissed == .ringWithin(.seconds(5_400)))
    #expect(settings.dateFormat == .iso)
    #expect(settings.manner.wake == true)
    #expect(settings.dayAt == TimeOfDay(hour: 7, minute: 30))
    let lines: [SettingKey: Settings.Place] = [
      .snooze: .file(line: 2), .title: .file(line: 3), .body: .file(line: 4), .sound: .file(line: 9),
      .category: .file(line: 10), .group: .file(line: 11), .insist: .file(line: 12),
      .ringWithin: .file(line: 13), .dateFormat: .file(line: 14), .wake: .file(line: 15),
      .dayAt: .file(line: 16), .soundFor: .file(line: 17), .fadeIn: .file(line: 18),
    ]
    #expect(settings.places == lines)
  }

  @Test("Snoozes are a list: spans, and times that lie ahead whenever they are read")
  func snoozes() throws {
    let settings = try read("snooze = [\"5m\", \"1h\", \"tomorrow 9:00\"]\n")
    #expect(settings.snooze == [.span(.seconds(300)), .span(.seconds(3_600)), .until("tomorrow 9:00")])
    #expect(settings.usualSnooze == .span(.seconds(300)))
    #expect(settings.text(of: .snooze) == "5min, 1h, tomorrow 9:00")
    var state = ConfigurationState()
    state.settings = settings
    #expect(ConfigReply(state).settings.first?.values == ["5min", "1h", "tomorrow 9:00"])
    #expect(ConfigReply(ConfigurationState()).settings.first?.values == nil)
  }

  @Test("What is over stays for days, or for ever", arguments: [("30d", 30), ("1d", 1), ("off", nil)])
  func keepOver(text: String, days: Int64?) throws {
    let settings = try read("keep-over = \"\(text)\"\n")
    #expect(settings.keepOver == days.map { .seconds($0 * 86_400) })
    #expect(Settings().text(of: .keepOver) == "off")
  }

  @Test("Every value is written so that it reads back")
  func readsBack() throws {
    let text = """
      snooze = "10min"
      title = "Up!"
      body = "Get up"
      sound = "bell"
      sound-for = "45s"
      fade-in = false
      category = "hard"
      group = "Sunday"
      insist = "1min 30s"
      unanswered-after = "5min"
      wake = true
      ring-within = "1h"
      day-at = "08:15:30"
      date-format = "locale"
      keep-over = "6d"

      """
    let settings = try read(text)
    let written = SettingKey.allCases.compactMap { key in
      settings.text(of: key).map { text in
        [.wake, .fadeIn].contains(key) ? "\(key.rawValue) = \(text)\n" : "\(key.rawValue) = \"\(text)\"\n"
      }
    }
    #expect(written.joined() == text)
  }

  @Test("What is missed is rung or recorded")
  func ifMissed() throws {
    #expect(try read("if-missed = \"record\"").ifMissed == .record)
    #expect(try read("if-missed = \"ring\"").ifMissed == .ring)
    #expect(try read("insist = \"off\"").manner.insist == nil)
  }

  @Test("A sound is heard once for 0")
  func onlyOnce() throws {
    let settings = try read("sound-for = \"0\"")
    #expect(settings.heard.lasting == .zero)
    #expect(settings.text(of: .soundFor) == "0")
  }

  @Test(
    "A mistake is told with its line, column and key",
    arguments: [
      ("snooze = \"10m\ntitle = 1", 1, 10, nil, "the text lacks its closing quotes"),
      ("\n\nsnooze\n", 3, 7, nil, "expected '='"),
      ("snooze = \"1m\"\nsnooze = \"2m\"", 2, 1, nil, "'snooze' is there twice"),
      ("snooze = 10", 1, 1, "snooze", "takes a text in quotes, or a list of them"),
      (
        "snooze = \"soon\"", 1, 1, "snooze",
        "takes a span from 1s to 7d, or a time such as tomorrow 9:00, not 'soon'"
      ),
      (
        "snooze = \"8d\"", 1, 1, "snooze",
        "takes a span from 1s to 7d, or a time such as tomorrow 9:00, not '8d'"
      ),
      ("snooze = \"daily\"", 1, 1, "snooze", "takes a span from 1s to 7d, or a time"),
      ("snooze = [\"5m\", \"2026-12-24 9:00\"]", 1, 1, "snooze", "takes a span from 1s to 7d, or a time"),
      ("snooze = []", 1, 1, "snooze", "takes a list of 1 to 5 texts"),
      ("keep-over = \"1h\"", 1, 1, "keep-over", "takes a span from 1d to 3660d, or off, not '1h'"),
      ("title = [\"a\"]", 1, 1, "title", "takes a text in quotes"),
      ("\n  title = \"\"", 2, 3, "title", "must not be empty"),
      ("title = \"a\\tb\"", 1, 1, "title", "contains control characters"),
      ("title = \"\(String(repeating: "x", count: 201))\"", 1, 1, "title", "is longer than 200 characters"),
      ("body = []", 1, 1, "body", "takes a text in quotes"),
      (
        "sound = \"a b\"", 1, 1, "sound",
        "takes a name of the sound theme, a file's absolute path or none, not 'a b'"
      ),
      ("category = \"Soft\"", 1, 1, "category", "takes soft, medium, hard or other, not 'Soft'"),
      ("group = \"\"", 1, 1, "group", "must not be empty"),
      ("insist = \"1s\"", 1, 1, "insist", "takes a span from 10s to 1h, or off, not '1s'"),
      ("wake = \"true\"", 1, 1, "wake", "takes true or false"),
      ("wake = yes", 1, 1, "wake", "takes true or false"),
      ("wake = truer", 1, 1, "wake", "takes true or false"),
      ("snooze = true", 1, 1, "snooze", "takes a text in quotes, or a list of them"),
      ("if-missed = \"skip\"", 1, 1, "if-missed", "takes ring or record, not 'skip'"),
      ("ring-within = \"0s\"", 1, 1, "ring-within", "takes a span longer than zero, not '0s'"),
      ("if-missed = \"ring\"\nring-within = \"1h\"", 2, 1, "ring-within", "and if-missed exclude each other"),
      ("day-at = \"tomorrow\"", 1, 1, "day-at", "takes a time of day such as 07:30, not 'tomorrow'"),
      ("date-format = \"us\"", 1, 1, "date-format", "takes dotted, iso or locale, not 'us'"),
      ("# x\nsnoze = \"1m\"", 2, 1, "snoze", "is an unknown key; did you mean snooze?"),
      ("date_format = \"iso\"", 1, 1, "date_format", "is an unknown key; did you mean date-format?"),
      ("[alarm]\ntitle = \"x\"", 1, 1, "alarm", "is an unknown key; the keys are snooze, title"),
      ("[[alarms]]\n[alarms.x]", 1, 1, "alarms", "is an unknown key"),
      ("a.b = 1", 1, 1, "a", "is an unknown key"), ("[=", 1, 2, nil, "expected a key"),
      ("snooze.x = \"1\"", 1, 1, "snooze", "takes a text in quotes, or a list of them"),
      ("snooze =", 1, 1, "snooze", "takes a text in quotes, or a list of them"),
      ("= 1", 1, 1, nil, "expected a key"),
      ("차 = \"4m\"", 1, 1, nil, "expected a key, in quotes for letters other than A to Z"),
      ("snooze = \"1m\"\nsnooze = 1", 2, 1, "snooze", "takes a text in quotes, or a list of them"),
      ("snooze = \"x\"\ncolour = 1", 1, 1, "snooze", "takes a span"),
      ("colour = 1\nsnooze = \"x\"", 1, 1, "colour", "is an unknown key"),
    ] as [(String, Int64, Int64, String?, String)])
  func mistakes(text: String, line: Int64, column: Int64, key: String?, reason: String) throws {
    let mistake = try #require(refusal(text))
    #expect(mistake.line == line)
    #expect(mistake.column == column)
    #expect(mistake.key == key)
    #expect(mistake.reason.hasPrefix(reason), "\(mistake)")
  }

  @Test("A text that is not UTF-8, or has a null character, is a mistake with its line")
  func notText() throws {
    for byte in [0xFF, 0x00] as [UInt8] {
      let mistake = try #require(refusal(Array("title = \"Up!\"\nbody = \"".utf8) + [byte, 0x22]))
      #expect(mistake.line == 2)
      #expect(mistake.reason == "the line is not UTF-8 text")
    }
  }

  @Test("A mistake is one line that editors can jump to")
  func sentence() {
    #expect(
      "\(refusal("\n snooze = 1").map { "\($0)" } ?? "")"
        == "config.toml:2:2: snooze takes a text in quotes, or a list of them")
    let file = ConfigurationMistake(file: "config.toml", reason: "is not a regular file")
    #expect("\(file)" == "config.toml: is not a regular file")
  }
}
