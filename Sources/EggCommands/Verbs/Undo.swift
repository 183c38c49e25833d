import ArgumentParser
import EggProtocol

/// `eggctl undo`: takes the last change back.
struct Undo: Verb {
  static let configuration = CommandConfiguration(
    commandName: "undo", _superCommandName: Eggctl.name,
    abstract: "Take the last change back, whatever it was and whoever made it.",
    discussion: """
      eggctl undo
      eggctl undo --preview

      The last 20 changes can be taken back, one after the other, across restarts
      of eggd too. On a terminal it asks first when another program or another
      shell made the change. Nothing rings by it: what came due while an alarm was
      deleted is recorded as missed.
      """)

  @Flag(help: "Only say which change would be taken back.") var preview = false
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
      UndoCall(sequence: last.sequence), alarms: last.count, doing: "taking back a change of")
    try surroundings.output.answer(form, json: undone, numbers: undone.numbers) {
      UndoText(moments).did(undone)
    }
  }
}
