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
    var content: BubbleContent
  }

  private(set) var owner: String?
  var manner = Manner.answers
  /// What each shown bubble says.
  private(set) var texts: [UInt32: BubbleContent] = [:]
  var open: Set<UInt32> { Set(texts.keys) }
  /// Whether it has taken all that it was sent since it came.
  private(set) var hasTakenAll = true
  private var unanswered: [Call] = []
  private var isCut = false
  /// Those whose close did not arrive: eggd cannot know.
  private(set) var unclosed: Set<UInt32> = []
  private var lastID: UInt32 = 0
  private var owners = 0
  private(set) var shown = 0
  /// Told what it is sent.
  var trace: (String) -> Void = { _ in }

  /// Another server has the name now, or nobody.
  func change(toPresent isPresent: Bool) {
    texts = [:]
    (unanswered, unclosed) = ([], [])
    hasTakenAll = true
    lastID = 0
    if isPresent { owners += 1 }
    owner = isPresent ? ":1.\(owners) bus" : nil
  }

  /// eggd's connection is gone; what it showed stays.
  func forgetCalls() { unanswered = [] }

  /// Likewise, and eggd does not know yet: nothing that it sends arrives.
  func cut() {
    forgetCalls()
    isCut = true
  }

  /// It has a connection again.
  func connect() { isCut = false }

  /// Whether it shows what it was sent.
  var isPrompt: Bool { owner != nil && manner == .answers && unanswered.isEmpty && hasTakenAll }

  /// What comes back at once.
  func perform(_ effect: BubbleEffect) -> [BubbleInput] {
    if isCut {
      if case .close(let id) = effect { unclosed.insert(id) }
      return []
    }
    switch effect {
    case .notify(let id, let replaces, _, let content):
      guard owner != nil else { return [.failed(call: id)] }
      let call = Call(id: id, replaces: replaces, content: content)
      trace(
        "notify \(id) for \(replaces): \(content.body.split(separator: "\n").dropFirst().joined(separator: ", "))"
      )
      switch manner {
      case .answers: return [answer(call)]
      case .refuses:
        hasTakenAll = false
        return [.failed(call: id)]
      case .hangs:
        unanswered.append(call)
        return []
      }
    case .close(let id):
      trace("close \(id)")
      texts[id] = nil
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
    // That of an earlier server is nobody's, as in GNOME Shell.
    if texts[id] == nil {
      lastID += 1
      id = lastID
    }
    texts[id] = call.content
    trace("bubble \(id) answers \(call.id)")
    shown += 1
    return .answered(call: call.id, bubble: id, server: owner ?? "")
  }

  /// The person chooses an action of a bubble. Some servers leave it on the screen.
  func choose(_ action: String, _ id: UInt32) -> BubbleInput {
    .chosen(bubble: id, action: action, server: owner ?? "")
  }

  /// The person closes a bubble.
  func close(_ id: UInt32) -> BubbleInput {
    texts[id] = nil
    return .closed(bubble: id, byPerson: true, server: owner ?? "")
  }
}
