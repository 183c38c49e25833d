import EggTime

extension Bubbles {
  /// The server changed or went away: its bubbles are gone, and its unanswered calls are lost. Calls that were sent while
  /// nobody owned the name reach the new owner, because the bus keeps the order.
  mutating func change(to next: Server, _ effects: inout [BubbleEffect]) {
    guard next != server else { return }
    let old = server
    server = next
    readsMarkup = nil
    habits = ServerHabits()
    asksToStart = false
    asksEnvironment = next == .none && asksEnvironment
    for (id, call) in calls where old != .none || next == .unreachable {
      calls[id] = nil
      // Its answer would have closed it.
      if case .present(let name) = old, let shown = call.onScreen, bubbles[call.bubble] == nil {
        left.insert(Notice.ShownBubble(id: shown, server: name))
      }
      giveUp(call)
    }
    for key in bubbles.keys where bubbles[key]?.call == nil { leave(key, for: next) }
    closeLeft(&effects)
    if case .present = next {
      effects.append(.askCapabilities(autoStart: false))
      shareFresh(&effects)
    }
  }

  private mutating func leave(_ key: Int, for next: Server) {
    change(key) { bubble in
      if bubble.id != nil {
        // It may be there still when the bus is back.
        if next == .unreachable { bubble.previous = bubble.reported }
        bubble.id = nil
        bubble.chance = .seen
      }
      // Another server than the one that is there now showed it: its id means nothing any more.
      if next != .unreachable, let previous = bubble.previous, next != .present(previous.server) {
        bubble.previous = nil
      }
      if case .present = next { bubble.chance = .due }
    }
  }

  /// It is not delivered.
  private mutating func giveUp(_ call: Call) {
    change(call.bubble) { bubble in
      bubble.call = nil
      bubble.chance = .failed
      bubble.isStale = true
      bubble.makesSound = bubble.makesSound || call.makesSound
      for number in call.named where bubble.members[number] != nil { bubble.unsent.insert(number) }
    }
  }

  mutating func answered(
    _ call: UInt64, _ id: UInt32, _ sender: String, _ now: Instant, _ effects: inout [BubbleEffect]
  ) {
    guard let call = calls.removeValue(forKey: call), let bubble = bubbles[call.bubble] else {
      // Its alarms have ended, or the call was given up before the name changed hands and the new owner took it anyway;
      // another one was asked for.
      if server == .present(sender) { effects.append(.close(id)) }
      return
    }
    let place = Notice.ShownBubble(id: id, server: sender)
    // For a bubble that was reported before, only the alarms that have joined it since.
    var rings: [RingID] = []
    func report(_ number: Int64) {
      guard !bubble.unsent.contains(number), let member = bubble.members[number] else { return }
      member.appendRings(to: &rings)
    }
    if bubble.reported == place {
      call.named.forEach(report)
    } else {
      rings.reserveCapacity(bubble.members.count)
      bubble.members.keys.forEach(report)
    }
    rings.sort { $0.occurrence < $1.occurrence }
    if let other = key(showing: id), other != call.bubble { change(other) { $0.id = nil } }
    change(call.bubble) { bubble in
      bubble.call = nil
      bubble.id = id
      bubble.previous = nil
      bubble.reported = place
      bubble.answeredAt = now
      bubble.firstShown = bubble.firstShown ?? call.sentAt
      bubble.chance = .seen
    }
    if !rings.isEmpty { effects.append(.report(.shown(rings, bubble: id, server: sender, at: now))) }
  }

  mutating func failed(_ call: UInt64, _ effects: inout [BubbleEffect]) {
    guard let call = calls.removeValue(forKey: call) else { return }
    guard let bubble = bubbles[call.bubble] else {
      if let id = call.onScreen { effects.append(.close(id)) }
      return
    }
    giveUp(call)
    if bubble.id == nil, !call.autoStart { askEnvironment(&effects) }
  }

  /// Sends due bubbles, oldest first, while there is room. Uses `autoStart` once eggd has settled.
  mutating func pump(_ now: Instant, autoStart: Bool, _ effects: inout [BubbleEffect]) {
    guard server != .unreachable else { return }
    for key in keys(where: \.isReady) {
      guard calls.count < Self.unansweredLimit else { return }
      send(key, now, autoStart: autoStart && hasSettled && server == .none, &effects)
    }
  }

  private mutating func send(
    _ key: Int, _ now: Instant, autoStart: Bool, _ effects: inout [BubbleEffect]
  ) {
    guard var content = content(of: key, now) else { return }
    if content.needsEscaping {
      switch (server, readsMarkup) {
      case (.present, nil): return
      case (.present, true): content = content.escaped()
      case (.present, false): break
      default:
        // Without a server it is unknown whether markup will be read.
        change(key) { $0.chance = .failed }
        if autoStart { askToStart(&effects) } else { askEnvironment(&effects) }
        return
      }
    }
    // Without a server, what was shown before is replaced by none.
    if case .present = server, readsMarkup == nil, bubbles[key]?.replaced != nil { return }
    if habits.losesButtons { close(key, &effects) }
    guard let bubble = bubbles[key] else { return }
    if hasTwin(key, content, now), let first = bubble.members.earliest(1).first {
      content.appName += " #\(first.number)"
    }
    lastCall += 1
    let call = lastCall
    let restored = bubble.previous.flatMap { server == .present($0.server) ? $0.id : nil }
    calls[call] = Call(
      bubble: key, autoStart: autoStart, sentAt: now, named: bubble.unsent, makesSound: bubble.makesSound,
      onScreen: bubble.id ?? restored)
    let replaces = bubble.replaced ?? 0
    change(key) { bubble in
      bubble.unsent = []
      bubble.makesSound = false
      bubble.sent = content
      bubble.call = call
      bubble.isStale = false
    }
    effects.append(.notify(call: call, replaces: replaces, autoStart: autoStart, content))
  }

  /// Takes the bubble from the screen, where it is to be shown as a new one.
  private mutating func close(_ key: Int, _ effects: inout [BubbleEffect]) {
    guard let id = bubbles[key]?.replaced else { return }
    change(key) { ($0.id, $0.previous) = (nil, nil) }
    effects.append(.close(id))
  }

  /// What is known of the present server. Where it hides the newest bubbles, all become one.
  mutating func take(_ capabilities: [String]?, _ habits: ServerHabits, _ effects: inout [BubbleEffect]) {
    asksToStart = false
    guard case .present = server else { return }
    readsMarkup = capabilities?.contains("body-markup") ?? false
    self.habits = habits
    if habits.sharesOne { rest = merge(bubbles.keys.sorted(), &effects) }
  }

  func content(of key: Int, _ now: Instant) -> BubbleContent? {
    guard let bubble = bubbles[key], !bubble.members.isEmpty else { return nil }
    let sent = bubble.firstShown ?? now
    if let notice = bubble.members.only {
      return wording.content(of: notice.shown(at: sent), makesSound: bubble.makesSound, at: now)
    }
    let named = habits.sharesOne ? NoticeWording.namedLimitOfAll : NoticeWording.namedLimit
    let first = bubble.members.earliest(named).map { $0.shown(at: sent) }
    return wording.content(
      ofMany: bubble.members.count, first: first, makesSound: bubble.makesSound,
      sound: first.first.flatMap { bubble.members.sound(first: $0.card) }, at: now)
  }

  /// Whether an older bubble on the screen reads the same.
  private func hasTwin(_ key: Int, _ content: BubbleContent, _ now: Instant) -> Bool {
    for (other, bubble) in bubbles where other != key {
      var text: BubbleContent?
      if bubble.id != nil || bubble.call != nil {
        text = bubble.sent
      } else if bubble.previous != nil, other < key {
        // From before this start; its text is yet to be sent.
        text = self.content(of: other, now)
        if readsMarkup == true { text = text?.escaped() }
      }
      if text?.readsAs(content) == true { return true }
    }
    return false
  }

  private mutating func askToStart(_ effects: inout [BubbleEffect]) {
    guard !asksToStart else { return }
    asksToStart = true
    effects.append(.askCapabilities(autoStart: true))
  }

  /// Nothing can be shown and eggd knows no display; the user manager may know one by now.
  private mutating func askEnvironment(_ effects: inout [BubbleEffect]) {
    guard server == .none, hasSettled, !ownDisplay, !asksEnvironment else { return }
    asksEnvironment = true
    effects.append(.askEnvironment)
  }
}

/// What notification servers do differently and do not tell, by the names that they give themselves.
package struct ServerHabits: Hashable, Sendable {
  /// A bubble on the screen loses its buttons when another text replaces its own (GNOME Shell 43).
  package var losesButtons: Bool
  /// All alarms share one bubble, because older ones hide newer ones: GNOME Shell 43 shows one at a time, Plasma 5.27 as
  /// many as there is room for.
  package var sharesOne: Bool

  package init(of server: String = "") {
    losesButtons = server == "gnome-shell"
    sharesOne = ["gnome-shell", "Plasma"].contains(server)
  }
}
