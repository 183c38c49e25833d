import ArgumentParser
import EggProtocol
import Gettext

struct Undo: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", _superCommandName: Eggctl.name,
    abstract: tr("Undo the last change, whatever it was and whoever made it."),
    discussion: """
      eggctl undo
      eggctl undo --preview

      The last 20 changes can be undone, one after the other, even after eggd was
      restarted. On a terminal it asks first if another program or session made the
      change. Undoing never makes an alarm ring: a ring that came due while the
      alarm was deleted is missed.
      """)

  @Flag(help: "Only say which change would be undone.") var preview = false
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let connection = try Connection(surroundings)
    let moments = try Moments(surroundings)
    let last = try connection.read(UndoCall(preview: true))
    if preview {
      return try surroundings.output.answer(form, json: last, numbers: last.numbers) {
        UndoText(moments).would(last)
      }
    }
    if !last.own, !yes, surroundings.ask != nil {
      try surroundings.confirm(UndoText(moments).question(last))
    }
    let undone = try connection.call(
      UndoCall(sequence: last.sequence), alarms: last.count,
      doing: { tr("undoing a change of \($0) alarms ...") })
    try surroundings.output.answer(form, json: undone, numbers: undone.numbers) {
      UndoText(moments).did(undone)
    }
  }
}
