extension Bubbles {
  /// Alarms that rang before this start arrive in slices, while others ring.
  struct Restoring {
    /// More slices will come. Restored bubbles wait for the last one, so that each text is sent once.
    var isOn = false
    /// By what they were on the screen.
    var known: [Notice.ShownBubble: Int] = [:]
    /// Alarms that no server shows.
    var unshown: Int?
    /// Bubbles in which perhaps nothing rings any more.
    var left: Set<Notice.ShownBubble> = []
  }

  mutating func restore(_ notices: [Notice], _ effects: inout [BubbleEffect]) {
    restoring.isOn = true
    for notice in notices where owners[notice.occurrence] == nil { restore(notice, &effects) }
  }

  private mutating func restore(_ notice: Notice, _ effects: inout [BubbleEffect]) {
    let shown = notice.shown.flatMap { server == .unreachable || server == .present($0.server) ? $0 : nil }
    if homes[notice.number] != nil {
      // The alarm has rung since and has a bubble.
      addToHome(notice)
      if let shown { restoring.left.insert(shown) }
    } else if let shown {
      let key = home(of: shown, &effects)
      add([BubbleMember(notice)], to: key, isNamed: bubbles[key]?.reported == shown)
    } else {
      let key = restoring.unshown.flatMap { bubbles[$0] == nil ? nil : $0 } ?? restoredHome()
      restoring.unshown = key
      add([BubbleMember(notice)], to: key)
      if notice.shown == nil { change(key) { $0.makesSound = true } }
    }
  }

  /// The bubble of those that were in that one.
  private mutating func home(of shown: Notice.ShownBubble, _ effects: inout [BubbleEffect]) -> Int {
    if let key = restoring.known[shown], bubbles[key] != nil { return key }
    let isFull = ownCount >= mostOwn
    let key = restoredHome()
    restoring.known[shown] = key
    if isFull, bubbles[key]?.members.isEmpty == false {
      // At once, not many with the last slice.
      if server == .unreachable { restoring.left.insert(shown) } else { effects.append(.close(shown.id)) }
    } else {
      change(key) { ($0.previous, $0.reported) = (shown, shown) }
    }
    return key
  }

  /// A bubble that waits for all slices; where there are too many, that of all the rest.
  private mutating func restoredHome() -> Int {
    let isFull = ownCount >= mostOwn
    if isFull, let rest { return rest }
    let key = open()
    if isFull { rest = key }
    change(key) { ($0.chance, $0.makesSound) = (.restored, false) }
    return key
  }

  /// By now it is known that no server shows these.
  mutating func gatherUnshown(_ effects: inout [BubbleEffect]) {
    let unshown = bubbles.filter { $0.value.chance == .restored && $0.value.previous == nil }
    restoring.unshown = merge(unshown.keys.sorted(), &effects)
  }

  mutating func endRestoring(_ effects: inout [BubbleEffect]) {
    restoring.isOn = false
    restoring.known = [:]
    separateFew()
    for key in bubbles.keys where bubbles[key]?.chance == .restored { change(key) { $0.chance = .due } }
    closeLeft(&effects)
    if case .present = server { shareFresh(&effects) }
  }

  /// As many as ring at once without sharing a bubble.
  private mutating func separateFew() {
    guard let key = restoring.unshown else { return }
    restoring.unshown = nil
    guard let bubble = bubbles[key], bubble.chance == .restored, bubble.members.count <= Self.separateLimit,
      ownCount - (key == rest ? 0 : 1) + bubble.members.count <= mostOwn
    else { return }
    drop(key)
    for member in bubble.members.all.sorted(by: { $0.notice.occurrence < $1.notice.occurrence }) {
      let key = open()
      add([member], to: key)
      change(key) { $0.makesSound = member.notice.shown == nil }
    }
  }

  /// A bubble of an earlier eggd that is not taken over.
  mutating func leave(_ shown: Notice.ShownBubble, _ effects: inout [BubbleEffect]) {
    restoring.left.insert(shown)
    if !restoring.isOn { closeLeft(&effects) }
  }

  /// Closes the bubbles that hold no other alarm.
  mutating func closeLeft(_ effects: inout [BubbleEffect]) {
    guard server != .unreachable, !restoring.left.isEmpty else { return }
    let taken = Set(bubbles.values.compactMap(\.previous))
    for left in restoring.left.subtracting(taken).sorted(by: { $0.id < $1.id })
    where server == .present(left.server) && shown[left.id] == nil {
      effects.append(.close(left.id))
    }
    restoring.left = []
  }
}
