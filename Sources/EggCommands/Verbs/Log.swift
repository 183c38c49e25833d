import ArgumentParser

/// `eggctl log`: the journal's entries, by journalctl(1).
struct Log: Verb {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Show the journal's entries of eggd or of one alarm, deleted ones too.",
    discussion: """
      eggctl log
      eggctl log 12
      eggctl log 12 -f
      """)

  @Argument(help: ArgumentHelp("Only of this alarm: its number or UUID.", valueName: "number"))
  var alarm: String?
  @Flag(name: [.customShort("f"), .long], help: "Go on showing new entries as they come.")
  var follow = false
  @Flag(help: "Print the entries as journalctl -o json does.")
  var json = false

  func run(in surroundings: Surroundings) throws {
    var failure = surroundings.become(try words())
    failure.hint = "eggctl history answers from the database"
    throw failure
  }

  /// What is run. Matches on different fields must all hold, journalctl(1).
  func words() throws -> [String] {
    var words = ["journalctl", "--user", "SYSLOG_IDENTIFIER=eggd"]
    switch try alarm.map(AlarmName.init) {
    case .number(let number): words.append("EGG_ALARM_NUMBER=\(number)")
    case .id(let id): words.append("EGG_ALARM_ID=\(id)")
    case nil: break
    }
    if follow { words.append("--follow") }
    if json { words.append("--output=json") }
    return words
  }
}
