import Alarms
import EggStore
import EggTestSupport
import EggTime

/// What a client asks for, and what its reply means to the ledger.
///
/// Sendable as the run is: everything happens in turn.
struct Command: @unchecked Sendable {
  var text: String
  var change: any Change
  /// Alarms that it may change.
  var numbers: Set<Int64> = []
  /// What it makes, by label.
  var new: [String: Standing] = [:]
  /// Only a bubble names the rings that it showed.
  var isOnBubble: Bool {
    (change as? DismissChange)?.seen.isEmpty == false || (change as? SnoozeChange)?.seen.isEmpty == false
  }
  /// What was deleted may come back by it.
  var mayBringBack = false
  var changesDaysOff = false
  /// It may change what others make in its transaction.
  var reachesNew = false
  /// The last alarm when it was asked for.
  var newest: Int64 = 0
  /// Those of `numbers` that it changes, with what it does to each; told by the reply.
  var apply: (ChangeOutcome) throws -> Void = { _ in }
}

/// How alarms stood before and after a change, to know what undoing it has to give.
struct UndoStepCopy {
  var before: [Int64: Standing] = [:]
  var after: [Int64: Standing] = [:]
  var zoneChanges = 0
  var boots = 0
}

extension Simulation {
  func command(_ command: Command) throws {
    guard let life, !life.isKilled else { return }
    commands += 1
    let id = commands
    var command = command
    command.newest = ledger.alarms.keys.max() ?? 0
    open[id] = command
    open[id]?.newest = ledger.alarms.keys.max() ?? 0
    let readAt = clock.read()
    trace("asks to \(command.text)")
    note(String(command.text.prefix { $0 != " " }))
    let client = command.isOnBubble ? .bubble : ChangeClient(name: nil, session: nil)
    let request = ChangeRequest(command.change, readAt: readAt, client: client)
    life.store.submit(request) { [self, command] result in
      // A reply that is on its way when eggd is killed is none.
      guard !life.isKilled else { return }
      open[id] = nil
      answered(command, result)
    }
  }

  private func answered(_ command: Command, _ result: Result<ChangeOutcome, ChangeError>) {
    switch result {
    case .failure(let error):
      trace("refused: \(command.text): \(error)")
      do { try undoOrder.refused(command.change, error) } catch { violate(error) }
      // Nobody could choose it once more: it has to be kept.
      if case .unavailable = error, command.isOnBubble {
        violate(Ledger.Violation(text: "\(command.text) is lost: \(error)"))
      }
      // One that was opened for reading is looked at again after at most 60 s.
      // Nor does one that is stopping make what waits for its turn.
      if case .unavailable = error, disk.health == .sound, life?.isStopping == false,
        clock.read().monotonic - soundSince > 61_000_000
      {
        violate(Ledger.Violation(text: "\(command.text) could not be stored on a sound disk: \(error)"))
      }
    case .success(let outcome):
      trace("done: \(command.text)")
      // One that changed nothing has no sequence of its own.
      let isStep = outcome.sequence > undoOrder.latest
      undoOrder.made(command.change, outcome)
      var copy = UndoStepCopy(zoneChanges: ledger.zoneChanges, boots: boots)
      let before = ledger.alarms.compactMapValues(\.standing)
      do { try command.apply(outcome) } catch { violate(error) }
      let after = ledger.alarms.compactMapValues(\.standing)
      for (number, standing) in before where after[number] != standing { copy.before[number] = standing }
      for (number, standing) in after where before[number] != standing { copy.after[number] = standing }
      if isStep, !copy.before.isEmpty || !copy.after.isEmpty { undoSteps[outcome.sequence] = copy }
      if !isFinal, dice.oneIn(100) { kill("replied") }
    }
  }

  /// What a person chose on a bubble.
  func attemptChoice(_ change: any Change, stored: @escaping @Sendable () -> Void) {
    do {
      switch change {
      case let change as DismissChange:
        try command(dismiss(change.selection, "on its bubble", seen: change.seen))
      case let change as SnoozeChange:
        var snooze = snooze(by: change, "on its bubble")
        let apply = snooze.apply
        snooze.apply = {
          stored()
          try apply($0)
        }
        try command(snooze)
      default: break
      }
    } catch { violate(error) }
  }

  /// Any command.
  ///
  /// - Parameter alone: No other shares its transaction.
  func one(alone: Bool = true) -> Command {
    switch dice.number(0..<(alone ? 71 : 58)) {
    case 0..<24: schedule()
    case 24..<30: delete()
    case 30..<34: edit()
    case 34..<38: snooze()
    case 38..<41: dismiss(selection(), "by command")
    case 41..<44: mark(done: true)
    case 44..<47: mark(done: false)
    case 47..<49: pause()
    case 49..<52: resume()
    case 52..<54: extend()
    case 54..<56: skip()
    case 56..<58: skipDays()
    case 58, 59: group()
    case 60, 61: deleteGroup()
    case 62: move()
    case 63, 64: importAlarms()
    case 65: changeDaysOff()
    case 66, 67: undo(redoes: true)
    default: undo()
    }
  }

  /// Some alarms: as ranges, which pass over those that do not allow a change, or by number, which do not.
  func selection() -> Selection {
    let known = ledger.alarms.keys.sorted()
    if dice.oneIn(8) { return Selection(all: true) }
    var numbers: [Int64] = []
    for _ in 0...dice.number(0...2) {
      // Those that were made last are what happens most with.
      let count = dice.oneIn(2) ? min(known.count, 6) : known.count
      if let one = dice.one(of: Array(known.suffix(count))) { numbers.append(one) }
    }
    if numbers.isEmpty || dice.oneIn(20) { numbers.append(Int64(dice.number(1...300))) }
    return dice.oneIn(4) ? Selection(numbers: numbers) : Selection(ranges: numbers.map { $0...$0 })
  }

  func chosen(_ selection: Selection) -> Set<Int64> {
    if selection.all { return Set(ledger.alarms.keys) }
    return Set(selection.numbers + selection.ranges.flatMap { Array($0) }).filter { ledger.alarms[$0] != nil }
  }

  private func reachesNew(_ selection: Selection) -> Bool {
    selection.all
      || (selection.numbers + selection.ranges.flatMap { Array($0) }).contains { ledger.alarms[$0] == nil }
  }

  func shown(_ selection: Selection) -> String {
    selection.all
      ? "all"
      : (selection.numbers + selection.ranges.map(\.lowerBound)).map { "#\($0)" }.joined(separator: " ")
  }

  /// A change of what alarms wait for: the reply names those that it changed.
  func changing(
    _ text: String, _ selection: Selection, _ change: any Change,
    _ body: @escaping (inout Standing, Alarm) -> Void
  ) -> Command {
    var command = Command(text: "\(text) \(shown(selection))", change: change, numbers: chosen(selection))
    command.reachesNew = reachesNew(selection)
    command.apply = { [ledger] outcome in
      for alarm in outcome.alarms { try ledger.change(alarm.number) { body(&$0, alarm) } }
    }
    return command
  }
}

extension Simulation {
  func snooze() -> Command {
    let selection = selection()
    let end = clock.read().boot + dice.span(100...(tempo == .seconds ? 20_000 : 1_800_000)).microseconds
    let boot = ClockID(rawValue: ledger.boot)
    return snooze(by: SnoozeChange(selection, until: DuePoint(clock: boot, microseconds: end)), "by command")
  }

  private func snooze(by change: SnoozeChange, _ how: String) -> Command {
    changing("snooze \(how)", change.selection, change) { standing, alarm in
      // It may ring anew between the change and the reply, as it may where it is dismissed.
      guard let last = standing.ringing.max(), var latest = alarm.latest?.id else { return }
      if let seen = change.seen[alarm.number] {
        latest = standing.ringing.filter { $0 <= seen }.max() ?? seen
      } else if standing.course.snoozes[latest] != nil {
        // A later occurrence may be snoozed already.
        latest = last
      }
      guard latest <= last else { return }
      standing.course.snoozes[latest] = .elapsed(change.until.microseconds)
      standing.ringing = standing.ringing.filter { $0 > latest }
    }
  }

  func dismiss(_ selection: Selection, _ how: String, seen: [Int64: Int64] = [:]) -> Command {
    changing("dismiss \(how)", selection, DismissChange(selection, seen: seen)) { standing, alarm in
      // It may ring anew between the change and the reply.
      standing.dismiss(through: min(alarm.latest?.id ?? .max, seen[alarm.number] ?? .max))
    }
  }

  func mark(done: Bool, _ all: Selection? = nil) -> Command {
    let selection = all ?? selection()
    let now = clock.read()
    return changing(done ? "done" : "undone", selection, MarkDoneChange(selection, done)) {
      [ledger] standing, _ in
      standing.mark(done: done, now, ledger.zones)
    }
  }

  func pause() -> Command {
    let selection = selection()
    let now = clock.read()
    return changing("pause", selection, PauseChange(selection)) { [ledger] standing, _ in
      standing.course.pause(now, ledger.zones)
      standing.touch(now)
    }
  }

  func resume() -> Command {
    let selection = dice.oneIn(2) ? Selection(all: true) : selection()
    let now = clock.read()
    return changing("resume", selection, ResumeChange(selection)) { [ledger] standing, _ in
      // That has an occurrence of its own.
      if standing.course.resume(now, ledger.zones) { standing.latest = nil }
      standing.touch(now)
    }
  }

  func skip() -> Command {
    let selection = selection()
    let now = clock.read()
    return changing("skip", selection, SkipChange(selection)) { [ledger] standing, _ in
      standing.course.skip(now, ledger.zones)
      standing.latest = nil
      standing.touch(now)
    }
  }

  /// Those that recur keep quiet on some days, or on none.
  func skipDays() -> Command {
    let selection = selection()
    let now = clock.read()
    let today = Zone.utc.civil(at: now.wall).dayNumber
    let from = dice.oneIn(2) ? nil : today + dice.number(-1...3)
    let until = today + dice.number(2...6)
    let days: SkipDaysChange.Days =
      dice.oneIn(4)
      ? .clear
      : .range(from: from.map { CivilDate(dayNumber: $0) }, until: CivilDate(dayNumber: until))
    return changing("skip \(days) of", selection, SkipDaysChange(selection, days)) { [ledger] standing, _ in
      let zones = ledger.zones
      let today = zones.zone(standing.course.recurring?.zone).civil(at: now.wall).dayNumber
      standing.course.keepQuiet(now, zones) { quiet in
        guard case .range = days else { return quiet.skips = [] }
        quiet.skip(Set((from ?? today)..<max(from ?? today, until)), today: today)
      }
      standing.touch(now)
    }
  }

  func extend() -> Command {
    let selection = selection()
    let now = clock.read()
    var span = dice.span(10...(tempo == .seconds ? 30_000 : 7_200_000))
    if dice.oneIn(3) { span = .zero - span }
    return changing("extend by \(span.microseconds)", selection, ExtendChange(selection, by: span)) {
      [ledger] standing, alarm in
      let snoozed = alarm.latest.flatMap { $0.due == nil ? nil : $0.id }
      standing.extend(by: span, snoozed: snoozed, now, ledger.zones)
      standing.touch(now)
    }
  }

  func move(_ all: Selection? = nil) -> Command {
    let selection = all ?? selection()
    let now = clock.read()
    let place = place()
    var command = changing("move to \(place)", selection, MoveChange(selection, place)) { standing, _ in
      standing.touch(now)
    }
    let touch = command.apply
    command.apply = { [ledger, asked = ledger.order.replies] outcome in
      try touch(outcome)
      ledger.order.moved(Set(outcome.alarms.map(\.number)), to: place, asked: asked)
      if outcome.changed > outcome.alarms.count { ledger.order.forgetAll() }
    }
    return command
  }

  private func place() -> Place {
    let other = dice.one(of: ledger.alarms.keys.sorted()) ?? 1
    switch dice.number(0...3) {
    case 0: return .top
    case 1: return .bottom
    case 2: return .before(other)
    default: return .after(other)
    }
  }

  func delete(_ all: Selection? = nil) -> Command {
    let selection = all ?? selection()
    let rungBefore = ledger.alarms.mapValues(\.rings)
    var command = Command(
      text: "delete \(shown(selection))", change: DeleteChange(selection), numbers: chosen(selection))
    command.reachesNew = reachesNew(selection)
    command.apply = { [self] outcome in
      let expected = chosen(selection)
      guard Set(outcome.deleted) == expected else {
        throw Ledger.Violation(text: "\(outcome.deleted) were deleted, not \(expected.sorted())")
      }
      for number in outcome.deleted {
        guard let promise = ledger.alarms[number], promise.rings > rungBefore[number] ?? 0,
          promise.isRung, !outcome.rang.contains(number)
        else { continue }
        throw Ledger.Violation(text: "#\(number) rang before it was deleted, and the reply does not say so")
      }
      ledger.deleted(outcome.deleted)
    }
    return command
  }

  func group() -> Command {
    let name = "group \(dice.number(1...4))"
    return Command(text: "group \(name)", change: CreateGroupChange(Group(name: name, color: .red)))
  }

  func deleteGroup() -> Command {
    let name = dice.one(of: ledger.groups.sorted()) ?? "group 1"
    let withAlarms = dice.oneIn(2)
    let now = clock.read()
    func members() -> Set<Int64> {
      Set(ledger.alarms.filter { $0.value.standings.contains { $0.group == name } }.keys)
    }
    var command = Command(
      text: "ungroup \(name)\(withAlarms ? " with its alarms" : "")",
      change: DeleteGroupChange(name: name, withAlarms: withAlarms), numbers: members())
    command.reachesNew = true
    command.apply = { [ledger] outcome in
      let left = withAlarms ? outcome.deleted : outcome.alarms.map(\.number)
      guard Set(left) == members() else {
        throw Ledger.Violation(text: "\(name) has \(members().sorted()), not \(left)")
      }
      if withAlarms { return ledger.deleted(left) }
      for number in left {
        try ledger.change(number) {
          $0.group = nil
          $0.touch(now)
        }
      }
    }
    return command
  }
}
