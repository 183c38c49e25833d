import EggTime

/// Which bubbles are on the screen, which are on their way and which wait: a state machine without I/O.
///
/// A bubble is *due* (to be sent now), *asked* (its Notify is unanswered), *shown* (it has an id), or it rests
/// until something gives it another chance. It lives as long as one of its occurrences rings.
package struct Bubbles {
  /// More than that many at once share one bubble.
  package static let separateLimit = 5
  /// How many Notify calls may be unanswered.
  package static let unansweredLimit = 64

  let wording: NoticeWording
  let ownDisplay: Bool
  var bubbles: [Int: Bubble] = [:]
  var homes: [Int64: Int] = [:]
  var occurrences: [Int64: Set<Int64>] = [:]
  var calls: [UInt64: Call] = [:]
  var server = Server.unreachable
  /// Whether the server reads markup; nil until it has said so.
  var readsMarkup: Bool?
  var catchUp: Int?
  var hasSettled = false
  var asksEnvironment = false
  var asksToStart = false
  private var lastKey = 0
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
  }

  struct Bubble {
    var members: [Int64: Notice] = [:]
    var chance = Chance.due
    /// Given by the present server.
    var id: UInt32?
    var call: UInt64?
    /// The id a server gave it before this start.
    var previous: Notice.ShownBubble?
    /// Some server showed it: no sound again.
    var wasShown = false
    /// Its text changed since the last Notify.
    var isStale = false

    /// To be sent, where there is room.
    var isReady: Bool { call == nil && !members.isEmpty && (id == nil ? chance == .due : isStale) }
  }

  /// When a bubble that is neither asked nor shown is to be sent.
  enum Chance {
    /// Now.
    case due
    /// With the next ring, start of a server, or sign of a desktop: the last attempt failed.
    case failed
    /// With the next server: the present one showed it and took it away without the person's doing.
    case seen
  }
}

/// What happens to the bubbles.
package enum BubbleInput {
  /// Found due by one wake-up or one catch-up slice; `joins`: by a further slice of the same catch-up.
  case show([Notice], joins: Bool)
  /// Ringing since before this start.
  case restore([Notice])
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
  /// Every occurrence that has a bubble or waits for one, ascending.
  package var shownOccurrences: [Int64] { homes.keys.sorted() }

  /// Whether something waits for a server.
  package var keepsSomething: Bool {
    bubbles.values.contains {
      !$0.members.isEmpty && $0.id == nil && $0.call == nil && $0.chance != .seen
    }
  }

  /// Takes one input. `now` is the wall clock's. One that is about no bubble goes through none: a commit can bring
  /// hundreds.
  package mutating func handle(_ input: BubbleInput, now: Instant) -> [BubbleEffect] {
    var effects: [BubbleEffect] = []
    switch input {
    case .show(let notices, let joins): show(notices, joins: joins)
    case .restore(let notices): restore(notices)
    case .retain(let number, let ringing):
      let ended = occurrences[number, default: []].subtracting(ringing)
      guard !ended.isEmpty else { return [] }
      end(ended, &effects)
    case .end(let occurrences):
      guard occurrences.contains(where: { homes[$0] != nil }) else { return [] }
      end(occurrences, &effects)
    case .settled:
      hasSettled = true
      giveChance { $0 == .failed }
    case .busLost: change(to: .unreachable, &effects)
    case .owner(let owner): change(to: owner.map { .present($0) } ?? .none, &effects)
    case .capabilities(let capabilities):
      asksToStart = false
      if case .present = server { readsMarkup = capabilities?.contains("body-markup") ?? false }
    case .environment(let hasDisplay):
      asksEnvironment = false
      if hasDisplay, server == .none { giveChance { $0 == .failed } }
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

  /// Whether a Notify is unanswered.
  var awaitsAnswer: Bool { !calls.isEmpty }

  /// The same before the same server, with nothing on the screen.
  var blank: Bubbles {
    var blank = Bubbles(wording: wording, ownDisplay: ownDisplay)
    (blank.server, blank.readsMarkup) = (server, readsMarkup)
    return blank
  }

  mutating func nextCall() -> UInt64 {
    lastCall += 1
    return lastCall
  }

  /// A new bubble of these, due.
  @discardableResult
  mutating func open(
    _ notices: some Sequence<Notice>, previous: Notice.ShownBubble? = nil, wasShown: Bool = false
  ) -> Int {
    lastKey += 1
    bubbles[lastKey] = Bubble(previous: previous, wasShown: wasShown)
    add(notices, to: lastKey)
    return lastKey
  }

  mutating func add(_ notices: some Sequence<Notice>, to key: Int) {
    guard var bubble = bubbles.removeValue(forKey: key) else { return }
    bubble.members.reserveCapacity(bubble.members.count + notices.underestimatedCount)
    homes.reserveCapacity(homes.count + notices.underestimatedCount)
    occurrences.reserveCapacity(occurrences.count + notices.underestimatedCount)
    for notice in notices {
      bubble.members[notice.occurrence] = notice
      homes[notice.occurrence] = key
      occurrences[notice.number, default: []].insert(notice.occurrence)
    }
    bubble.isStale = true
    if bubble.id == nil { bubble.chance = .due }
    bubbles[key] = bubble
  }

  /// Takes one occurrence out of its bubble; the bubble's key.
  mutating func remove(_ occurrence: Int64) -> Int? {
    guard let key = homes.removeValue(forKey: occurrence),
      let notice = bubbles[key]?.members.removeValue(forKey: occurrence)
    else { return nil }
    occurrences[notice.number]?.remove(occurrence)
    if occurrences[notice.number]?.isEmpty == true { occurrences[notice.number] = nil }
    bubbles[key]?.isStale = true
    return key
  }

  mutating func giveChance(_ which: (Chance) -> Bool) {
    for (key, bubble) in bubbles where which(bubble.chance) { bubbles[key]?.chance = .due }
  }
}
