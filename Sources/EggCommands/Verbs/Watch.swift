import ArgumentParser
import Glibc

/// `eggctl watch`: the list on the whole screen, as it is at every moment.
struct Watch: Verb {
  static let configuration = CommandConfiguration(
    commandName: "watch", _superCommandName: Eggctl.name,
    abstract: "Show the list on the whole screen and follow every change of it.",
    discussion: """
      eggctl watch
      eggctl watch | tee alarms.log

      Keys
        up down PgUp PgDn Home G   go to an alarm; also k and j
        a           add: a time, then a label; how it is read is shown at once
        e           edit: a time, then a label; a label alone in quotes
        Enter       all that is known of the alarm
        h           hungry: rings in five seconds
        d           delete, after a question
        s  Space    snooze what is ringing for five minutes; dismiss it
        +           extend by a span, five minutes unless another is typed
        p           pause a countdown or a recurring alarm; let it go on
        r           again: a new alarm of the same text
        x           mark done, or not done
        g           the group; Tab completes its name, an empty one takes it out
        m           move: up and down, then Enter
        o           sort: the order of the list, by due, by label
        u  U        take the last change back, after a question; make it again
        /           filter: words of label, group, state, category, number; Esc
        ?           the keys
        q           leave; Control-Z sets it aside

      Where standard output is no terminal, the list and then every change of it
      are printed as lines.

      The terminal's bell tells of every ring, unless --no-bell is given.
      """)

  @OptionGroup var bell: BellOptions

  func run(in surroundings: Surroundings) throws {
    guard let screen = surroundings.screen() else {
      return try WatchLines(surroundings, rings: bell.isOn).run()
    }
    var loop = try WatchLoop(surroundings, screen: screen, rings: bell.isOn)
    guard loop.run() else {
      // Ended as the shell expects it of Control-C.
      signal(SIGINT, SIG_DFL)
      raise(SIGINT)
      return
    }
  }
}
