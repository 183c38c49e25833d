import ArgumentParser
import EggProtocol
import Gettext

struct Undo: UndoVerb {
  static let configuration = CommandConfiguration(
    "undo", tr("Undo the last change, whatever it was and whoever made it."),
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

  typealias Call = UndoCall
  static let redoes = false

  static func refusal(_ error: ScheduleError) -> Failure? { nil }
}

/// `undo` and `redo`.
protocol UndoVerb: Verb {
  associatedtype Call: UndoMethod
  static var redoes: Bool { get }
  static func refusal(_ error: ScheduleError) -> Failure?
  var preview: Bool { get }
  var yes: Bool { get }
  var answer: AnswerOptions { get }
}

extension UndoVerb {
  func run(in surroundings: Surroundings) throws {
    let form = try answer.form()
    let connection = try Connection(surroundings)
    let text = UndoText(moments: try Moments(surroundings), redoes: Self.redoes)
    let last = try connection.read(Call(preview: true, sequence: nil), refusal: Self.refusal)
    if preview {
      return try surroundings.output.answer(form, json: last, numbers: last.numbers) { text.would(last) }
    }
    if !last.own, !yes, surroundings.ask != nil { try surroundings.confirm(text.question(last)) }
    let reply = try connection.call(
      Call(preview: nil, sequence: last.sequence), alarms: last.count, refusal: Self.refusal)
    try surroundings.output.answer(form, json: reply, numbers: reply.numbers) { text.did(reply) }
  }
}

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
