import EggTime
import Testing

@testable import EggCommands

@Suite struct WatchViewTests {
  private let list = [
    Watching.alarm(12, "two soft ones", left: 390, eggs: 2, category: .soft),
    Watching.alarm(13, "한글 달걀 🥚", left: 35_730, group: "Sunday"),
    Watching.alarm(14, state: .ringing),
    Watching.alarm(15, "for the picnic", state: .rung, done: true, group: "Sunday"),
  ]

  @Test("80 columns show everything, wide text measured in cells")
  func wide() throws {
    var watching = try Watching(list)
    #expect(
      watching.lines() == """
        1 ringing · 5 eggs in 4 alarms · next rings in 6 min 30 s
        Sunday        █████░░░░░  50 %  1 of 2
            #   DUE             LEFT          STATE      EGGS  LABEL
        >  14   11. 20. 21:34                 ringing       1
           12   11. 20. 21:41   6 min 30 s    scheduled     2  two soft ones
           13   11. 21. 07:30   9 h 55 min    scheduled     1  한글 달걀 🥚  [Sunday]
           15                                 done          1  for the picnic  [Sunday]


        a add  e edit  d delete  x done  s snooze  p pause  h hungry  ? help  q quit

        """)
  }

  @Test("On any screen recurring alarms have a sign, and paused alarms say so")
  func recurring() throws {
    var watching = try Watching([
      Watching.alarm(1, "get up", left: 35_730, group: "Sunday", every: "Mon..Fri *-*-* 07:30:00"),
      Watching.alarm(2, left: 35_730, every: "*-*-* 07:30:00"),
      Watching.alarm(3, left: 35_730, group: "Sunday", every: "*-*-* 07:30:00"),
      Watching.alarm(4, "get up", state: .paused, every: "*-*-* 07:30:00"),
      Watching.alarm(5, "get up", left: 35_730),
    ])
    #expect(
      watching.lines().split(separator: "\n")[3...7] == [
        ">   1   11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻ get up  [Sunday]",
        "    2   11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻",
        "    3   11. 21. 07:30:00   9 h 55 min    scheduled     1  ↻  [Sunday]",
        "    4                                    paused        1  ↻ get up",
        "    5   11. 21. 07:30:00   9 h 55 min    scheduled     1  get up",
      ])
    #expect(
      watching.lines(24, 10).split(separator: "\n")[3...7] == [
        ">   1  9 h 55 min   ↻ g…", "    2  9 h 55 min   ↻", "    3  9 h 55 min   ↻  …",
        "    4  paused       ↻ g…", "    5  9 h 55 min   get…",
      ])
  }

  @Test(
    "Surprises about a time come before the label, if there is room",
    arguments: [
      (80, "15h30 \"tea\"", "2026. 11. 21. 13:04:30  in 15 h 30 min  or 15:30?  tea"),
      (48, "15h30 \"tea\"", "2026. 11. 21. 13:04:30  in 15 h 30 min  or 15:3…"),
      (80, "1 month", "2026. 12. 20. 21:34:30  in 30 d  counted on the calendar"),
      (80, "+1month", "2026. 12. 21. 08:04:30  in 30 d 10 h  a month is 30.44 days; or now + 1 month?"),
      (80, "*:*:*", "2026. 11. 20. 21:34:31  first in 1 s  rings more than once a minute"),
      (
        130, "*-03-28 02:30 Europe/Berlin",
        "2028. 03. 28. 00:30:00  first in 493 d 2 h  the clock jumps over 2027-03-28 02:30:00: it does not ring then"
      ),
    ])
  func remark(columns: Int, text: String, preview: String) throws {
    var watching = try Watching()
    watching.press(.character("a"))
    watching.type(text)
    #expect(watching.view(columns).picture().lines.last == preview)
  }

  @Test("40 columns show the label and the time left, or the state")
  func narrow() throws {
    var watching = try Watching(list)
    #expect(
      watching.lines(40, 10) == """
        1 ringing · 5 eggs in 4 alarms
        Sunday        █████░░░░░  50 %  1 of 2
            #  LEFT         LABEL
        >  14  ringing
           12  6 min 30 s   two soft ones
           13  9 h 55 min   한글 달걀 🥚  [Sund…
           15  done         for the picnic  [Su…


        a add  e edit  d delete  ? help  q quit

        """)
  }

  @Test(
    "It works at every size, and no line is longer than the screen",
    arguments: [1, 2, 3, 5, 8, 13, 23, 47, 61, 200])
  func sizes(_ columns: Int) throws {
    for lines in 1...12 {
      for key in [
        Key.escape, .character("a"), .character("/"), .character("d"), .character("m"), .character("?"),
        .character("e"), .character("+"), .character("g"), .character("o"),
      ] {
        var watching = try Watching(list)
        watching.press(key)
        watching.type("6m30x 한글 달걀")
        let picture = watching.view(columns, lines).picture()
        #expect(picture.lines.count == lines)
        #expect(picture.lines.allSatisfy { $0.displayWidth <= columns }, "\(picture.lines)")
        #expect(picture.caret.map { $0.line < lines && $0.column < columns } ?? true)
      }
    }
  }

  @Test("An empty list says what to enter; a filter without matches says how to leave it")
  func empty() throws {
    var watching = try Watching()
    #expect(
      watching.lines(40, 6) == """
        0 eggs in 0 alarms · nothing to come
            #  LEFT         STATE      LABEL
        no alarms yet
        a 6m30s two soft ones   or h for hungry

        a add  e edit  d delete  ? help  q quit

        """)
    watching = try Watching(list)
    watching.press(.character("/"), .pasted("hen\u{202e}s"), .enter)
    #expect(
      watching.lines(40, 6) == """
        0 eggs in 0 alarms · nothing to come
            #  LEFT         LABEL
        nothing matches 'hen\\u{202e}s'
        Esc shows all

        /hen\\u{202e}s  a add  ? help  q quit

        """)
  }

  @Test(
    "The input is read at once: it shows the moment, or the error under its place",
    arguments: [
      ("", "add: ", "6m30s two soft ones, or tomorrow 07:30"),
      (
        "6m30s two soft ones", "add: 6m30s two soft ones",
        "2026. 11. 20. 21:41:00  in 6 min 30 s  two soft ones"
      ),
      ("Mon 07:30", "add: Mon 07:30", "2026. 11. 23. 07:30:00  in 2 d 9 h"),
      ("daily", "add: daily", "2026. 11. 21. 09:00:00  first in 11 h 25 min"),
      ("6m30x", "add: 6m30x", "         ^ not a unit of time"),
    ])
  func add(_ text: String, _ prompt: String, _ preview: String) throws {
    var watching = try Watching(list)
    watching.press(.character("a"))
    watching.type(text)
    let picture = watching.view().picture()
    #expect(Array(picture.lines.suffix(2)) == [prompt, preview])
    #expect(picture.caret == WatchView.Picture.Caret(line: 8, column: prompt.displayWidth))
  }

  @Test("A line longer than the screen shows its end")
  func longLine() throws {
    var watching = try Watching()
    watching.press(.character("/"))
    watching.type("0123456789한글")
    let picture = watching.view(16, 4).picture()
    #expect(picture.lines.last == "filter: 789한글")
    #expect(picture.caret == WatchView.Picture.Caret(line: 3, column: 15))
  }

  @Test("Questions and notices are at the bottom")
  func footers() throws {
    var watching = try Watching(list)
    watching.press(.down, .character("d"))
    #expect(watching.view(40).picture().lines.last == "delete #12 two soft ones? y/n")
    watching.press(.character("n"))
    #expect(watching.view(40).picture().lines.last == "#12 stays")
    watching.press(.character("m"), .down)
    let picture = watching.view(40).picture()
    #expect(
      picture.lines[4...5] == [
        "   13  9 h 55 min   한글 달걀 🥚  [Sund…", ">  12  6 min 30 s   two soft ones",
      ])
    #expect(picture.lines.last == "move #12: up, down, then Enter; Esc")
  }

  @Test("A lost connection is shown in the first line")
  func lost() throws {
    var watching = try Watching(list)
    watching.state.lose("eggd is not running")
    #expect(watching.view(80).picture().lines[0] == "eggd is not running · trying again")
  }

  @Test("The help fits forty columns and ten lines")
  func help() throws {
    #expect(WatchView.help.count <= 9)
    #expect(WatchView.help.allSatisfy { $0.displayWidth <= 40 })
    var watching = try Watching(list)
    watching.press(.character("?"))
    #expect(Array(watching.view(40).picture().lines.dropFirst()) == WatchView.help)
  }

  @Test(
    "Groups are side by side above the list, sorted by name; the last place says how many are hidden"
  )
  func groups() throws {
    var watching = try Watching([
      Watching.alarm(1, done: true, group: "Sunday"), Watching.alarm(2, group: "Sunday"),
      Watching.alarm(3, done: true, group: "Work"),
    ])
    try watching.tell(
      "groups",
      """
      "groups":[{"name":"Brunch 브런치 for everybody","color":"green","alarms":0,"done":0,"eggs":0},
      {"name":"Sunday","color":"red","alarms":2,"done":1,"eggs":2}]
      """)
    let brunch = "Brunch 브…   ░░░░░░░░░░  0 %  0 of 0"
    let sunday = "Sunday       █████░░░░░  50 %  1 of 2"
    #expect(
      watching.view(80, 14).picture().lines[1...2] == [
        "\(brunch)    \(sunday)", "Work         ██████████  100 %  1 of 1",
      ])
    #expect(watching.view(40, 14).picture().lines[1...2] == [brunch, "and 2 more groups"])
    #expect(watching.view(40, 10).picture().lines[1] == "3 groups")
    #expect(watching.view(40, 22, colours: true).picture().lines[2].hasPrefix("\u{1b}[31mSunday\u{1b}[0m"))
    try watching.change(from: Watching.alarm(3, done: true, group: "Work"), to: Watching.alarm(3, done: true))
    try watching.change(
      from: Watching.alarm(2, group: "Sunday"), to: Watching.alarm(2, done: true, group: "Sunday"))
    #expect(
      watching.view(80, 14).picture().lines[1] == "\(brunch)    Sunday       ██████████  100 %  2 of 2")
    try watching.tell("groups", "\"groups\":[]")
    #expect(watching.view(80, 14).picture().lines[1] == "Sunday       ██████████  100 %  2 of 2")
  }

  @Test("A cut line ends with one ellipsis, also where a wide character leaves a cell")
  func oneEllipsis() {
    var line = StyledLine("한국어 라벨 달걀")
    line.append(blanks: 2)
    line.append("[Sunday]", .red)
    for columns in 1...26 {
      let text = line.text(in: columns, colours: false)
      #expect(text.displayWidth <= columns)
      #expect(text.count { $0 == "…" } == (columns < 26 ? 1 : 0), "\(columns): \(text)")
    }
  }

  @Test("Groups with many alarms do not run into each other")
  func wideGroups() throws {
    var watching = try Watching(
      (1...12).map { Watching.alarm($0, done: true, group: "Sunday") } + [Watching.alarm(20, group: "Work")])
    let sunday = "Sunday      ██████████  100 %  12 of 12"
    let work = "Work        ░░░░░░░░░░  0 %  0 of 1"
    #expect(watching.view(80, 14).picture().lines[1] == "\(sunday)  \(work)")
    #expect(watching.view(79, 14).picture().lines[1...2] == [sunday, work])
  }

  @Test("Rows scroll with the cursor, and only visible ones are drawn")
  func scrolling() throws {
    var watching = try Watching((1...100).map { Watching.alarm($0) })
    func shown() -> [Substring] {
      watching.lines(40, 6).split(separator: "\n")[2..<5].map { $0.prefix(5) }
    }
    #expect(shown() == [">   1", "    2", "    3"])
    watching.press(.down, .down, .down)
    #expect(shown() == ["    2", "    3", ">   4"])
    watching.press(.pageDown)
    #expect(shown() == ["    5", "    6", ">   7"])
    watching.press(.end)
    #expect(shown() == ["   98", "   99", "> 100"])
    watching.press(.up)
    #expect(shown() == ["   98", ">  99", "  100"])
    watching.press(.home)
    #expect(shown() == [">   1", "    2", "    3"])
  }

  @Test("Of what is over the newest that fit are shown, three at least, and a line counts the others")
  func over() throws {
    let over = (1...9).map { Watching.alarm($0, state: .rung) }
    var watching = try Watching([Watching.alarm(20), Watching.alarm(21)] + over)
    func shown(_ lines: Int) -> [Substring] {
      watching.lines(40, lines).split(separator: "\n").dropFirst(2).dropLast().map { $0.prefix(16) }
    }
    #expect(shown(14).map { $0.prefix(5) }.suffix(9) == (1...9).map { "    \($0)" })
    let line = Substring("6 more are over: eggctl list --all".prefix(16))
    #expect(shown(9).map { $0.prefix(5) } == [">  20", "   21", "    7", "    8", "    9", line.prefix(5)])
    #expect(shown(9).last == line)
    // The others are seen by going down, the line with the last.
    #expect(shown(7).map { $0.prefix(5) } == [">  20", "   21", "    7", "    8"])
    watching.press(.end)
    #expect(shown(7).map { $0.prefix(5) } == ["    7", "    8", ">   9", line.prefix(5)])
    watching.press(.down, .up)
    #expect(watching.state.current?.wire.number == 8)
    // A filter looks through all.
    watching.press(.character("/"), .character("1"), .enter)
    #expect(watching.numbers == [1])
    watching.press(.escape)
    #expect(watching.numbers == [20, 21, 7, 8, 9])
    try watching.change(from: Watching.alarm(21))
    #expect(watching.numbers == [20, 7, 8, 9])
  }

  @Test("Other clients' texts cannot disturb the screen")
  func hostile() throws {
    var watching = try Watching([Watching.alarm(1, "a\\u001b[2J\\u202egge", group: "\\u0007")])
    let lines = watching.lines()
    #expect(lines.contains("  a\\u{1b}[2J\\u{202e}gge  [\\u{…"), "\(lines)")
    #expect(!lines.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202e}" })
  }

  @Test(
    "Colours work on light and dark terminals; the cursor's row is reversed to its end, in its colours")
  func colours() throws {
    var watching = try Watching([Watching.alarm(1, "a"), Watching.alarm(2, "b", state: .ringing)])
    let lines = watching.view(24, 6, colours: true).picture().lines
    let bar = [
      ("7", ">"), ("7", "   "), ("7;1;35", "2"), ("7", "  "), ("7;1;35", "ringing"), ("7", "      "),
    ]
    let pieces = bar + [("7;1;35", "b"), ("7", "   ")]
    #expect(lines[2] == pieces.map { "\u{1b}[\($0)m\($1)\u{1b}[0m" }.joined())
    #expect(lines[3] == "    1  1 min        a")
    watching.press(.down)
    #expect(
      watching.view(24, 6, colours: true).picture().lines[2]
        == "    \u{1b}[1;35m2\u{1b}[0m  \u{1b}[1;35mringing\u{1b}[0m      \u{1b}[1;35mb\u{1b}[0m")
  }

  @Test("If nothing counts down, time changes nothing")
  func still() throws {
    var watching = try Watching([Watching.alarm(1, state: .paused), Watching.alarm(2, state: .rung)])
    #expect(watching.view().nextChange() == nil)
    try watching.change(to: Watching.alarm(3, left: 7_200))
    #expect(watching.view().nextChange() == Run.now + .seconds(1))
  }
}
