import EggTime

/// Which bubbles are on the screen, which are on their way and which wait: a state machine without I/O.
///
/// A bubble is *due* (to be sent now), *asked* (its Notify is unanswered), *shown* (it has an id), or it rests
/// until something gives it another chance. It lives as long as one of its occurrences rings.
///
/// A person may never dismiss anything. So there are ``ownLimit`` bubbles and one more, which all the rest share; each
/// input costs what it touches, however many alarms ring.
package struct Bubbles {
  /// More than that many at once share one bubble.
  package static let separateLimit = 5
  /// How many Notify calls may be unanswered.
  package static let unansweredLimit = 64
  /// How many bubbles there are beside the one that all the rest share.
  package static let ownLimit = 64

  let wording: NoticeWording
  let ownDisplay: Bool
  /// By key, which counts up; none is empty.
  var bubbles: [Int: Bubble] = [:]
  /// The bubble of each alarm.
  var homes: [Int64: Int] = [:]
  /// The alarm of each occurrence.
  var owners: [Int64: Int64] = [:]
  /// By the ids of the present server.
  var shown: [UInt32: Int] = [:]
  var ready: Set<Int> = []
  var failed: Set<Int> = []
  var calls: [UInt64: Call] = [:]
  var server = Server.unreachable
  /// Whether the server reads markup; nil until it has said so.
  var readsMarkup: Bool?
  var catchUp: Int?
  /// Shared by those that found no room for a bubble of their own.
  var rest: Int?
  var restoring = Restoring()
  var hasSettled = false
  var asksEnvironment = false
  var asksToStart = false
  var lastKey = 0
  private var lastCall: UInt64 = 0

  /// Nothing shown, no bus yet. `ownDisplay`: DISPLAY or WAYLAND_DISPLAY is in the daemon's own environment.
  package init(wording: NoticeWording, ownDisplay: Bool) {
    self.wording = wording
    self.ownDisplay = ownDisplay
  }

  /// What is on the other side.
  enum Server: Hashable {
    /// No bus, or not yet known who owns the name.
    case unreachable
    /// Nobody owns org.freedesktop.Notifications.
    case none
    case present(String)
  }

  /// One Notify that is unanswered.
  struct Call {
    var bubble: Int
    var autoStart: Bool
    var sentAt: Instant
    /// The alarms that its text is the first to name.
    var named: Set<Int64>
    var makesSound: Bool
    /// The bubble that it replaces, where the present server shows that.
    var onScreen: UInt32?
  }

  struct Bubble {
    var members = BubbleMembers()
    var chance = Chance.due
    /// Given by the present server.
    var id: UInt32?
    var call: UInt64?
    /// The id a server gave it before this start.
    var previous: Notice.ShownBubble?
    /// What was reported of it last.
    var reported: Notice.ShownBubble?
    /// Alarms that no text that was sent names: a person can't have meant them.
    var unsent: Set<Int64> = []
    /// What rang since it was sent last, or never was on a screen.
    var makesSound = true
    /// When the text was sent that was the first on a screen; nil before. What rang until then was kept waiting.
    var firstShown: Instant?
    /// Its text changed since the last Notify.
    var isStale = false

    /// To be sent, where there is room.
    var isReady: Bool {
      call == nil && !members.isEmpty && (id == nil ? chance == .due : isStale && chance != .failed)
    }
  }

  /// When a bubble that is neither asked nor shown is to be sent.
  enum Chance {
    /// Now.
    case due
    /// As soon as all is known that rang before this start.
    case restored
    /// With the next ring, start of a server, or sign of a desktop: the last attempt failed.
    case failed
    /// With the next server: the present one showed it, and maybe took it away without the person's doing.
    case seen
  }
}

/// What happens to the bubbles.
package enum BubbleInput {
  /// Found due by one wake-up or one catch-up slice; `joins`: by a further slice of the same catch-up.
  case show([Notice], joins: Bool)
  /// Ringing since before this start, a slice of all.
  case restore([Notice])
  /// These had a bubble before this start, and ended before they were restored.
  case left([Notice.ShownBubble])
  /// No more of `restore` is to come for now.
  case restored
  /// What the person chose for these could not be stored.
  case giveBack([Notice])
  /// Of that alarm only these occurrences ring.
  case retain(number: Int64, ringing: [Int64])
  case end([Int64])
  /// eggd has run for 10 s.
  case settled
  /// The bus is gone, or not yet there.
  case busLost
  /// Who owns the name, as soon as that is known, and each time it changes; nil for nobody.
  case owner(String?)
  /// The server's capabilities; nil where it does not say.
  case capabilities([String]?)
  /// Whether the user manager's environment names a display.
  case environment(hasDisplay: Bool)
  case answered(call: UInt64, bubble: UInt32, server: String)
  case failed(call: UInt64)
  case closed(bubble: UInt32, byPerson: Bool, server: String)
  case chosen(bubble: UInt32, action: String, server: String)
}

/// What is to be done, in this order.
package enum BubbleEffect: Hashable {
  /// `replaces` is 0 for a new bubble.
  case notify(call: UInt64, replaces: UInt32, autoStart: Bool, BubbleContent)
  case close(UInt32)
  /// GetCapabilities, answered by `capabilities`; with `autoStart` it is there to start a server.
  case askCapabilities(autoStart: Bool)
  /// The user manager's environment, answered by `environment`.
  case askEnvironment
  case report(NotifierReport)
}

extension Bubbles {
  /// Every occurrence that has a bubble or waits for one, in no order.
  package var shownOccurrences: [Int64] { Array(owners.keys) }

  /// Whether something waits for a server.
  package var keepsSomething: Bool {
    bubbles.values.contains { $0.id == nil && $0.call == nil && $0.chance != .seen }
  }

  /// Takes one input. `now` is the wall clock's. One that is about no bubble goes through none: a commit can bring
  /// hundreds.
  package mutating func handle(_ input: BubbleInput, now: Instant) -> [BubbleEffect] {
    var effects: [BubbleEffect] = []
    switch input {
    case .show(let notices, let joins): show(notices, joins: joins, &effects)
    case .giveBack(let notices): giveBack(notices, &effects)
    case .restore(let notices): restore(notices, &effects)
    case .left(let bubbles): restoring.left.formUnion(bubbles)
    case .restored: endRestoring(&effects)
    case .retain(let number, let ringing):
      guard let ended = ended(of: number, but: ringing) else { return [] }
      end(ended, &effects)
    case .end(let occurrences):
      guard occurrences.contains(where: { owners[$0] != nil }) else { return [] }
      end(occurrences, &effects)
    case .settled:
      hasSettled = true
      retry()
    case .busLost: change(to: .unreachable, &effects)
    case .owner(let owner): change(to: owner.map { .present($0) } ?? .none, &effects)
    case .capabilities(let capabilities):
      asksToStart = false
      if case .present = server { readsMarkup = capabilities?.contains("body-markup") ?? false }
    case .environment(let hasDisplay):
      asksEnvironment = false
      if hasDisplay, server == .none { retry() }
      pump(now, autoStart: hasDisplay, &effects)
      return effects
    case .answered(let call, let bubble, let server):
      answered(call, bubble, server, now, &effects)
    case .failed(let call): failed(call, &effects)
    case .closed(let id, let byPerson, let server):
      closed(id, byPerson: byPerson, server, &effects)
    case .chosen(let id, let action, let server): chosen(id, action, server, &effects)
    }
    pump(now, autoStart: ownDisplay, &effects)
    return effects
  }

  mutating func nextCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }
}
