import ArgumentParser
import Glibc

/// `eggctl log`: the journal's entries, by journalctl(1).
struct Log: Verb {
  static let configuration = CommandConfiguration(
    commandName: "log", _superCommandName: Eggctl.name,
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
    var failure = surroundings.become(try words(for: surroundings.userID))
    failure.hint = "eggctl history answers from the database"
    throw failure
  }

  /// What is run. Matches on different fields must all hold, journalctl(1).
  ///
  /// journald keeps a journal of their own for people only, systemd-journald.service(8): what root's eggd says, or
  /// another system user's, is in the system's.
  func words(for user: uid_t) throws -> [String] {
    let journal = user < 1_000 ? "_UID=\(user)" : "--user"
    var words = ["journalctl", journal, "SYSLOG_IDENTIFIER=eggd"]
    switch try alarm.map(AlarmName.init) {
    case .number(let number): words.append("EGG_ALARM_NUMBER=\(number)")
    case .id(let id): words.append("EGG_ALARM_ID=\(id)")
    // Not how exactly each wake-up came: journalctl shows that.
    case nil: words.append("--priority=info")
    }
    if follow { words.append("--follow") }
    if json { words.append("--output=json") }
    return words
  }
}
