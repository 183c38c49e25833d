import Alarms
import EggProtocol
import Gettext

/// An undone or redone change in words.
struct UndoText {
  private let moments: Moments

  init(_ moments: Moments) { self.moments = moments }

  /// `would undo: deleted #3 'two soft ones', #4-6, 2 min ago, by eggctl`.
  func would(_ reply: UndoReply) -> String { tr("would undo: \(sentence(reply))") + "\n" }

  /// The question before somebody else's change is undone.
  func question(_ reply: UndoReply) -> String { tr("undo another's change: \(sentence(reply))?") }

  func did(_ reply: UndoReply) -> String {
    tr("undone: \(sentence(reply))") + "\n" + missed(reply)
  }

  private func missed(_ reply: UndoReply) -> String {
    reply.missed.isEmpty ? "" : tr("missed meanwhile: \(reply.missed.numberList)") + "\n"
  }

  /// `would redo: deleted #3 'two soft ones', #4-6, undone 2 min ago, by eggctl`.
  func wouldRedo(_ reply: UndoReply) -> String { tr("would redo: \(undoneSentence(reply))") + "\n" }

  /// The question before a change is redone that somebody else undid.
  func redoQuestion(_ reply: UndoReply) -> String {
    tr("redo a change that another undid: \(undoneSentence(reply))?")
  }

  func didRedo(_ reply: UndoReply) -> String {
    tr("redone: \(undoneSentence(reply))") + "\n" + missed(reply)
  }

  /// `deleted #3 'two soft ones', #4-6, 2 min ago, by eggctl`.
  func sentence(_ reply: UndoReply) -> String { sentence(reply, when: moments.ago(reply.madeAt)) }

  private func undoneSentence(_ reply: UndoReply) -> String {
    sentence(reply, when: tr("undone \(moments.ago(reply.madeAt))"))
  }

  private func sentence(_ reply: UndoReply, when: String) -> String {
    var parts = [reply.change.words(object(reply)), when]
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
