import EggTime

/// Which bubble each alarm is in. Only the functions here change the indexes.
extension Bubbles {
  mutating func change(_ key: Int, _ body: (inout Bubble) -> Void) {
    guard let place = bubbles.index(forKey: key) else { return }
    body(&bubbles.values[place])
  }

  /// The bubble with that id of the present server.
  func key(showing id: UInt32) -> Int? { bubbles.first { $0.value.id == id }?.key }

  /// The oldest first.
  func keys(where isMeant: (Bubble) -> Bool) -> [Int] {
    bubbles.keys.filter { bubbles[$0].map(isMeant) == true }.sorted()
  }

  /// A new bubble, empty and due.
  mutating func open() -> Int {
    lastKey += 1
    bubbles[lastKey] = Bubble()
    return lastKey
  }

  /// Whether another alarm may have a bubble of its own.
  private var hasRoom: Bool { ownCount < mostOwn && calls.count < Self.unansweredLimit }

  /// How many bubbles there may be besides the one that all further alarms share.
  var mostOwn: Int { habits.sharesOne ? 0 : Self.ownLimit }

  /// The number of bubbles, without the one that all further alarms share.
  var ownCount: Int { bubbles.count - (rest == nil ? 0 : 1) }

  /// A new bubble if there is room, otherwise the one that all further alarms share.
  mutating func home() -> Int {
    if hasRoom { return open() }
    let key = rest ?? open()
    rest = key
    return key
  }

  @discardableResult
  mutating func drop(_ key: Int) -> Bubble? {
    guard let bubble = bubbles.removeValue(forKey: key) else { return nil }
    for member in bubble.members.values { forget(member) }
    if catchUp == key { catchUp = nil }
    if rest == key { rest = nil }
    return bubble
  }

  private mutating func forget(_ member: BubbleMember) {
    homes[member.notice.number] = nil
    for occurrence in member.occurrences { owners[occurrence] = nil }
  }

  /// Puts alarms without a bubble into this one. `isNamed`: the text on the screen already names them.
  mutating func add(_ members: [BubbleMember], to key: Int, isNamed: Bool = false) {
    guard bubbles[key] != nil else { return }
    if members.count > 1 {
      homes.reserveCapacity(homes.count + members.count)
      owners.reserveCapacity(owners.count + members.count)
    }
    for member in members {
      homes[member.notice.number] = key
      for occurrence in member.occurrences { owners[occurrence] = member.notice.number }
    }
    change(key) { bubble in
      for member in members {
        bubble.members[member.notice.number] = member
        if !isNamed { bubble.unsent.insert(member.notice.number) }
      }
      bubble.isStale = true
    }
    for notice in members.map(\.notice) { insist(on: key, as: notice.card.insist, from: notice.ring.firedAt) }
  }

  /// Takes an alarm out of its bubble, which may leave the bubble empty.
  mutating func take(_ number: Int64) -> (member: BubbleMember, key: Int)? {
    guard let key = homes[number], let member = remove(number, from: key) else { return nil }
    forget(member)
    return (member, key)
  }

  /// Leaves the indexes of alarms and occurrences as they are.
  private mutating func remove(_ number: Int64, from key: Int) -> BubbleMember? {
    var member: BubbleMember?
    change(key) { bubble in
      member = bubble.members.removeValue(forKey: number)
      bubble.unsent.remove(number)
      bubble.isStale = true
    }
    return member
  }

  /// Some occurrences of an alarm no longer ring.
  ///
  /// - Returns: The bubble, if it is empty now.
  mutating func remove(occurrence: Int64) -> Int? {
    guard let number = owners.removeValue(forKey: occurrence), let key = homes[number],
      var member = bubbles[key]?.members[number]
    else { return nil }
    let last = member.notice.ring
    if member.remove(occurrence) {
      change(key) { bubble in
        bubble.members[number] = member
        if member.notice.ring != last { bubble.isStale = true }
      }
      return nil
    }
    homes[number] = nil
    _ = remove(number, from: key)
    return bubbles[key]?.members.isEmpty == true ? key : nil
  }

  /// Another occurrence of an alarm that has a bubble rings too, since before this start.
  mutating func addToHome(_ notice: Notice) {
    let number = notice.number
    guard let key = homes[number], var member = bubbles[key]?.members[number], !member.hasReplaced(notice)
    else {
      return
    }
    let last = member.notice.ring
    member.add(notice)
    owners[notice.occurrence] = number
    change(key) { bubble in
      bubble.members[number] = member
      guard member.notice.ring != last else { return }
      bubble.unsent.insert(number)
      bubble.isStale = true
    }
  }

  /// Its bubble says why a command did not start.
  ///
  /// - Returns: Whether there is such a bubble.
  mutating func hookFailed(_ ring: RingID, _ problem: String) -> Bool {
    guard let number = owners[ring.occurrence], let key = homes[number],
      var member = bubbles[key]?.members[number], member.failed(ring, problem)
    else { return false }
    change(key) { bubble in
      bubble.members[number] = member
      bubble.isStale = true
    }
    return true
  }

  /// An alarm was edited: its bubble follows, without a sound, and repeats as it now says.
  ///
  /// - Returns: Whether a bubble says something else of it.
  mutating func edit(_ number: Int64, _ card: AlarmCard, _ now: Instant) -> Bool {
    guard let key = homes[number], var member = bubbles[key]?.members[number],
      member.notice.card != card
    else { return false }
    let insisted = member.notice.card.insist
    let said = content(of: key, now)
    member.take(card)
    change(key) { $0.members[number] = member }
    let isStale = content(of: key, now) != said
    change(key) { $0.isStale = $0.isStale || isStale }
    if card.insist != insisted { insist(on: key, as: card.insist, from: now) }
    return true
  }

  /// What of that alarm is not among these; nil for nothing.
  func ended(of number: Int64, but ringing: [Int64]) -> [Int64]? {
    guard let key = homes[number], let member = bubbles[key]?.members[number] else { return nil }
    let ended = member.occurrences.filter { !ringing.contains($0) }
    return ended.isEmpty ? nil : ended
  }
}
