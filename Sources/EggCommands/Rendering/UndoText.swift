import Alarms
import EggProtocol
import Gettext

/// An undone or redone change in words.
struct UndoText {
  let moments: Moments
  var redoes = false

  /// `would undo: deleted #3 'two soft ones', #4-6, 2 min ago, by eggctl`.
  func would(_ reply: UndoReply) -> String {
    (redoes ? tr("would redo: \(sentence(reply))") : tr("would undo: \(sentence(reply))")) + "\n"
  }

  /// The question before somebody else's change is undone or redone.
  func question(_ reply: UndoReply) -> String {
    redoes
      ? tr("redo a change that another undid: \(sentence(reply))?")
      : tr("undo another's change: \(sentence(reply))?")
  }

  func did(_ reply: UndoReply) -> String {
    let missed = reply.missed.isEmpty ? "" : tr("missed meanwhile: \(reply.missed.numberList)") + "\n"
    return (redoes ? tr("redone: \(sentence(reply))") : tr("undone: \(sentence(reply))")) + "\n" + missed
  }

  /// `deleted #3 'two soft ones', #4-6, 2 min ago, by eggctl`; `undone 2 min ago` before it is redone.
  func sentence(_ reply: UndoReply) -> String {
    let ago = moments.ago(reply.madeAt)
    var parts = [reply.change.words(object(reply)), redoes ? tr("undone \(ago)") : ago]
    if let client = reply.client { parts.append(tr("by \(client.visible)")) }
    return parts.joined(separator: ", ")
  }

  private func object(_ reply: UndoReply) -> String {
    let name = reply.label.map { "'\($0.visible)'" }
    switch reply.change {
    case .createGroup, .editGroup, .daysOff: return name ?? ""
    case .deleteGroup:
      return reply.count == 0 ? name ?? "" : tr("\(name ?? "") with \(Counted.alarms(reply.count))")
    default:
      guard (1...5).contains(reply.count) else { return Counted.alarms(reply.count) }
      // The label is the first alarm's.
      guard let first = reply.numbers.first, let name else { return reply.numbers.numberList }
      return ["#\(first) \(name)", Array(reply.numbers.dropFirst()).numberList].filter { !$0.isEmpty }
        .joined(separator: ", ")
    }
  }
}

extension ChangeKind {
  fileprivate func words(_ object: String) -> String {
    switch self {
    case .schedule: tr("scheduled \(object)")
    case .edit: tr("edited \(object)")
    case .delete: tr("deleted \(object)")
    case .snooze: tr("snoozed \(object)")
    case .dismiss: tr("dismissed \(object)")
    case .skip: tr("skipped \(object)")
    case .pause: tr("paused \(object)")
    case .resume: tr("resumed \(object)")
    case .extend: tr("extended \(object)")
    case .done: tr("marked done \(object)")
    case .undone: tr("marked undone \(object)")
    case .move: tr("moved \(object)")
    case .createGroup: tr("created group \(object)")
    case .editGroup: tr("changed group \(object)")
    case .deleteGroup: tr("deleted group \(object)")
    case .daysOff: tr("changed days off \(object)")
    case .import: tr("added \(object)")
    case .sync: tr("synchronised \(object)")
    case .other: tr("changed \(object)")
    }
  }
}
