import Alarms
import EggTestSupport
import EggTime
import Ringing

/// The oracle: what was acknowledged, what rang, and what therefore has to be. Knows eggd by what clients, the journal
/// and another program that reads the database would see.
final class Ledger {
  /// One alarm.
  struct Promise {
    /// How it may stand: one way, but for what was on its way when eggd was killed.
    var standings: [Standing]
    /// How it stood before rings that are not known to be recorded, oldest first.
    var unrecorded: [(record: RingRecord, at: ClockReading, before: Standing)] = []
    /// It rang, ever.
    var rings = 0
    /// It is over because it rang.
    var isRung = false

    var standing: Standing? { standings.count == 1 ? standings[0] : nil }
  }

  struct Violation: Error {
    var text: String
  }

  var alarms: [Int64: Promise] = [:]
  /// Their deletion was acknowledged.
  private(set) var deleted: Set<Int64> = []
  var groups: Set<String> = []
  /// By name, since 1970.
  var daysOff: [String: Set<Int>] = [:]
  /// A change of them was on its way when eggd was killed.
  var daysOffAreDoubtful = false
  private(set) var zones: OracleZones
  /// What changes would have made that were on their way when eggd was killed, by label.
  var possible: [String: Standing] = [:]
  /// Others that were on their way may have changed it.
  var isPossibleChanged = false
  /// What the zones had put into the past once, and came due again after the clock was set back.
  private var pastByZone: [Int64: Instant] = [:]
  /// Before the last change of zones: how alarms stood whose next moment depends on when they follow.
  private var beforeZones: (zones: OracleZones, standings: [Int64: Standing])?
  /// Counts changes of zones.
  var zoneChanges = 0
  /// The clock of the boot that runs.
  var boot: Int64 = 0
  /// What may make something late since the last moment at which nothing was.
  var causes: Set<LateReason> = []
  /// Alarms whose change took so long that the moment which it gave them may have passed.
  var changedLate: Set<Int64> = []
  /// Rings and misses that were committed since the rows were last compared.
  private var recorded: [(occurrence: Int64, number: Int64, outcome: String)] = []
  private(set) var counts = Counts()
  var order = ListOrder()

  struct Counts {
    var rings = 0
    var missed = 0
    var unanswered = 0
    var again = 0
    var late: [String: Int] = [:]
    var compared = 0
  }

  init(_ zones: OracleZones) { self.zones = zones }

  // MARK: what rings

  /// A ring, or an alarm missed, as journal and desktop are told of it.
  func rang(_ record: RingRecord, _ now: ClockReading) throws {
    let number = record.key.number
    guard var promise = alarms[number] else {
      let why = deleted.contains(number) ? "after its deletion was acknowledged" : "that was never made"
      throw Violation(text: "#\(number) rang \(why)")
    }
    var kept: [Standing] = []
    var wrong: [String] = []
    for standing in promise.standings {
      var next = standing
      guard let due = next.ring(record, now, zones) else {
        let moment =
          record.outcome == .unanswered
          ? standing.waiting[record.occurrence]
          : record.key.occurrence == 0 ? standing.course.own : standing.course.snoozes[record.key.occurrence]
        wrong.append(
          moment.map { "early: it is due at \($0.instant(now, zones).microseconds)" }
            ?? (promise.rings > 0 ? "twice" : "and was not waiting"))
        continue
      }
      if due.at != record.dueAt {
        wrong.append("for \(record.dueAt.microseconds), is due at \(due.at.microseconds)")
      } else if min(due.elapsed, Recurrence.mostCounted + 1) != record.elapsed {
        wrong.append("for \(record.elapsed) elapses, not \(due.elapsed)")
      } else if due.isMissed != (record.outcome == .missed) {
        wrong.append(due.isMissed ? "too late to ring" : "was told as missed")
      } else {
        kept.append(next)
      }
    }
    if kept.isEmpty {
      let why = Set(wrong).sorted().joined(separator: ", or ")
      throw Violation(text: "#\(number) \(record.outcome) at \(now.wall.microseconds) \(why)")
    }
    try checkLateness(record, now)
    promise.unrecorded.append((record, now, promise.standings[0]))
    promise.standings = kept
    defer { alarms[number] = promise }
    guard record.outcome != .unanswered else {
      counts.unanswered += 1
      return
    }
    promise.rings += 1
    promise.isRung = record.rang && kept[0].course.moments.isEmpty && kept[0].course.paused == nil
    if record.rang { counts.rings += 1 } else { counts.missed += 1 }
    counts.late[record.reason?.rawValue ?? "on time", default: 0] += 1
  }

  private func checkLateness(_ record: RingRecord, _ now: ClockReading) throws {
    func refuse(_ text: String) -> Violation { Violation(text: "#\(record.key.number) \(text)") }
    guard record.firedAt == now.wall, record.lateness == now.wall - record.dueAt else {
      throw refuse("says that it is \(record.lateness.microseconds) µs late")
    }
    let isChangedLate = changedLate.contains(record.key.number)
    if record.lateness > .zero, causes.isEmpty, !isChangedLate {
      throw refuse("is \(record.lateness.microseconds) µs late for nothing")
    }
    if let reason = record.reason {
      let isPastByZone = reason == .zoneChange && pastByZone[record.key.number] == record.dueAt
      guard causes.contains(reason) || isPastByZone || reason == .store && isChangedLate else {
        throw refuse("is late because of \(reason), not \(causes.map(\.rawValue).sorted())")
      }
    } else if record.lateness > .seconds(1), record.outcome != .unanswered {
      throw refuse("is \(record.lateness.microseconds) µs late and does not say why")
    }
  }

  /// Everything that was told has been taken up: nothing that is due still waits.
  ///
  /// - Parameter isMaking: What is being made may come due before it is there.
  func checkNothingIsDue(_ now: ClockReading, isMaking: Bool = false) throws {
    if let (number, moment) = overdue(now) {
      throw Violation(
        text: "#\(number) did not ring: it was due at \(moment.microseconds), it is \(now.wall.microseconds)")
    }
    if !isMaking { (causes, changedLate) = ([], []) }
  }

  /// One that has to ring by now.
  func overdue(_ now: ClockReading) -> (number: Int64, moment: Instant)? {
    for (number, promise) in alarms {
      let moments = promise.standing?.course.moments.map { $0.instant(now, zones) } ?? []
      if let moment = moments.first(where: { $0 <= now.wall }) { return (number, moment) }
      // What is not recorded waits for no answer yet.
      guard promise.unrecorded.isEmpty else { continue }
      let unanswered = promise.standing?.waiting.values.map { $0.instant(now, zones) } ?? []
      if let moment = unanswered.first(where: { $0 <= now.wall }) { return (number, moment) }
    }
    return nil
  }

  /// These are on disk.
  func recorded(_ records: [RingRecord], _ now: ClockReading) {
    for record in records {
      // From then on it waits for an answer, maybe for none.
      if let end = record.unanswered, end.microseconds <= now.boot { changedLate.insert(record.key.number) }
      // Those of one recurring alarm are recorded in their order, and the oldest of very many as one.
      alarms[record.key.number]?.unrecorded.removeAll {
        $0.record.key == record.key
          && ($0.record.occurrence == record.occurrence
            || record.key.occurrence == 0 && $0.record.occurrence < record.occurrence)
      }
      if alarms[record.key.number] != nil {
        recorded.append((record.occurrence, record.key.number, record.outcome == .missed ? "missed" : "rung"))
      }
    }
  }

  // MARK: what is changed

  /// The alarms that name days off.
  func users(of name: String) -> Set<Int64> {
    Set(
      alarms.filter { promise in
        promise.value.standings.contains {
          $0.course.recurring?.quiet.except[name] != nil || $0.course.recurring?.quiet.only[name] != nil
        }
      }.keys)
  }

  /// What was asked for is made with the days off that there are by now, and with days to skip.
  ///
  /// - Parameter recurring: As it was asked for.
  func refresh(_ course: inout Course, of recurring: Course.Recurring?, skips: Set<Int> = []) {
    guard let recurring else { return }
    var present = recurring
    present.quiet.skips = skips
    for (name, days) in daysOff { present.quiet.change(name, to: days) }
    guard present.quiet != recurring.quiet else { return }
    let made = Course(every: present, zones)
    (course.own, course.recurring) = (made.own, made.recurring)
  }

  func made(_ number: Int64, _ standing: Standing) throws {
    guard alarms[number] == nil, !deleted.contains(number) else {
      throw Violation(text: "#\(number) was given twice")
    }
    alarms[number] = Promise(standings: [standing])
    order.made(number)
  }

  /// It comes back by an undo, or by rows alone. Rings that are not recorded are not in the rows yet.
  func adopt(_ number: Int64, _ standing: Standing) {
    deleted.remove(number)
    var promise = Promise(standings: [standing], rings: alarms[number]?.rings ?? 0)
    for ring in alarms[number]?.unrecorded ?? [] {
      var next = promise.standings[0]
      guard next.ring(ring.record, ring.at, zones) != nil else { continue }
      promise.unrecorded.append((ring.record, ring.at, promise.standings[0]))
      promise.standings = [next]
    }
    alarms[number] = promise
    recorded.removeAll { $0.number == number }
  }

  func deleted(_ numbers: some Sequence<Int64>) {
    for number in numbers {
      alarms[number] = nil
      deleted.insert(number)
    }
    order.deleted(deleted)
    recorded.removeAll { deleted.contains($0.number) }
  }

  func change(_ number: Int64, _ body: (inout Standing) -> Void) throws {
    guard var promise = alarms[number] else {
      throw Violation(text: "#\(number) was changed and does not exist")
    }
    for index in promise.standings.indices { body(&promise.standings[index]) }
    // It is stored before rings that have happened since.
    for index in promise.unrecorded.indices { body(&promise.unrecorded[index].before) }
    if !promise.standings.allSatisfy(\.course.moments.isEmpty) { promise.isRung = false }
    alarms[number] = promise
  }

  /// What all ways in which alarms may stand go through.
  func changeAll(_ body: (inout Standing) -> Void) {
    for (number, var promise) in alarms {
      for index in promise.standings.indices { body(&promise.standings[index]) }
      for index in promise.unrecorded.indices { body(&promise.unrecorded[index].before) }
      alarms[number] = promise
    }
    for label in possible.keys {
      if var standing = possible[label] {
        body(&standing)
        possible[label] = standing
      }
    }
  }

  func zonesChanged(at now: ClockReading) throws {
    let old = zones
    beforeZones = (old, alarms.compactMapValues(\.standing).filter { $0.value.course.countsFromNow })
    try zones.read()
    zoneChanges += 1
    let new = zones
    changeAll { $0.course.followZones(from: old, to: new, at: now.wall) }
    for (number, promise) in alarms {
      guard let own = promise.standings[0].course.own else { continue }
      if case .elapsed = own.thing { continue }
      let due = own.instant(now, zones)
      if due <= now.wall { pastByZone[number] = due }
    }
  }

  /// eggd was killed while alarms followed zones: what counts from then on may count from its next start instead.
  func zonesMayNotBeFollowed() {
    for (number, standing) in beforeZones?.standings ?? [:] { alarms[number]?.standings.append(standing) }
  }

  /// It has started again.
  func zonesAreFollowed(at now: Instant) {
    guard let old = beforeZones?.zones else { return }
    changeAll { [zones] in $0.course.followZones(from: old, to: zones, at: now) }
  }

  func reboot(offset: Int64) { changeAll { $0.reboot(offset: offset) } }

  /// eggd was killed: what it had not recorded may ring again, and what was on its way may have been stored or not.
  func killed() {
    for (number, var promise) in alarms where !promise.unrecorded.isEmpty {
      promise.standings = promise.unrecorded.map(\.before) + promise.standings
      promise.unrecorded = []
      alarms[number] = promise
    }
  }
}

extension Ledger {
  /// Compares the rows with what they have to be, and learns from them which of several ways an alarm stands.
  ///
  /// - Parameter doubtful: Of these a change was on its way when eggd was killed: they stand as their rows do.
  func compare(
    _ view: DatabaseView, _ now: ClockReading, doubtful: Set<Int64> = []
  ) throws {
    guard let rows = view.rows() else { throw Violation(text: "the database can't be read") }
    let boots = view.boots()
    counts.compared += rows.count
    for (number, row) in rows where alarms[number] == nil {
      let isKnown = possible[row.label] != nil && !isPossibleChanged
      let isDoubtful = doubtful.contains(number) || possible[row.label] != nil
      guard
        let standing = isKnown
          ? possible[row.label] : isDoubtful ? view.standing(of: number, boot: boot) : nil
      else {
        let why = deleted.contains(number) ? "is there after its deletion was acknowledged" : "was never made"
        throw Violation(text: "#\(number) \(why)")
      }
      adopt(number, standing)
      if let text = standing.differs(from: row, boot: boot, boots: boots, now, zones) {
        throw Violation(text: "#\(number), whose call had no reply, \(text), the database has \(row)")
      }
    }
    for number in alarms.keys.sorted() {
      guard let promise = alarms[number] else { continue }
      guard let row = rows[number] else {
        guard doubtful.contains(number) else {
          throw Violation(text: "#\(number) was acknowledged and is lost")
        }
        deleted([number])
        continue
      }
      let differences = promise.standings.map {
        ($0, $0.differs(from: row, boot: boot, boots: boots, now, zones))
      }
      if let fitting = differences.first(where: { $0.1 == nil }) {
        if promise.standings.count > 1 {
          counts.again += 1
          alarms[number]?.standings = [fitting.0]
        }
        if doubtful.contains(number), let standing = view.standing(of: number, boot: boot) {
          adopt(number, standing)
        }
      } else if doubtful.contains(number), let standing = view.standing(of: number, boot: boot) {
        adopt(number, standing)
      } else {
        let expected = Set(differences.compactMap(\.1)).sorted().joined(separator: ", or ")
        throw Violation(text: "#\(number) \(expected); the database has \(row)")
      }
    }
    let found = view.daysOff()
    if daysOffAreDoubtful { (daysOff, daysOffAreDoubtful) = (found, false) }
    guard found == daysOff else {
      throw Violation(text: "the days off are \(found), not \(daysOff)")
    }
    try compareOccurrences(view)
    let text = view.order().map { order.compare(with: $0, doubtful: doubtful) } ?? "the list can't be read"
    if let text { throw Violation(text: text) }
  }

  /// Of each alarm the last half of how many occurrences are kept: those that were skipped count, too.
  private var mustBeThere: [(occurrence: Int64, number: Int64, outcome: String)] {
    var later: [Int64: Int] = [:]
    return recorded.reversed().filter { ring in
      later[ring.number, default: 0] += 1
      return later[ring.number, default: 0] <= 50
    }
  }

  private func compareOccurrences(_ view: DatabaseView) throws {
    for ring in mustBeThere {
      guard let found = view.outcome(of: ring.occurrence), found.number == ring.number,
        found.outcome == ring.outcome
      else {
        throw Violation(text: "#\(ring.number) was \(ring.outcome) at \(ring.occurrence), and no row says so")
      }
    }
    recorded = []
    groups = view.groups()
  }
}
