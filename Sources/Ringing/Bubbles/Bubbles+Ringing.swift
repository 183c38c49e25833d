import EggTime

extension Bubbles {
  mutating func show(_ notices: [Notice], joins: Bool, _ effects: inout [BubbleEffect]) {
    if case .present = server { retryFailed(&effects) }
    var members: [BubbleMember] = []
    members.reserveCapacity(notices.count)
    // Alarms that ring again. The place on the screen of a bubble that only had such is taken over.
    var places: [Int64: Int] = [:]
    // The end of a snooze and a new occurrence of one alarm can come together.
    var among: [Int64: Int] = [:]
    if notices.count > 1 { among.reserveCapacity(notices.count) }
    for notice in served(notices) {
      if notices.count > 1, let index = among.updateValue(members.count, forKey: notice.number) {
        members[index].ring(notice)
        among[notice.number] = index
        continue
      }
      guard let known = take(notice.number) else {
        members.append(BubbleMember(notice, hasRung: true))
        continue
      }
      var member = known.member
      member.ring(notice)
      members.append(member)
      if bubbles[known.key]?.members.isEmpty == true { places[notice.number] = known.key }
    }
    if joins, let catchUp, bubbles[catchUp]?.members.isEmpty == false {
      add(members, to: catchUp)
      if bubbles[catchUp]?.id == nil { change(catchUp) { $0.chance = .due } }
    } else if members.count > Self.separateLimit || joins {
      let first = members.lazy.compactMap { places[$0.notice.number] }.first
      catchUp = ring(members, in: first)
    } else {
      for member in members { ring([member], in: places[member.notice.number]) }
    }
    for key in places.values.sorted() where bubbles[key]?.members.isEmpty == true { discard(key, &effects) }
  }

  /// The same, where nobody has the server's name, with that.
  private func served(_ notices: [Notice]) -> [Notice] {
    if case .present = server { return notices }
    return notices.map { notice in
      var copy = notice
      copy.lacksServer = true
      return copy
    }
  }

  /// Shows alarms that ring now: in the given empty bubble, otherwise in a new one or the shared one.
  @discardableResult
  private mutating func ring(_ members: [BubbleMember], in place: Int?) -> Int {
    let key = place ?? home()
    add(members, to: key)
    change(key) { bubble in
      if place != nil { bubble.firstShown = nil }
      bubble.makesSound = true
      bubble.chance = .due
    }
    return key
  }

  mutating func end(_ occurrences: some Sequence<Int64>, _ effects: inout [BubbleEffect]) {
    for occurrence in occurrences {
      if let key = remove(occurrence: occurrence) { discard(key, &effects) }
    }
  }

  /// Closes a bubble whose last occurrence has ended. If its Notify is unanswered, the answer closes it.
  private mutating func discard(_ key: Int, _ effects: inout [BubbleEffect]) {
    guard let bubble = drop(key), bubble.call == nil else { return }
    if let id = bubble.id { effects.append(.close(id)) }
    if let previous = bubble.previous { leave(previous, &effects) }
  }

  /// Tries again every bubble that failed.
  mutating func retry() {
    for key in keys(where: { $0.chance == .failed }) { change(key) { $0.chance = .due } }
  }

  /// A server that refused some takes them with the next ring, as one where they are many.
  private mutating func retryFailed(_ effects: inout [BubbleEffect]) {
    let again = keys { $0.chance == .failed && $0.id == nil }
    retry()
    if again.count > Self.separateLimit { merge(again, &effects) }
  }

  /// Shows a new server what rings: as one bubble if there are more than five, without those it shows already.
  mutating func shareFresh(_ effects: inout [BubbleEffect]) {
    let fresh = keys { $0.call == nil && $0.id == nil && $0.previous == nil && $0.chance == .due }
    if fresh.count > Self.separateLimit { merge(fresh, &effects) }
  }

  /// Joins bubbles. The largest takes in the others.
  @discardableResult
  mutating func merge(_ keys: [Int], _ effects: inout [BubbleEffect]) -> Int? {
    func count(_ key: Int) -> Int { bubbles[key]?.members.count ?? 0 }
    guard let home = keys.max(by: { count($0) < count($1) }) else { return nil }
    for key in keys where key != home {
      let (wasCatchUp, wasRest) = (catchUp == key, rest == key)
      guard let bubble = drop(key) else { continue }
      add(bubble.members.values.map { bubble.told($0) }, to: home)
      change(home) { into in
        into.makesSound = into.makesSound || bubble.makesSound
        if bubble.firstShown == nil { into.firstShown = nil }
      }
      // An unanswered one is closed by its answer.
      if bubble.call == nil, let id = bubble.id { effects.append(.close(id)) }
      if let previous = bubble.previous { leave(previous, &effects) }
      if wasCatchUp { catchUp = home }
      if wasRest { rest = home }
    }
    return home
  }

  mutating func closed(
    _ id: UInt32, byPerson: Bool, _ sender: String, _ now: Instant, _ effects: inout [BubbleEffect]
  ) {
    guard server == .present(sender), let key = key(showing: id) else { return }
    if byPerson {
      let (notices, _) = forget(key)
      if !notices.isEmpty { effects.append(.report(.chosen(.dismiss, notices))) }
    } else {
      removed(key, now)
    }
  }

  /// The server removed a bubble, but not for the person: it merged it with another, has room for a few, or lets bubbles
  /// expire. The newest bubble takes it in, so each removal leaves one bubble fewer. The last one is shown again, at once
  /// unless the server removes it as fast as it comes.
  private mutating func removed(_ key: Int, _ now: Instant) {
    change(key) { $0.id = nil }
    guard let bubble = bubbles[key], bubble.call == nil else { return }
    let screen = bubbles.filter { $0.key != key && ($0.value.id != nil || $0.value.call != nil) }.keys
    guard let newest = screen.max() else {
      let isLasting = bubble.answeredAt.map { now - $0 >= Self.lastingTime } ?? true
      return change(key) { $0.chance = isLasting || !$0.unsent.isEmpty ? .due : .failed }
    }
    drop(key)
    add(bubble.members.values.map { bubble.told($0, by: now) }, to: newest)
  }

  /// A choice ends the bubble. Some servers leave it on the screen.
  mutating func chosen(_ id: UInt32, _ action: String, _ sender: String, _ effects: inout [BubbleEffect]) {
    guard server == .present(sender), let key = key(showing: id), let choice = BubbleChoice(action: action)
    else { return }
    let (notices, isReplaced) = forget(key)
    // One that is being replaced shows others by the time it would be closed.
    if !isReplaced { effects.append(.close(id)) }
    if !notices.isEmpty { effects.append(.report(.chosen(choice, notices))) }
  }

  /// Takes back an answer that could not be stored: shows the rings again, except those that a later one has replaced.
  mutating func giveBack(_ notices: [Notice], _ effects: inout [BubbleEffect]) {
    let homeless = notices.filter { homes[$0.number] == nil }
    for notice in notices { addToHome(notice) }
    show(homeless, joins: false, &effects)
  }

  /// Ends the alarms that the text on the screen names. Nobody has seen the others: they keep the bubble, and it is shown
  /// again.
  ///
  /// - Returns: The ended rings, by number, and whether a Notify for the others is under way.
  private mutating func forget(_ key: Int) -> (notices: [Notice], isReplaced: Bool) {
    guard let bubble = bubbles[key] else { return ([], false) }
    let named = bubble.call.flatMap { calls[$0]?.named } ?? []
    let unseen = bubble.unsent.union(named).filter { bubble.members[$0] != nil }
    if let call = bubble.call { calls[call]?.onScreen = nil }
    guard !unseen.isEmpty else {
      drop(key)
      return (bubble.rings { _ in true }, false)
    }
    let seen = bubble.rings { !unseen.contains($0) }
    for number in Set(seen.map(\.number)) { _ = take(number) }
    change(key) { bubble in
      bubble.id = nil
      bubble.isStale = true
      bubble.chance = .due
    }
    return (seen, bubble.call != nil)
  }
}
