import ArgumentParser
import EggTime
import Gettext
import Glibc

struct Watch: Verb {
  static let configuration = CommandConfiguration(
    "watch", tr("Show the list on the whole screen and follow every change."),
    discussion: """
      eggctl watch
      eggctl watch | tee alarms.log
      eggctl watch -H .host -H user@kitchen

      Keys
        up down PgUp PgDn Home G   go to an alarm; also k and j
        a           add: a time, then a label, with a preview
        e           edit: a time, then a label; a label alone in quotes
        Enter       show the alarm in full
        h           hungry: an alarm in five seconds
        d           delete, after a question
        s  Space    snooze a ringing alarm by a span; dismiss it
        +           extend by a span, by default five minutes
        p           pause or resume a countdown or a recurring alarm
        r           again: a new alarm from the same text
        x           mark done, or not done
        g           group; Tab completes the name, an empty one means none
        m           move: up and down, then Enter
        o           sort: in list order, by due, by label
        u  U        undo the last change, after a question; redo it
        /           filter: words of label, group, state, category, number; Esc
        ?           the keys
        q           quit; Control-Z suspends it

      -H may be given more than once. Each machine's alarms then have its name in
      front, and the keys act on the machine of the chosen alarm; .host is this
      machine. One that cannot be reached is tried again.

      If standard output is not a terminal, it prints the list and then every
      change, one a line.

      The terminal's bell rings with each alarm, unless --no-bell is given.
      """)

  @Option(help: .dateFormat) var dateFormat: DateFormat?
  @Flag(help: .noBell) var noBell = false

  func run(in surroundings: Surroundings) throws {
    guard let screen = surroundings.screen() else {
      return try WatchLines(surroundings: surroundings, rings: !noBell).run()
    }
    run(try WatchLoop([WatchedMachine(surroundings)], face: WatchState(), screen: screen, rings: !noBell))
  }

  func run(on hosts: [String], in surroundings: Surroundings) throws {
    guard let screen = surroundings.screen() else {
      throw Failure(
        .usage, tr("without a terminal, watch prints the changes of one machine"),
        hint: "eggctl watch -H \(hosts[0].shellQuoted)")
    }
    let names = try hosts.map { try $0 == HostName.own ? nil : HostName($0) }
    let machines = try hosts.map { try WatchedMachine(surroundings.on($0, for: self)) }
    run(
      try WatchLoop(
        machines, face: WatchState(hosts: HostName.shortened(names)), screen: screen, rings: !noBell))
  }

  private func run(_ loop: WatchLoop<WatchState>) {
    var loop = loop
    if loop.run() { return }
    // Ends as a shell expects after Control-C.
    signal(SIGINT, SIG_DFL)
    raise(SIGINT)
  }
}
