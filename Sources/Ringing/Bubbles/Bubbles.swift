import EggTime

/// The bubbles that are on the screen, under way, or waiting: a state machine without I/O.
///
/// A bubble is *due* (to be sent now), *asked* (its Notify is unanswered), *shown* (it has an id), or it rests
/// until something gives it another chance. It lives as long as one of its occurrences rings.
///
/// A person may never dismiss anything. So there are at most ``ownLimit`` bubbles, plus one that all further alarms share.
package struct Bubbles {
  /// More than that many at once share one bubble.
  package static let separateLimit = 5
  /// How many Notify calls may be unanswered.
  package static let unansweredLimit = 64
  /// The most bubbles besides the one that all further alarms share.
  package static let ownLimit = 64
  /// A server that removes a bubble sooner would remove the next one too.
  package static let lastingTime = TimeSpan.seconds(1)

  /// Of what is sent from now on.
  package var wording: NoticeWording
  let ownDisplay: Bool
  /// By key, which counts up; none is empty.
  var bubbles: [Int: Bubble] = [:]
  var homes: [Int64: Int] = [:]
  var owners: [Int64: Int64] = [:]
  var calls: [UInt64: Call] = [:]
  var server = Server.unreachable
  /// Whether the server reads markup; nil until it has said so.
  var readsMarkup: Bool?
  var habits = ServerHabits()
  var catchUp: Int?
  /// Shared by the alarms that found no room for a bubble of their own.
  var rest: Int?
  /// Bubbles of before this start in which perhaps nothing rings any more.
  var left: Set<Notice.ShownBubble> = []
  var hasSettled = false
  var asksEnvironment = false
  var asksToStart = false
  var lastKey = 0
  var lastCall: UInt64 = 0

  /// Whether a Notify call is unanswered.
  package var awaitsAnswer: Bool { !calls.isEmpty }

  /// `ownDisplay`: eggd's own environment has DISPLAY or WAYLAND_DISPLAY.
  package init(wording: NoticeWording, ownDisplay: Bool) {
    self.wording = wording
    self.ownDisplay = ownDisplay
  }

  /// The notification server, as far as it is known.
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
    /// The alarms that its text names for the first time.
    var named: Set<Int64>
    var makesSound: Bool
    /// The bubble that it replaces, where the present server shows that.
    var onScreen: UInt32?
  }

  struct Bubble {
    var members: [Int64: BubbleMember] = [:]
    var chance = Chance.due
    /// Given by the present server.
    var id: UInt32?
    var call: UInt64?
    /// The id a server gave it before this start.
    var previous: Notice.ShownBubble?
    /// The last report about it.
    var reported: Notice.ShownBubble?
    /// The last text that was sent for it.
    var sent: BubbleContent?
    /// When it is repeated, if it insists.
    var repeatsAt: Instant?
    /// When the server last answered.
    var answeredAt: Instant?
    /// Alarms that no sent text names. A person cannot have meant them.
    var unsent: Set<Int64> = []
    /// Rings since it was last sent, or that were never on a screen.
    var makesSound = true
    /// When the first text that reached a screen was sent; nil before. Earlier rings were kept waiting.
    var firstShown: Instant?
    /// Its text changed since the last Notify.
    var isStale = false

    /// The member with what a text on a screen has said of it; the same where none has.
    func told(_ member: BubbleMember, by now: Instant? = nil) -> BubbleMember {
      guard let moment = firstShown ?? now, !unsent.contains(member.notice.number) else { return member }
      return member.shown(since: moment, as: reported)
    }

    /// Every ring of those alarms, by number.
    func rings(of isTold: (Int64) -> Bool) -> [Notice] {
      members.values.filter { isTold($0.notice.number) }.sorted { $0.notice.number < $1.notice.number }
        .flatMap { told($0).all }
    }

    /// The id of what its next Notify replaces; nil for none.
    var replaced: UInt32? { id ?? previous?.id }

    /// To be sent when there is room.
    var isReady: Bool {
      call == nil && !members.isEmpty && (id == nil ? chance == .due : isStale && chance != .failed)
    }
  }

  /// When to send a bubble that is neither asked nor shown.
  enum Chance {
    case due
    /// The last attempt failed: with the next ring, server start, or sign of a desktop.
    case failed
    /// With the next server: the present one shows it.
    case seen
  }
}

/// An event that concerns bubbles.
package enum BubbleInput {
  /// Found due by one wake-up or catch-up slice. `joins`: by a further slice of the same catch-up.
  case show([Notice], joins: Bool)
  /// Alarms that ring since before this start.
  case restore([Notice])
  /// The person's choice for these could not be stored.
  case giveBack([Notice])
  /// Only these occurrences of that alarm ring, and this is what to say of it; nil for what was said.
  case retain(number: Int64, ringing: [Int64], card: AlarmCard? = nil)
  case end([Int64])
  /// Commands of these rings did not start, for that reason.
  case hookFailed([(ring: RingID, problem: String)])
  /// The moment of ``Bubbles/nextRepetition`` has come.
  case insist
  /// eggd has run for 10 s.
  case settled
  /// There is no bus, or no longer.
  case busLost
  /// The owner of the name, once it is known and whenever it changes; nil for nobody.
  case owner(String?)
  /// The server's capabilities, nil if it does not answer, and what else is known of it.
  case capabilities([String]?, ServerHabits = ServerHabits())
  /// Whether the user manager's environment names a display.
  case environment(hasDisplay: Bool)
  case answered(call: UInt64, bubble: UInt32, server: String)
  case failed(call: UInt64)
  case closed(bubble: UInt32, byPerson: Bool, server: String)
  case chosen(bubble: UInt32, action: String, server: String)
}

/// Something to do, in this order.
package enum BubbleEffect: Equatable {
  /// `replaces` is 0 for a new bubble.
  case notify(call: UInt64, replaces: UInt32, autoStart: Bool, BubbleContent)
  case close(UInt32)
  /// GetCapabilities, answered by `capabilities`; with `autoStart` it is there to start a server.
  case askCapabilities(autoStart: Bool)
  /// The user manager's environment, answered by `environment`.
  case askEnvironment
  /// These are to be heard again.
  case sound([Notice])
  case report(NotifierReport)
}

extension Bubbles {
  /// Every occurrence that has a bubble or waits for one, in no order.
  package var shownOccurrences: [Int64] { Array(owners.keys) }

  /// Whether something waits for a server.
  package var keepsSomething: Bool {
    bubbles.values.contains { $0.id == nil && $0.call == nil && $0.chance != .seen }
  }

  /// Takes one input; `now` is on the wall clock. An input that concerns no bubble looks at none: a commit can bring
  /// hundreds.
  package mutating func handle(_ input: BubbleInput, now: Instant) -> [BubbleEffect] {
    var effects: [BubbleEffect] = []
    switch input {
    case .show(let notices, let joins): show(notices, joins: joins, &effects)
    case .giveBack(let notices): giveBack(notices, &effects)
    case .restore(let notices): restore(notices, &effects)
    case .retain(let number, let ringing, let card):
      let ended = ended(of: number, but: ringing)
      if let ended { end(ended, &effects) }
      let isEdited = card.map { edit(number, $0, now) } ?? false
      if ended == nil, !isEdited { return [] }
    case .end(let occurrences):
      guard occurrences.contains(where: { owners[$0] != nil }) else { return [] }
      end(occurrences, &effects)
    case .hookFailed(let hooks):
      let changed = hooks.filter { hookFailed($0.ring, $0.problem) }
      if changed.isEmpty { return [] }
    case .insist: insistAgain(now, &effects)
    case .settled:
      hasSettled = true
      retry()
    case .busLost: change(to: .unreachable, &effects)
    case .owner(let owner): change(to: owner.map { .present($0) } ?? .none, &effects)
    case .capabilities(let capabilities, let habits): take(capabilities, habits, &effects)
    case .environment(let hasDisplay):
      asksEnvironment = false
      if hasDisplay, server == .none { retry() }
      pump(now, autoStart: hasDisplay, &effects)
      return effects
    case .answered(let call, let bubble, let server):
      answered(call, bubble, server, now, &effects)
    case .failed(let call): failed(call, &effects)
    case .closed(let id, let byPerson, let server):
      closed(id, byPerson: byPerson, server, now, &effects)
    case .chosen(let id, let action, let server): chosen(id, action, server, &effects)
    }
    pump(now, autoStart: ownDisplay, &effects)
    return effects
  }

  /// Whether this occurrence has a bubble or waits for one.
  package func rings(_ occurrence: Int64) -> Bool { owners[occurrence] != nil }

  /// Whether anything has a bubble or waits for one.
  package var ringsAny: Bool { !owners.isEmpty }
}
