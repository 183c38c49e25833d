import Alarms
import EggProtocol
import Gettext

/// An undone or redone change in words.
struct UndoText {
  let moments: Moments
  var redoes = false
  private let words = ChangeWords(in: tr)

  /// `would undo: #3 "two soft ones", #4-6 deleted, 2 min ago, by eggctl`.
  func would(_ reply: UndoReply) -> String {
    let sentence = sentence(reply)
    return (redoes ? tr("would redo: \(sentence)") : tr("would undo: \(sentence)")) + "\n"
  }

  /// The question before somebody else's change is undone or redone.
  func question(_ reply: UndoReply) -> String {
    let sentence = sentence(reply)
    return redoes
      ? tr("redo a change that another undid: \(sentence)?") : tr("undo another's change: \(sentence)?")
  }

  func did(_ reply: UndoReply) -> String {
    let sentence = sentence(reply)
    let missed = reply.missed.isEmpty ? "" : tr("missed meanwhile: \(reply.missed.numberList)") + "\n"
    return (redoes ? tr("redone: \(sentence)") : tr("undone: \(sentence)")) + "\n" + missed
  }

  /// `#3 "two soft ones", #4-6 deleted, 2 min ago, by eggctl`; `undone 2 min ago` before it is redone.
  func sentence(_ reply: UndoReply) -> String {
    let ago = moments.ago(reply.madeAt)
    let change = words.sentence(reply.change, of: subject(reply), moment: nil, by: nil)
    let client = reply.client.map { tr("by \($0.visible)") }
    return [change, redoes ? tr("undone \(ago)") : ago, client].compactMap(\.self).joined(separator: ", ")
  }

  private func subject(_ reply: UndoReply) -> String {
    switch reply.change {
    case .createGroup, .editGroup: return words.group(reply.label ?? "", alarms: 0)
    case .deleteGroup: return words.group(reply.label ?? "", alarms: reply.count)
    case .daysOff: return words.daysOff(reply.label ?? "")
    default:
      guard (1...5).contains(reply.count) else { return Counted.alarms(reply.count) }
      // The label is the first alarm's.
      guard let first = reply.numbers.first, let label = reply.label else { return reply.numbers.numberList }
      let others = Array(reply.numbers.dropFirst()).numberList
      return ChangeWords.name(first, label: label) + (others.isEmpty ? "" : ", " + others)
    }
  }
}
