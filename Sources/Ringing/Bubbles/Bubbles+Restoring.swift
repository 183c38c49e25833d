extension Bubbles {
  /// Alarms that rang before this start. Those that shared a bubble share one again.
  mutating func restore(_ notices: [Notice], _ effects: inout [BubbleEffect]) {
    let lastKey = lastKey
    var known: [Notice.ShownBubble: Int] = [:]
    // Of alarms that no server shows.
    var unshown: Int?
    for notice in notices where owners[notice.occurrence] == nil {
      let shown = notice.shown.flatMap { server == .unreachable || server == .present($0.server) ? $0 : nil }
      if homes[notice.number] != nil {
        // The alarm has rung since and has a bubble.
        addToHome(notice)
        if let shown { left.insert(shown) }
      } else if let shown {
        let key = known[shown] ?? home(of: shown, &effects)
        known[shown] = key
        add([BubbleMember(notice)], to: key, isNamed: bubbles[key]?.reported == shown)
      } else {
        let key = unshown ?? restoredHome()
        unshown = key
        add([BubbleMember(notice)], to: key)
        if notice.shown == nil { change(key) { $0.makesSound = true } }
      }
    }
    if let unshown, unshown > lastKey { separateFew(of: unshown) }
    closeLeft(&effects)
    if case .present = server { shareFresh(&effects) }
  }

  /// The bubble of those that were in that one.
  private mutating func home(of shown: Notice.ShownBubble, _ effects: inout [BubbleEffect]) -> Int {
    let isFull = ownCount >= mostOwn
    let key = restoredHome()
    if isFull, bubbles[key]?.members.isEmpty == false {
      if server == .unreachable { left.insert(shown) } else { effects.append(.close(shown.id)) }
    } else {
      change(key) { ($0.previous, $0.reported) = (shown, shown) }
    }
    return key
  }

  /// A new bubble; where there are too many, that of all the rest.
  private mutating func restoredHome() -> Int {
    let isFull = ownCount >= mostOwn
    if isFull, let rest { return rest }
    let key = open()
    if isFull { rest = key }
    change(key) { $0.makesSound = false }
    return key
  }

  /// As many as ring at once without sharing a bubble.
  private mutating func separateFew(of key: Int) {
    guard let bubble = bubbles[key], bubble.members.count <= Self.separateLimit,
      ownCount - (key == rest ? 0 : 1) + bubble.members.count <= mostOwn
    else { return }
    drop(key)
    for member in bubble.members.values.sorted(by: { $0.notice.occurrence < $1.notice.occurrence }) {
      let key = open()
      add([member], to: key)
      change(key) { $0.makesSound = member.notice.shown == nil }
    }
  }

  /// A bubble of an earlier eggd that is not taken over.
  mutating func leave(_ shown: Notice.ShownBubble, _ effects: inout [BubbleEffect]) {
    left.insert(shown)
    closeLeft(&effects)
  }

  /// Closes the bubbles that hold no other alarm.
  mutating func closeLeft(_ effects: inout [BubbleEffect]) {
    guard server != .unreachable, !left.isEmpty else { return }
    let taken = Set(bubbles.values.compactMap(\.previous))
    for left in left.subtracting(taken).sorted(by: { $0.id < $1.id })
    where server == .present(left.server) && key(showing: left.id) == nil {
      effects.append(.close(left.id))
    }
    left = []
  }
}
