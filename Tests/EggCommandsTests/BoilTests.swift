import EggTime
import Testing

@testable import EggCommands

/// `boil`: the time of the formula, what is refused, and the alarms that it schedules. It is 2026-11-20 21:34:30 UTC.
@Suite struct BoilTests {
  @Test(
    "The times are those of the formula, reckoned apart from this code",
    arguments: [
      (57.0, 4.0, 63.0, Int64(272)), (57, 21, 63, 194), (67, 4, 63, 303), (47, 4, 63, 239), (58, 4, 77, 468),
    ])
  func time(mass: Double, start: Double, yolk: Double, seconds: Int64) throws {
    let egg = BoiledEgg(mass: mass, start: start, yolk: yolk, water: 100)
    let time = try egg.boilingTime()
    #expect(time == .seconds(seconds))
  }

  @Test(
    "Water boils at the temperature of its altitude",
    arguments: [(0.0, 100.0), (500, 98.3), (1_500, 94.9), (3_000, 89.8), (8_849, 69.5)])
  func altitude(metres: Double, celsius: Double) {
    #expect(abs(BoilingWater.temperature(altitude: metres) - celsius) < 0.3)
  }

  @Test("What cannot be boiled so is refused with the reason")
  func impossible() {
    func refused(_ words: String...) -> String {
      let run = Run.run(["boil"] + words, variables: ["XDG_RUNTIME_DIR": "/nonexistent"])
      #expect(run.status == .usage, "\(run)")
      return run.messages
    }
    #expect(
      refused("hard", "--altitude", "8000m").contains("must reach 77 °C, but the water boils at 72.4 °C"))
    #expect(refused("soft", "--yolk", "100C").contains("must reach 100 °C, but the water boils at 100 °C"))
    #expect(refused("soft", "--from", "70C").contains("needs no boiling"))
    #expect(refused("soft", "--from", "62C").contains("needs no boiling"))
    #expect(refused("soft", "--mass", "58kg").contains("'58kg' is not a mass"))
    #expect(refused("soft", "--mass", "-4").contains("5 g (quail)"))
    #expect(refused("soft", "--mass", "nan").contains("is not a mass"))
    #expect(refused("soft", "--from", "1e300C").contains("is not a temperature"))
    #expect(refused("soft", "--from", "-300C").contains("takes 0 °C to 100 °C"))
    #expect(refused("soft", "--altitude", "9km").contains("-430 m to 8849 m"))
    #expect(refused("soft", "--mass", "58g", "--size", "M").contains("exclude each other"))
    #expect(refused("soft", "--count", "0").contains("--count"))
    #expect(refused("periodic", "--mass", "58g").contains("takes no --mass"))
    #expect(refused("runny").contains("'soft', 'medium', 'hard' or 'periodic'"))
  }

  @Test(
    "Masses, temperatures and altitudes are read in the units of both worlds",
    arguments: [
      ("58g", "7C", "1500m"), ("58", "7", "1500"), ("58 g", "7 °C", "1.5km"),
      ("2.0459oz", "44.6F", "4921.26ft"),
    ])
  func units(mass: String, from: String, altitude: String) {
    let run = Run.alone(
      "boil", "hard", "--mass", mass, "--from", from, "--altitude", altitude, "--dry-run")
    #expect(
      run.output.hasPrefix(
        "58 g from 7 °C in water of 94.9 °C at 1500 m until the yolk has 77 °C: 8 min 54 s\n"),
      "\(run)")
  }

  @Test("One alarm is scheduled, with category and eggs, and the figures and their source are shown")
  func schedules() throws {
    let alarm = """
      {"alarm":{"number":12,"state":"scheduled","done":false,"category":"soft","eggs":2,"kind":"in",\
      "due":1795210745000000,"createdAt":1795210470000000},"existed":false,"sequence":8}
      """
    let (run, calls) = try Run.eggctl(
      "boil", "soft", "--count", "2", "--insist", "--sound", "none", "--wake",
      answers: [.messages(["{\"parameters\":\(alarm)}"])])
    #expect(
      run
        == .said(
          """
          #12  2026. 11. 20. 21:39:05  in 4 min 35 s
          58 g from 4 °C in water of 100 °C until the yolk has 63 °C: 4 min 35 s
          t = 0.451 · M^(2/3) · ln(0.76 · (T_egg − T_water) / (T_yolk − T_water)) minutes
          C. D. H. Williams, The Science of Boiling an Egg, University of Exeter

          """))
    let call = try #require(calls.first)
    for part in [
      #""expression":"4min 35s""#, #""category":"soft""#, #""eggs":2"#, #""kind":"in""#,
      #""label":"soft, 2 eggs""#,
      #""insist":60000000"#, #""sound":"none""#, #""wake":true"#,
    ] {
      #expect(call.contains(part), "\(call)")
    }
  }

  @Test("A dry run of periodic cooking shows each move")
  func dryMoves() {
    let lines = Run.alone("boil", "periodic", "--dry-run").output.split(separator: "\n")
    #expect(lines.prefix(2) == ["in 2 min   1/16: into 30 °C", "in 4 min   2/16: into 100 °C"])
    #expect(lines.dropFirst(15).first == "in 32 min   16/16: out, then cool")
    let json = Run.alone("boil", "periodic", "--dry-run", "--json").output
    #expect(
      json.hasPrefix(
        #"{"alarms":[],"moves":[{"label":"1/16: into 30 °C","span":120000000},{"label":"2/16: into 100 °C","#),
      "\(json)")
  }

  @Test("Sixteen moves, two minutes apart, alternate between the two baths and end after 32 minutes")
  func periodic() throws {
    let staged = #"{"staged":16,"refused":[]}"#
    let commit = #"{"count":16,"existed":0,"missed":0,"sequence":8}"#
    let made = (1...16).map { number in
      """
      {"alarm":{"number":\(number),"state":"scheduled","done":false,"category":"other","eggs":1,"kind":"in",\
      "due":\(Run.now.microseconds + Int64(number) * 120_000_000),"createdAt":\(Run.now.microseconds)},\
      "occurrences":[]}
      """
    }
    let (run, calls) = try Run.eggctl(
      "boil", "periodic", "-q",
      answers: ([#"{"settings":[]}"#, staged, commit] + made).map { .messages(["{\"parameters\":\($0)}"]) })
    #expect(run == .said((1...16).map { "\($0)\n" }.joined()))
    let alarms = try #require(calls.dropFirst().first).split(separator: "\"alarm\":").dropFirst().map(
      String.init)
    #expect(alarms.count == 16)
    for (index, alarm) in alarms.enumerated() {
      let bath = index == 15 ? "out, then cool" : index.isMultiple(of: 2) ? "into 30 °C" : "into 100 °C"
      #expect(alarm.contains("\"label\":\"\(index + 1)/16: \(bath)\""), "\(alarm)")
      #expect(alarm.contains("\"span\":\((index + 1) * 120_000_000)"), "\(alarm)")
    }
  }
}
