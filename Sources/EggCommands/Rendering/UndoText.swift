import Alarms
import EggProtocol
import EggTime

/// An undone or redone change in words.
struct UndoText {
  private let moments: Moments

  init(_ moments: Moments) { self.moments = moments }

  /// `would undo: deleted #3-5 "two soft ones", 2 min ago, by eggctl`.
  func would(_ reply: UndoReply) -> String { "would undo: \(sentence(reply))\n" }

  /// The question before somebody else's change is undone.
  func question(_ reply: UndoReply) -> String { "undo another's change: \(sentence(reply))?" }

  /// What was undone, and which rings were missed.
  func did(_ reply: UndoReply) -> String {
    "undone: \(sentence(reply))\n" + missed(reply)
  }

  private func missed(_ reply: UndoReply) -> String {
    reply.missed.isEmpty ? "" : "missed meanwhile: \(reply.missed.numberList)\n"
  }

  /// `would redo: deleted #3-5 "two soft ones", undone 2 min ago, by eggctl`.
  func wouldRedo(_ reply: UndoReply) -> String { "would redo: \(sentence(reply, "undone "))\n" }

  /// The question before a change is redone that somebody else undid.
  func redoQuestion(_ reply: UndoReply) -> String {
    "redo a change that another undid: \(sentence(reply, "undone "))?"
  }

  /// What was redone, and which rings were missed.
  func didRedo(_ reply: UndoReply) -> String {
    "redone: \(sentence(reply, "undone "))\n" + missed(reply)
  }

  /// `deleted #3-5 "two soft ones", 2 min ago, by eggctl`.
  func sentence(_ reply: UndoReply, _ verb: String = "") -> String {
    var parts = [reply.change.words + object(reply)]
    parts.append(verb + moments.ago(reply.madeAt))
    if let client = reply.client { parts.append("by \(client.visible)") }
    return parts.joined(separator: ", ")
  }

  private func object(_ reply: UndoReply) -> String {
    let name = reply.label.map { " '\($0.visible)'" } ?? ""
    switch reply.change {
    case .createGroup, .editGroup: return name
    case .deleteGroup: return reply.count == 0 ? name : "\(name) with \(counted(reply.count, "alarm"))"
    default:
      guard (1...5).contains(reply.count) else { return " \(counted(reply.count, "alarm"))" }
      return " \(reply.numbers.numberList)\(name)"
    }
  }
}

extension ChangeKind {
  fileprivate var words: String {
    switch self {
    case .schedule: "scheduled"
    case .edit: "edited"
    case .delete: "deleted"
    case .snooze: "snoozed"
    case .dismiss: "dismissed"
    case .skip: "skipped"
    case .pause: "paused"
    case .resume: "resumed"
    case .extend: "extended"
    case .done: "marked done"
    case .undone: "marked undone"
    case .move: "moved"
    case .createGroup: "created group"
    case .editGroup: "changed group"
    case .deleteGroup: "deleted group"
    case .import: "imported"
    case .other: "changed"
    }
  }
}
