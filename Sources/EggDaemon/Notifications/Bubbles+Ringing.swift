import EggTime

extension Bubbles {
  mutating func show(_ notices: [Notice], joins: Bool) {
    // The end of a snooze rings the same occurrence again, maybe before its old bubble was closed.
    let known = notices.filter { homes[$0.occurrence] != nil }
    for notice in known {
      guard let key = remove(notice.occurrence) else { continue }
      if let bubble = bubbles[key], bubble.members.isEmpty, bubble.call == nil {
        bubbles[key] = nil
        // Its place on the screen is taken over.
        if let id = bubble.id, case .present(let owner) = server {
          open([notice], previous: Notice.ShownBubble(id: id, server: owner))
        }
      }
    }
    let fresh = known.isEmpty ? notices : notices.filter { homes[$0.occurrence] == nil }
    if case .present = server { retryFailed() }
    if joins, let catchUp, let bubble = bubbles[catchUp], !bubble.members.isEmpty {
      add(fresh, to: catchUp)
    } else if fresh.count > Self.separateLimit || joins {
      catchUp = open(fresh)
    } else {
      for notice in fresh { open([notice]) }
    }
  }

  mutating func restore(_ notices: [Notice]) {
    let fresh = notices.filter { homes[$0.occurrence] == nil }
    let known = Dictionary(grouping: fresh.filter { $0.shown != nil }) { $0.shown }
    for (shown, members) in known.sorted(by: { Self.isOlder($0.value, $1.value) }) {
      forgetPrevious(open(members, previous: shown, wasShown: true))
    }
    let unknown = fresh.filter { $0.shown == nil }
    if unknown.count > Self.separateLimit { open(unknown) } else { for notice in unknown { open([notice]) } }
    if case .present = server { shareFresh() }
  }

  private static func isOlder(_ a: [Notice], _ b: [Notice]) -> Bool {
    (a.first?.occurrence ?? 0) < (b.first?.occurrence ?? 0)
  }

  mutating func end(_ occurrences: some Sequence<Int64>, _ effects: inout [BubbleEffect]) {
    for occurrence in occurrences {
      guard let key = remove(occurrence), let bubble = bubbles[key], bubble.members.isEmpty else { continue }
      discard(key, bubble, &effects)
    }
  }

  /// A bubble whose last occurrence has ended. One whose Notify is unanswered is closed by the answer.
  private mutating func discard(_ key: Int, _ bubble: Bubble, _ effects: inout [BubbleEffect]) {
    guard bubble.call == nil else { return }
    bubbles[key] = nil
    if let id = bubble.id { effects.append(.close(id)) }
  }

  /// A server that refused some takes them with the next ring, as one where they are many.
  private mutating func retryFailed() {
    let failed = bubbles.filter { $0.value.chance == .failed && !$0.value.members.isEmpty }
    giveChance { $0 == .failed }
    if failed.count > Self.separateLimit { merge(failed.keys.sorted()) }
  }

  /// What a new server is to show: as one bubble where it is more than five, but for those it shows already.
  mutating func shareFresh() {
    let fresh = bubbles.filter {
      $0.value.call == nil && $0.value.id == nil && $0.value.previous == nil && $0.value.chance == .due
        && !$0.value.members.isEmpty
    }
    if fresh.count > Self.separateLimit { merge(fresh.keys.sorted()) }
  }

  /// Makes one bubble of many that are not on the screen.
  mutating func merge(_ keys: [Int]) {
    guard let home = keys.first, keys.count > 1 else { return }
    var wasShown = true
    for key in keys {
      guard let bubble = bubbles[key] else { continue }
      wasShown = wasShown && bubble.wasShown
      guard key != home else { continue }
      bubbles[key] = nil
      add(bubble.members.values, to: home)
      if catchUp == key { catchUp = home }
    }
    bubbles[home]?.wasShown = wasShown
    bubbles[home]?.previous = nil
  }

  mutating func closed(_ id: UInt32, byPerson: Bool, _ sender: String, _ effects: inout [BubbleEffect]) {
    guard let key = find(id, sender) else { return }
    if byPerson {
      let numbers = forget(key)
      effects.append(.report(.dismiss(numbers: numbers)))
    } else {
      bubbles[key]?.id = nil
      bubbles[key]?.chance = .seen
    }
  }

  /// A choice ends the bubble, whatever the server makes of it: some leave it on the screen.
  mutating func chosen(_ id: UInt32, _ action: String, _ sender: String, _ effects: inout [BubbleEffect]) {
    guard let key = find(id, sender), let action = BubbleChoice(rawValue: action) else { return }
    let numbers = forget(key)
    effects.append(.close(id))
    switch action {
    case .dismiss: effects.append(.report(.dismiss(numbers: numbers)))
    case .snooze: effects.append(.report(.snooze(numbers: numbers)))
    case .again: effects.append(.report(.again(numbers: numbers)))
    }
  }

  private func find(_ id: UInt32, _ sender: String) -> Int? {
    guard server == .present(sender) else { return nil }
    return bubbles.first { $0.value.id == id }?.key
  }

  /// Ends all of a bubble's occurrences; their alarms' numbers, ascending.
  private mutating func forget(_ key: Int) -> [Int64] {
    let members = bubbles[key]?.members ?? [:]
    for occurrence in members.keys { _ = remove(occurrence) }
    bubbles[key]?.id = nil
    if bubbles[key]?.call == nil { bubbles[key] = nil }
    return Set(members.values.map(\.number)).sorted()
  }
}
