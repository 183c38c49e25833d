import EggTime

extension Bubbles {
  /// Another server, none, or no bus: what was shown is gone, and what was asked of the old one is not
  /// delivered. Calls that were sent while nobody owned the name reach the new owner: the bus keeps the order.
  mutating func change(to next: Server, _ effects: inout [BubbleEffect]) {
    guard next != server else { return }
    let old = server
    server = next
    readsMarkup = nil
    asksToStart = false
    asksEnvironment = next == .none && asksEnvironment
    for (id, call) in calls where old != .none || next == .unreachable {
      calls[id] = nil
      bubbles[call.bubble]?.call = nil
      bubbles[call.bubble]?.chance = .failed
    }
    for (key, bubble) in bubbles where bubble.call == nil {
      if bubble.members.isEmpty { bubbles[key] = nil } else { leave(key, for: next) }
    }
    if case .present = next {
      effects.append(.askCapabilities(autoStart: false))
      shareFresh()
    }
  }

  private mutating func leave(_ key: Int, for next: Server) {
    if bubbles[key]?.id != nil {
      bubbles[key]?.id = nil
      bubbles[key]?.chance = .seen
    }
    forgetPrevious(key)
    if case .present = next { bubbles[key]?.chance = .due }
  }

  /// Another server than the one that is there now showed it: its id means nothing any more.
  mutating func forgetPrevious(_ key: Int) {
    guard server != .unreachable, let previous = bubbles[key]?.previous else { return }
    if server != .present(previous.server) { bubbles[key]?.previous = nil }
  }

  mutating func answered(
    _ call: UInt64, _ id: UInt32, _ sender: String, _ now: Instant, _ effects: inout [BubbleEffect]
  ) {
    guard let key = calls.removeValue(forKey: call)?.bubble, let bubble = bubbles[key] else {
      // Given up before the name changed hands, and yet taken by the new owner: another one was asked for.
      if server == .present(sender) { effects.append(.close(id)) }
      return
    }
    bubbles[key]?.call = nil
    guard !bubble.members.isEmpty else {
      bubbles[key] = nil
      effects.append(.close(id))
      return
    }
    bubbles[key]?.id = id
    bubbles[key]?.previous = nil
    bubbles[key]?.wasShown = true
    bubbles[key]?.chance = .seen
    let rings = bubble.members.values.map(\.ring).sorted { $0.occurrence < $1.occurrence }
    effects.append(.report(.shown(rings, bubble: id, server: sender, at: now)))
  }

  mutating func failed(_ call: UInt64, _ effects: inout [BubbleEffect]) {
    guard let call = calls.removeValue(forKey: call), let bubble = bubbles[call.bubble] else { return }
    bubbles[call.bubble]?.call = nil
    if bubble.members.isEmpty {
      bubbles[call.bubble] = nil
      if let id = bubble.id { effects.append(.close(id)) }
    } else if bubble.id == nil {
      bubbles[call.bubble]?.chance = .failed
      if !call.autoStart { askEnvironment(&effects) }
    }
  }

  /// Sends what is due, oldest first, while there is room; `autoStart` once the daemon has settled.
  mutating func pump(_ now: Instant, autoStart: Bool, _ effects: inout [BubbleEffect]) {
    guard server != .unreachable else { return }
    var left: [Int] = []
    for (key, bubble) in bubbles.filter(\.value.isReady).sorted(by: { $0.key < $1.key }) {
      guard calls.count < Self.unansweredLimit else {
        if bubble.id == nil, bubble.previous == nil { left.append(key) }
        continue
      }
      send(key, bubble, now, autoStart: autoStart && hasSettled && server == .none, &effects)
    }
    merge(left)
  }

  private mutating func send(
    _ key: Int, _ bubble: Bubble, _ now: Instant, autoStart: Bool, _ effects: inout [BubbleEffect]
  ) {
    var bubble = bubble
    if !bubble.wasShown {
      for (key, notice) in bubble.members where notice.hasWaited(until: now) {
        bubble.members[key]?.wait(until: now)
      }
    }
    var content = self.content(of: bubble)
    if content.needsEscaping {
      switch (server, readsMarkup) {
      case (.present, nil): return
      case (.present, true): content = content.escaped()
      case (.present, false): break
      default:
        // Who will read it is not known before there is a server.
        bubbles[key]?.chance = .failed
        if autoStart { askToStart(&effects) } else { askEnvironment(&effects) }
        return
      }
    }
    let call = nextCall()
    calls[call] = Call(bubble: key, autoStart: autoStart)
    bubble.call = call
    bubble.isStale = false
    bubbles[key] = bubble
    let replaces = bubble.id ?? bubble.previous?.id ?? 0
    effects.append(.notify(call: call, replaces: replaces, autoStart: autoStart, content))
  }

  private func content(of bubble: Bubble) -> BubbleContent {
    let makesSound = !bubble.wasShown
    guard bubble.members.count == 1, let notice = bubble.members.values.first else {
      return wording.content(ofMany: bubble.members.values, makesSound: makesSound)
    }
    return wording.content(of: notice, makesSound: makesSound)
  }

  private mutating func askToStart(_ effects: inout [BubbleEffect]) {
    guard !asksToStart else { return }
    asksToStart = true
    effects.append(.askCapabilities(autoStart: true))
  }

  /// Nobody there, something kept, and no display of our own: the user manager may know of one by now.
  private mutating func askEnvironment(_ effects: inout [BubbleEffect]) {
    guard server == .none, hasSettled, !ownDisplay, !asksEnvironment else { return }
    asksEnvironment = true
    effects.append(.askEnvironment)
  }
}

extension Notice {
  /// Shown for the first time, so late is what it is now. A clock set back makes nothing early.
  fileprivate mutating func wait(until now: Instant) {
    if reason == nil { reason = .noServer }
    lateness = now - dueAt
  }

  fileprivate func hasWaited(until now: Instant) -> Bool {
    let waited = now - dueAt
    return waited > lateness && waited > .seconds(1)
  }
}
