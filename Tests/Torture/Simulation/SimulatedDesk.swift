import EggTime
import Ringing

/// A notification server as `Bubbles` sees one: it comes and goes, hangs, refuses, and answers late. Outlives eggd.
final class SimulatedDesk {
  enum Manner: String, CaseIterable {
    case answers
    case hangs
    case refuses
  }

  /// One Notify that is not answered.
  private struct Call {
    var id: UInt64
    var replaces: UInt32
  }

  private(set) var owner: String?
  var manner = Manner.answers
  /// Shown bubbles.
  private(set) var open: Set<UInt32> = []
  private var unanswered: [Call] = []
  private var lastID: UInt32 = 0
  private var owners = 0
  private(set) var shown = 0

  /// Another server has the name now, or nobody.
  func change(toPresent isPresent: Bool) {
    open = []
    unanswered = []
    lastID = 0
    if isPresent { owners += 1 }
    owner = isPresent ? ":1.\(owners) bus" : nil
  }

  /// eggd's connection is gone; what it showed stays.
  func forgetCalls() { unanswered = [] }

  /// What comes back at once.
  func perform(_ effect: BubbleEffect) -> [BubbleInput] {
    switch effect {
    case .notify(let call, let replaces, _, _):
      guard owner != nil else { return [.failed(call: call)] }
      switch manner {
      case .answers: return [answer(Call(id: call, replaces: replaces))]
      case .refuses: return [.failed(call: call)]
      case .hangs:
        unanswered.append(Call(id: call, replaces: replaces))
        return []
      }
    case .close(let id):
      open.remove(id)
      return []
    case .askCapabilities: return owner == nil ? [] : [.capabilities(["body"])]
    case .askEnvironment: return [.environment(hasDisplay: false)]
    case .report, .sound: return []
    }
  }

  /// Answers all that it has let hang.
  func answerLate() -> [BubbleInput] {
    defer { unanswered = [] }
    return unanswered.map(answer)
  }

  private func answer(_ call: Call) -> BubbleInput {
    var id = call.replaces
    if id == 0 {
      lastID += 1
      id = lastID
    }
    open.insert(id)
    shown += 1
    return .answered(call: call.id, bubble: id, server: owner ?? "")
  }

  /// The person chooses an action of a bubble. Some servers leave it on the screen.
  func choose(_ action: String, _ id: UInt32) -> BubbleInput {
    .chosen(bubble: id, action: action, server: owner ?? "")
  }

  /// The person closes a bubble.
  func close(_ id: UInt32) -> BubbleInput {
    open.remove(id)
    return .closed(bubble: id, byPerson: true, server: owner ?? "")
  }
}
