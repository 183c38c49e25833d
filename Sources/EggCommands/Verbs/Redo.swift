import ArgumentParser
import EggProtocol

/// `eggctl redo`: makes the change again that was taken back last.
struct Redo: Verb {
  static let configuration = CommandConfiguration(
    commandName: "redo", _superCommandName: Eggctl.name,
    abstract: "Make the change again that was taken back last.",
    discussion: """
      eggctl redo
      eggctl redo --preview

      What undo took back can be made again, one change after the other, until
      something else is changed. On a terminal it asks first when another program
      or another shell took it back. Nothing rings by it: what came due meanwhile
      is recorded as missed.
      """)

  @Flag(help: "Only say which change would be made again.") var preview = false
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @OptionGroup var answer: AnswerOptions

  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let connection = try Connection(surroundings)
    let text = UndoText(try Moments(surroundings))
    let last = try connection.read(RedoCall(preview: true), refusal: Self.refusal)
    if preview {
      return try surroundings.output.answer(form, json: last, numbers: last.numbers) {
        text.wouldRedo(last)
      }
    }
    if !last.own, !yes, surroundings.ask != nil { try surroundings.confirm(text.redoQuestion(last)) }
    let redone = try connection.call(
      RedoCall(sequence: last.sequence), alarms: last.count, doing: "making again a change of",
      refusal: Self.refusal)
    try surroundings.output.answer(form, json: redone, numbers: redone.numbers) { text.didRedo(redone) }
  }

  private static func refusal(_ error: ScheduleError) -> Failure? {
    switch error {
    case .nothingToUndo: Failure(.refused, "there is nothing to redo")
    case .changedSince:
      Failure(.refused, "something else was undone meanwhile; nothing was redone", hint: "eggctl redo")
    default: nil
    }
  }
}
