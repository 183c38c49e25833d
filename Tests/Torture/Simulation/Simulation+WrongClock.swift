import EggTestSupport
import EggTime
import Ringing

/// A clock that is far ahead for a while: what is made then goes back with it.
extension Simulation {
  func goAstray() {
    if isAstray { return comeBack() }
    let hours: [Int64] = [9, 48, 4_800]
    astray = .seconds(hours[dice.number(0...2)] * 3_600)
    set(by: astray)
  }

  func comeBack() {
    // A disk that took neither step would show none if it were the same clock again.
    set(by: .zero - astray - .seconds(1))
    astray = .zero
  }

  private func set(by span: TimeSpan) {
    note("astray")
    astraySince += span.microseconds
    trace("clock far off, set by \(span.microseconds)")
    ledger.causes.insert(.clockStep)
    clock.time.step(span)
    offsets.append(clock.read().bootOffset)
    life?.wake()
  }

  /// Whether the store has noted how far this clock is from the boot's.
  var hasFollowed: Bool { followed == clock.read().bootOffset && !isFollowDue }

  /// Whatever has to follow the clock has followed it: the database says so.
  ///
  /// - Parameter isCommitted: Right after a transaction, maybe of a store that opens.
  func followClock(isCommitted: Bool = false) {
    guard let life, !life.isKilled, let view = view ?? (isCommitted ? DatabaseView(state.database) : nil),
      let noted = view.boots()[store(of: life)]
    else { return }
    var now = beforeWriting ?? clock.read()
    now.wall = Instant(microseconds: now.boot + noted)
    let before = followed ?? noted
    if before == noted, isFollowDue {
      guard isCommitted || life.store.condition == .writable && !life.store.isFailing,
        view.latestCall().map({ $0 <= now.wall + .seconds(60) }) ?? true
      else { return }
      isFollowDue = false
      ledger.followClock(now.wall, by: .zero, zonesAreNew: zonesAreNew)
    }
    followed = noted
    guard before != noted else { return }
    // What is given a past moment is late for whatever was then.
    ledger.causes.formUnion([.clockStep, .store, .down, .asleep])
    isFollowDue = false
    trace("what waits has followed the clock by \(noted - before)")
    ledger.followClock(now.wall, by: TimeSpan(microseconds: noted - before), zonesAreNew: zonesAreNew)
  }

  private func store(of life: Life) -> Int64 { life.store.currentBoot.rawValue }
}

extension Ledger {
  func followClock(_ now: Instant, by step: TimeSpan, zonesAreNew: Bool) {
    zoneChanges += 1
    var zones = zones
    // The zones of a start are those that the machine has by then; what follows them comes after the clock.
    if zonesAreNew { try? zones.read() }
    changeAll { [zones] in $0.followClock(now, by: step, zones) }
  }
}

extension Standing {
  mutating func followClock(_ now: Instant, by step: TimeSpan, _ zones: OracleZones) {
    func right(_ moment: Instant) -> Instant {
      moment + (Course.shift(moment, now, step) ?? .zero)
    }
    let isMoved = step <= .seconds(-60) && course.isElapsed
    if !isMoved, course.call.map({ $0.at <= now + .seconds(60) }) ?? true { course.followClock(now, zones) }
    let wasSetRight = course.call
    course.setRight(now, step, zones)
    if course.call != wasSetRight, course.recurring != nil { (known, latest) = (nil, nil) }
    created = created.map(right)
    if let made = course.recurring?.made { course.recurring?.made = max(right(made), created ?? right(made)) }
    if let made = course.led?.made { course.led?.made = max(right(made), created ?? right(made)) }
    if case .every(let due, let at) = course.paused { course.paused = .every(due: due, at: right(at)) }
  }
}
