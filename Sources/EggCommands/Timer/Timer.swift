import ArgumentParser
import EggProtocol
import EggTime
import Gettext

/// `eggctl timer`: schedules an alarm and shows its countdown on the whole screen.
struct Timer: Verb {
  static let configuration = CommandConfiguration(
    "timer", tr("Schedule an alarm and show its countdown."),
    usage: "eggctl timer TIME … [LABEL] [OPTION …] | NUMBER",
    discussion: """
      eggctl timer 6m30s
      eggctl timer 10m pasta --insist
      eggctl timer 12

      Takes what eggctl schedule takes, or the number of an alarm. The alarm is one
      like any other: it stays, and rings, when the screen is left, its terminal
      closed or eggctl killed.

      Keys
        Space    pause or resume a countdown
        + -      a minute more or less
        s        snooze
        Enter    dismiss
        q        leave; the alarm stays

      Without a terminal it schedules the alarm and waits until it rings.
      """)

  @Argument(
    parsing: .allUnrecognized,
    help: ArgumentHelp("When to ring and a label, or the number of an alarm.", valueName: "time"),
    completion: .values(.timers))
  var words: [String]
  @Flag(help: .noBell) var noBell = false

  func run(in surroundings: Surroundings) throws {
    if let option = words.first(where: { ["--json", "-q", "--quiet"].contains($0) }) {
      throw Failure(
        .usage, tr("timer has no '\(option)'"),
        hint: "eggctl schedule \(TypedWords.spaced(words.map(\.shellQuoted)[...]))")
    }
    let number = try existing(in: surroundings) ?? scheduled(in: surroundings)
    guard let screen = surroundings.screen() else {
      guard let wait = try Wait.verb(["\(number)"] + (noBell ? ["--no-bell"] : [])) else { return }
      return try wait.run(in: surroundings)
    }
    var loop = try WatchLoop(
      [WatchedMachine(surroundings)], face: TimerState(number: number), screen: screen, rings: !noBell)
    _ = loop.run()
    try tellWhatStays(loop.face, in: surroundings)
  }

  private func existing(in surroundings: Surroundings) throws -> Int64? {
    guard words.count == 1, let number = Int64(words[0]) else { return nil }
    return try Connection(surroundings).read(ShowCall(number: number)).alarm.number
  }

  /// Throws ``Failure``, also for a wrong option of `schedule`.
  private func scheduled(in surroundings: Surroundings) throws -> Int64 {
    let schedule: Schedule
    do {
      schedule = try Schedule.parse(words)
    } catch {
      throw Eggctl.usage(error, ["schedule"] + words)
    }
    let command = TypedCommand("eggctl timer", surroundings.typed.dropFirst(), of: Schedule.self)
    return try schedule.schedule(as: command, in: surroundings).alarm.number
  }

  private func tellWhatStays(_ state: TimerState, in surroundings: Surroundings) throws {
    guard let alarm = state.alarm else {
      return try surroundings.output.data(tr("#\(state.number) is gone") + "\n")
    }
    try surroundings.output.data(AlarmText(moments: try Moments(surroundings)).line(alarm))
    guard alarm.due != nil || alarm.state == .paused else { return }
    try surroundings.output.hint(tr("the alarm stays: eggctl timer \(alarm.number) shows it again"))
  }
}
