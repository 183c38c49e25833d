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

/// The alarms of one bubble, by number.
extension [Int64: BubbleMember] {
  /// The alarm of a bubble that has no other.
  var only: Notice? { count == 1 ? first?.value.notice : nil }

  /// The first ones by due moment, then occurrence.
  func earliest(_ count: Int) -> [Notice] {
    var first: [(due: Instant, occurrence: Int64, number: Int64)] = []
    for (number, member) in self {
      let (due, occurrence) = (member.notice.dueAt, member.notice.occurrence)
      let place = first.firstIndex { (due, occurrence) < ($0.due, $0.occurrence) } ?? first.endIndex
      guard place < count else { continue }
      first.insert((due, occurrence, number), at: place)
      if first.count > count { first.removeLast() }
    }
    return first.compactMap { self[$0.number]?.notice }
  }

  /// The sound of a shared bubble: the one of the alarm that was due first, but silence only where all are silent.
  func sound(first: AlarmCard) -> AlarmSound? {
    guard first.heard == .silence else { return first.heard }
    let isSilent = values.allSatisfy { $0.notice.card.heard == .silence }
    return isSilent ? .silence : nil
  }
}
