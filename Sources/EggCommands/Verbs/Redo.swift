import ArgumentParser
import EggProtocol
import Gettext

struct Redo: UndoVerb {
  static let configuration = CommandConfiguration(
    "redo", tr("Redo the last undone change."),
    discussion: """
      eggctl redo
      eggctl redo --preview

      Undone changes can be redone, one after the other, until something else is
      changed. On a terminal it asks first if another program or session undid the
      change. Redoing never makes an alarm ring: a ring that came due meanwhile is
      missed.
      """)

  @Flag(help: "Only say which change would be redone.") var preview = false
  @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
  @OptionGroup var answer: AnswerOptions

  typealias Call = RedoCall
  static let redoes = true

  static func refusal(_ error: ScheduleError) -> Failure? {
    switch error {
    case .nothingToUndo: Failure(.refused, tr("there is nothing to redo"), hint: "eggctl log")
    case .changedSince:
      Failure(.refused, tr("something else was undone meanwhile; nothing was redone"), hint: "eggctl redo")
    default: nil
    }
  }
}
