import Alarms
import EggTime

/// The ringing occurrences of one alarm. They share one bubble, maybe with other alarms.
struct BubbleMember {
  private(set) var notice: Notice
  /// Its other ringing occurrences: a snooze can end after a later occurrence has rung.
  private(set) var earlier: [Notice] = []
  /// Rang since this start.
  private var hasRung: Bool

  init(_ notice: Notice, hasRung: Bool = false) { (self.notice, self.hasRung) = (notice, hasRung) }

  var occurrences: [Int64] { earlier.isEmpty ? [notice.occurrence] : all.map(\.occurrence) }

  func appendRings(to rings: inout [RingID]) {
    rings.append(notice.ring)
    for other in earlier { rings.append(other.ring) }
  }

  /// Its latest ring first.
  var all: [Notice] { [notice] + earlier }

  /// The alarm rings again. A new occurrence replaces those before it, as in the store.
  mutating func ring(_ next: Notice) {
    earlier = all.filter {
      $0.occurrence != next.occurrence && (next.endsSnooze || $0.occurrence > next.occurrence)
    }
    notice = next
    hasRung = true
  }

  /// Whether a new occurrence has replaced that one, which may not be stored yet.
  func hasReplaced(_ other: Notice) -> Bool {
    hasRung && !notice.endsSnooze && other.occurrence < notice.occurrence
  }

  /// The same, with what a bubble that was removed said of it: how late it was when it was shown.
  ///
  /// - Parameter place: The bubble; nil if its text did not name this alarm.
  func shown(since moment: Instant, as place: Notice.ShownBubble?) -> BubbleMember {
    var copy = self
    guard let place else { return copy }
    copy.notice = notice.shown(at: moment)
    copy.notice.shown = place
    return copy
  }

  /// A command of that ring did not start.
  ///
  /// - Returns: Whether its bubble says so.
  mutating func failed(_ ring: RingID, _ problem: String) -> Bool {
    guard notice.ring == ring else { return false }
    notice.hookProblem = problem
    return true
  }

  mutating func take(_ card: AlarmCard) {
    notice.card = card
    for index in earlier.indices { earlier[index].card = card }
  }

  mutating func add(_ other: Notice) { keep(all.filter { $0.occurrence != other.occurrence } + [other]) }

  /// - Returns: Whether something of it still rings.
  mutating func remove(_ occurrence: Int64) -> Bool {
    let rest = all.filter { $0.occurrence != occurrence }
    if !rest.isEmpty { keep(rest) }
    return !rest.isEmpty
  }

  private mutating func keep(_ notices: [Notice]) {
    let sorted = notices.sorted { ($0.ring.firedAt, $0.occurrence) > ($1.ring.firedAt, $1.occurrence) }
    notice = sorted[0]
    earlier = Array(sorted[1...])
  }
}

/// The alarms of one bubble, by number, and the first by due moment. Adding or removing one costs the same however many
/// there are.
struct BubbleMembers {
  private var members: [Int64: BubbleMember] = [:]
  /// Places of members, and of some that are gone; nil until it is asked for.
  private var order: DueOrder?

  var count: Int { members.count }
  var isEmpty: Bool { members.isEmpty }
  var numbers: Dictionary<Int64, BubbleMember>.Keys { members.keys }
  var all: Dictionary<Int64, BubbleMember>.Values { members.values }

  /// The alarm of a bubble that has no other.
  var only: Notice? { members.count == 1 ? members.first?.value.notice : nil }

  subscript(number: Int64) -> BubbleMember? { members[number] }

  mutating func reserve(_ more: Int) { members.reserveCapacity(members.count + more) }

  mutating func set(_ member: BubbleMember) {
    members[member.notice.number] = member
    order?.insert(DueOrder.Place(member.notice))
  }

  mutating func remove(_ number: Int64) -> BubbleMember? { members.removeValue(forKey: number) }

  /// The first ones by due moment, then occurrence.
  mutating func first(_ count: Int) -> [Notice] {
    var order = self.order ?? DueOrder(members.values.lazy.map(\.notice))
    self.order = nil
    if order.count > 2 * members.count + 64 { order = DueOrder(members.values.lazy.map(\.notice)) }
    var found: [Notice] = []
    while found.count < count, let place = order.removeFirst() {
      guard let notice = members[place.number]?.notice, DueOrder.Place(notice) == place,
        // Taken out and put back, it has its place twice.
        notice.occurrence != found.last?.occurrence
      else { continue }
      found.append(notice)
    }
    for notice in found { order.insert(DueOrder.Place(notice)) }
    self.order = order
    return found
  }

  /// The sound of a shared bubble: the one of the alarm that was due first, but silence only where all are silent.
  func sound(first: AlarmCard) -> AlarmSound? {
    guard first.heard == .silence else { return first.heard }
    let isSilent = all.allSatisfy { $0.notice.card.heard == .silence }
    return isSilent ? .silence : nil
  }
}

/// A binary heap: the earliest is first.
struct DueOrder {
  struct Place: Hashable, Comparable {
    var dueAt: Instant
    var occurrence: Int64
    var number: Int64

    init(_ notice: Notice) {
      dueAt = notice.dueAt
      occurrence = notice.occurrence
      number = notice.number
    }

    static func < (a: Place, b: Place) -> Bool { (a.dueAt, a.occurrence) < (b.dueAt, b.occurrence) }
  }

  private var places: [Place]

  /// Builds the heap from the bottom up, which costs less than sorting.
  init(_ notices: some Sequence<Notice>) {
    places = notices.map(Place.init)
    for parent in stride(from: places.count / 2 - 1, through: 0, by: -1) { sink(parent) }
  }

  var count: Int { places.count }

  mutating func insert(_ place: Place) {
    places.append(place)
    var child = places.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard places[child] < places[parent] else { return }
      places.swapAt(child, parent)
      child = parent
    }
  }

  mutating func removeFirst() -> Place? {
    guard let first = places.first, let last = places.popLast() else { return nil }
    guard !places.isEmpty else { return first }
    places[0] = last
    sink(0)
    return first
  }

  private mutating func sink(_ place: Int) {
    var parent = place
    while true {
      var least = parent
      for child in 2 * parent + 1...2 * parent + 2
      where child < places.count && places[child] < places[least] {
        least = child
      }
      guard least != parent else { return }
      places.swapAt(parent, least)
      parent = least
    }
  }
}
