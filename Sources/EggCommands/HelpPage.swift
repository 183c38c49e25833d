import Gettext

/// The help of `eggctl` as a whole: the verbs in groups, on one screen.
enum HelpPage {
  struct Line {
    /// Those that belong together have one line.
    var verbs: [any VerbWord.Type]
    /// What several verbs do; one has its abstract.
    var text: Phrase?

    init(_ verbs: any VerbWord.Type..., text: Phrase? = nil) {
      self.verbs = verbs
      self.text = text
    }

    fileprivate var names: String {
      verbs.compactMap { $0.configuration.commandName }.joined(separator: ", ")
    }
    fileprivate var words: String { text.map { tr($0) } ?? verbs.first?.configuration.abstract ?? "" }
  }

  struct VerbGroup {
    let name: Phrase
    let lines: [Line]

    init(_ name: Phrase, _ lines: Line...) { (self.name, self.lines) = (name, lines) }
  }

  static let groups: [VerbGroup] = [
    VerbGroup(
      Phrase("New alarms:"),
      Line(Schedule.self),
      Line(
        Timer.self, Hungry.self,
        text: Phrase("Schedule one and show its countdown, or one in five seconds.")),
      Line(Again.self), Line(Boil.self),
      Line(AnniversaryVerb.self)),
    VerbGroup(
      Phrase("When they ring:"),
      Line(Snooze.self), Line(Dismiss.self),
      Line(Done.self, Undone.self, text: Phrase("Mark alarms done, or remove the mark.")),
      Line(Wait.self)),
    VerbGroup(
      Phrase("Look:"),
      Line(List.self), Line(Watch.self), Line(Show.self), Line(Next.self),
      Line(History.self, Log.self, text: Phrase("Show what rang, and what happened to alarms.")),
      Line(
        Times.self, Resolve.self, text: Phrase("List the ways to enter a time, and show how one is read.")),
      Line(Monitor.self)),
    VerbGroup(
      Phrase("Change:"),
      Line(Edit.self), Line(Delete.self), Line(Extend.self),
      Line(Pause.self, Resume.self, text: Phrase("Pause countdowns and recurring alarms, and go on.")),
      Line(Skip.self), Line(Move.self), Line(GroupVerb.self), Line(DaysOffVerb.self),
      Line(Undo.self, Redo.self, text: Phrase("Undo the last change, whoever made it, and redo it."))),
    VerbGroup(
      Phrase("eggd and other programs:"),
      Line(
        Status.self, Doctor.self, text: Phrase("Show eggd's health, and what keeps alarms from ringing.")),
      Line(Config.self, Reload.self, text: Phrase("Show eggd's settings, and read them again.")),
      Line(Import.self, Export.self, text: Phrase("Read alarms from a file, or print all.")),
      Line(Sync.self), Line(Completion.self),
      Line(Now.self, Bridge.self, text: Phrase("Serve scripts and eggctl -H.")), Line(MCP.self)),
  ]

  static var text: String {
    let width = groups.flatMap(\.lines).map(\.names.count).max() ?? 0
    var text =
      ParserText.help("USAGE: eggctl [-H [USER@]HOST[:PORT]] [COMMAND] [ARGUMENT …] [OPTION …]") + "\n"
    for group in groups {
      text += tr(group.name) + "\n"
      for line in group.lines {
        let padding = String(repeating: " ", count: width + 2 - line.names.count)
        text += "  \(line.names)\(padding)\(line.words)".cut(to: 80) + "\n"
      }
    }
    return text + "\n"
      + tr("eggctl help COMMAND shows examples. -H asks another machine, over ssh.") + "\n"
  }
}
