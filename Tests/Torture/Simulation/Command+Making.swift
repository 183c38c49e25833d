import Alarms
import EggStore
import EggTestSupport
import EggTime
import Ringing

/// A timing of any kind, and what it means at the moment at which it was made.
private struct Made {
  var timing: Timing
  var due: DuePoint
  var course: Course
  var from: Instant?
  var until: Instant?
  var count: Int64?
  var rules = MomentRules.none
  /// As ``course`` begins with it.
  var recurring: Course.Recurring?
  /// What was typed, and the zone in which it is read.
  var text = "then"
  var zone = "UTC"
}

extension Simulation {
  /// A timing of any kind, and what it means now.
  ///
  /// - Parameter recurs: It does.
  private func timing(recurs: Bool = false) -> Made {
    let now = clock.read()
    let span = tempo == .seconds ? dice.span(20...90_000) : dice.span(1_000...172_800_000)
    let name = dice.oneIn(2) ? ZoneFolder.names[dice.number(0...4)] : nil
    let zone = ledger.zones.zone(name)
    if !recurs, dice.oneIn(isAstray ? 2 : 12), let made = typed(now, zone, isNamed: name != nil) {
      return made
    }
    switch recurs ? 7 : dice.number(0...7) {
    case 0...2:
      let end = now.boot + span.microseconds
      let due = DuePoint(clock: ClockID(rawValue: ledger.boot), microseconds: end)
      return led(Made(timing: .countdown(span), due: due, course: Course(.elapsed(end))), span, now)
    case 3, 4:
      let at = now.wall + span
      return led(Made(timing: .instant(at), due: .wall(at), course: Course(.instant(at))), span, now)
    case 5:
      let civil = zone.civil(at: now.wall + span)
      let at = zone.resolve(civil).instant
      // The second of a fold: its first is over, and a call that asks for it is refused.
      guard at > now.wall else { return timing() }
      let made = Made(
        timing: .civil(civil, zone: zone.identifier, floats: name == nil), due: .wall(at),
        course: Course(.civil(civil, zone: name)))
      return led(made, span, now)
    default:
      let from = dice.oneIn(3) ? now.wall + span : nil
      guard let time = recurringTime(in: zone),
        let due = Recurrence(.every(time), zone: zone, from: from).next(after: now.wall)?.ring
      else { return timing(recurs: recurs) }
      let count = dice.oneIn(2) ? Int64(dice.number(1...12)) : nil
      let until = count == nil && dice.oneIn(2) ? due + span : nil
      var recurring = Course.Recurring(
        time: time, zone: name, from: from, left: count ?? .max, until: until ?? .latest, made: now.wall)
      let rules = rules(for: &recurring, from: due, in: zone)
      return Made(
        timing: .every(time, zone: zone.identifier, floats: name == nil), due: .wall(due),
        course: Course(every: recurring, ledger.zones), from: from, until: until, count: count, rules: rules,
        recurring: recurring)
    }
  }

  /// Leads for one one-shot in three. Some are over already. One on a clock rings at its moment, too.
  private func led(_ made: Made, _ span: TimeSpan, _ now: ClockReading) -> Made {
    guard dice.oneIn(3) else { return made }
    let most = Int(span.microseconds / 800_000)
    var leads = Set((0...dice.number(0...2)).compactMap { _ in Lead(seconds: dice.number(0...most)) })
    if case .civil = made.timing { leads.insert(.zero) }
    guard leads != [.zero] else { return made }
    var made = made
    made.rules.leads = leads.sorted()
    made.course.lead(made.rules.leads.map(\.span), now, ledger.zones)
    return made
  }

  /// Days off for half, leads for some. A lead is shorter than the time between two of the next
  /// elapses.
  private func rules(
    for recurring: inout Course.Recurring, from due: Instant, in zone: Zone
  ) -> MomentRules {
    var rules = MomentRules.none
    if dice.oneIn(2), let name = dice.one(of: ledger.daysOff.keys.sorted()), let days = ledger.daysOff[name] {
      if dice.oneIn(3) {
        rules.onlyOn = [name]
        recurring.quiet.only[name] = days
      } else {
        rules.except = [name]
        recurring.quiet.except[name] = days
      }
    }
    guard dice.oneIn(3) else { return rules }
    var (shortest, last) = (TimeSpan.seconds(100_000), due)
    for _ in 0..<120 {
      guard let next = Recurrence(.every(recurring.time), zone: zone).next(after: last)?.ring else { break }
      (shortest, last) = (min(shortest, next - last), next)
    }
    // Those of days may overlap.
    let most = shortest > .seconds(90_000) ? 200_000 : Int(shortest.microseconds / 1_000_000) - 1
    guard most > 0 else { return rules }
    let leads = Set((0...dice.number(0...2)).compactMap { _ in Lead(seconds: dice.number(0...most)) })
      .sorted()
    guard leads != [.zero] else { return rules }
    rules.leads = leads
    recurring.leads = leads.map(\.span)
    return rules
  }

  /// What a text means that counts from its call.
  private func typed(_ now: ClockReading, _ zone: Zone, isNamed: Bool) -> Made? {
    guard let text = dice.one(of: Course.Call.texts(isFast: tempo == .seconds)) else { return nil }
    let call = Course.Call(at: now.wall, text: text, zone: zone.identifier)
    switch call.reading(ledger.zones) {
    case .recurring(let time)?:
      let recurring = Course.Recurring(
        time: time, zone: isNamed ? zone.identifier : nil, left: .max, until: .latest, made: now.wall)
      guard let due = Recurrence(.every(time), zone: zone).next(after: now.wall)?.ring else { return nil }
      return Made(
        timing: .every(time, zone: zone.identifier, floats: !isNamed), due: .wall(due),
        course: Course(every: recurring, ledger.zones), recurring: recurring, text: text,
        zone: zone.identifier)
    case .civil(let civil, _)?:
      let at = zone.resolve(civil).instant
      guard at > now.wall else { return nil }
      return Made(
        timing: .civil(civil, zone: zone.identifier, floats: !isNamed), due: .wall(at),
        course: Course(.civil(civil, zone: isNamed ? zone.identifier : nil)), text: text,
        zone: zone.identifier)
    default: return nil
    }
  }

  /// A calendar event or an interval; nil where the dice fell on none.
  private func recurringTime(in zone: Zone) -> RecurringTime? {
    let isFast = tempo == .seconds
    guard dice.oneIn(2) else {
      let texts =
        isFast
        ? ["*:*:0/15", "*:*:30", "*:0/2", "*:*:5..20"]
        : [
          "*:0/20", "0/6:\(dice.number(0...59))", "\(dice.number(0...23)):\(dice.number(0...59))",
          "0..3,20:15",
        ]
      return CalendarEvent(texts[dice.number(0...3)]).map { .event($0) }
    }
    // Begun a while ago, or to begin in a while.
    let start =
      clock.read().wall + dice.span(0...(isFast ? 90_000 : 259_200_000)) - .seconds(isFast ? 60 : 86_400)
    if dice.oneIn(3) { return rule(from: zone.civil(at: start), isFast: isFast).map { .rule($0) } }
    guard isFast || dice.oneIn(2) else {
      let civil = zone.civil(at: start)
      let days: Set = [civil.weekday, Weekday.allCases[dice.number(0...6)]]
      let steps: [RecurringInterval.Step] = [
        .days(dice.number(1...2)), .weeks(dice.number(1...2), on: days), .months(1, on: .day(civil.day)),
        .months(1, on: .workday(dice.oneIn(2) ? 1 : -1)),
      ]
      return RecurringInterval(steps[dice.number(0...3)], from: civil).map { .interval($0) }
    }
    let span = isFast ? dice.span(1_000...60_000) : dice.span(1_200_000...86_400_000)
    return RecurringInterval(every: span, from: start).map { .interval($0) }
  }

  /// Every nth day at some hours, or every nth minute; one time is moved.
  private func rule(from start: CivilDateTime, isFast: Bool) -> RecurrenceSet? {
    let every = dice.number(1...3)
    let hours = "\(dice.number(0...11)),\(dice.number(12...23))"
    let text = isFast ? "FREQ=MINUTELY;INTERVAL=\(every)" : "FREQ=DAILY;INTERVAL=\(every);BYHOUR=\(hours)"
    guard let rule = try? RecurrenceRule(text) else { return nil }
    let start = CivilDateTime(secondsOnClock: start.secondsOnClock)
    let skipped = CivilDateTime(secondsOnClock: start.secondsOnClock + every * (isFast ? 60 : 86_400))
    let added = CivilDateTime(secondsOnClock: skipped.secondsOnClock + (isFast ? 7 : 4_000))
    return try? RecurrenceSet(start: start, rule: rule, dates: [added], excluded: [BasicDateTime(skipped)])
  }

  func schedule() -> Command { schedule(timing()) }

  func scheduleRecurring() -> Command { schedule(timing(recurs: true)) }

  /// One of very many that are due within some seconds.
  func scheduleInCrowd() -> Command {
    let span = dice.span(1_000...8_000)
    let end = clock.read().boot + span.microseconds
    let due = DuePoint(clock: ClockID(rawValue: ledger.boot), microseconds: end)
    return schedule(Made(timing: .countdown(span), due: due, course: Course(.elapsed(end))))
  }

  private func schedule(_ made: Made) -> Command {
    let timing = made.timing
    var standing = Standing(course: made.course)
    standing.course.call = Course.Call(at: clock.read().wall, made.timing, text: made.text, zone: made.zone)
    standing.created = clock.read().wall
    let policy: MissedPolicy =
      switch dice.number(0...5) {
      case 0: .record
      case 1: .ringWithin(dice.span(1_000...3_600_000))
      default: .ring
      }
    standing.course.mostLate = policy.mostLate
    if dice.oneIn(3) { standing.group = ledger.groups.sorted().last }
    let label = "a\(commands + 1)"
    if dice.oneIn(3) { standing.key = "key of \(label)" }
    // Every 10 s at the shortest, and for an hour.
    let patience = dice.oneIn(3) ? dice.span(10_000...(tempo == .seconds ? 60_000 : 3_600_000)) : nil
    standing.course.patience = patience
    let insist = dice.oneIn(5) ? dice.span(tempo == .seconds ? 10_000...60_000 : 300_000...3_600_000) : nil
    let alarm = Alarm(
      number: 0, id: .zero, label: label, category: .soft, eggs: 2, group: standing.group, position: 0,
      manner: Manner(insist: insist, unansweredAfter: patience), timing: timing, expression: made.text,
      readingZone: made.zone,
      ifMissed: policy, from: made.from, until: made.until, count: made.count, rules: made.rules,
      key: standing.key, createdAt: clock.read().wall, due: made.due)
    var command = Command(
      text: "schedule \(label) \(timing), \(made.rules), count \(made.count ?? 0)",
      change: ScheduleChange(alarm, keyedRequest: standing.key), new: [label: standing])
    command.apply = { [ledger, recurring = made.recurring] outcome in
      guard let made = outcome.alarms.first else {
        throw Ledger.Violation(text: "\(label) was scheduled and is not told")
      }
      var standing = standing
      ledger.refresh(&standing.course, of: recurring)
      try ledger.made(made.number, standing)
    }
    return command
  }

  func edit() -> Command {
    let selection = selection()
    let now = clock.read()
    var edit = AlarmEdit()
    guard dice.oneIn(2) else {
      // An alarm that has that number already would not be changed.
      edit.eggs = Int64(dice.number(1...1_000_000))
      return changing("edit eggs of", selection, EditChange(selection, edit)) { standing, _ in
        standing.touch(now)
      }
    }
    let made = timing()
    edit.timing = AlarmEdit.NewTiming(
      timing: made.timing, expression: made.text, forcedKind: nil, readingZone: made.zone, due: made.due)
    (edit.from, edit.until, edit.count) = (made.from, made.until, made.count)
    (edit.leads, edit.except, edit.onlyOn) = (made.rules.leads, made.rules.except, made.rules.onlyOn)
    return changing("edit to \(made.timing)", selection, EditChange(selection, edit)) {
      [ledger] standing, _ in
      let (mostLate, patience) = (standing.course.mostLate, standing.course.patience)
      standing.dismiss()
      let isSetRight = standing.course.isSetRight
      let skips = standing.course.recurring?.quiet.skips ?? []
      standing.course = made.course
      (standing.course.mostLate, standing.course.patience) = (mostLate, patience)
      standing.course.call = Course.Call(at: now.wall, made.timing, text: made.text, zone: made.zone)
      standing.course.isSetRight = isSetRight
      ledger.refresh(&standing.course, of: made.recurring, skips: skips)
      // What rang before counts on for how it goes on.
      standing.course.recurring?.last = standing.known
      standing.course.led?.last = standing.known
      standing.touch(now)
      (standing.isDone, standing.aside) = (false, nil)
    }
  }

  /// Alarms of an export: some to come, some past by now.
  func importAlarms() -> Command {
    guard let store = life?.store else { return move() }
    let now = clock.read()
    let id = store.beginImport()
    var made: [String: Standing] = [:]
    var alarms: [(alarm: Alarm, occurrences: [Occurrence])] = []
    for index in 0...dice.number(0...3) {
      let span = dice.span(100...(tempo == .seconds ? 60_000 : 86_400_000))
      let at = dice.oneIn(3) ? now.wall - span : now.wall + span
      let label = "i\(commands + 1).\(index)"
      alarms.append(
        (
          Alarm(
            number: Int64(1_000 * (commands + 1) + index), id: AlarmID(), label: label,
            position: Int64(index) << 20, timing: .instant(at), expression: "then", readingZone: "UTC",
            createdAt: now.wall - .seconds(60), due: .wall(at)), []
        ))
      var standing = Standing()
      standing.created = now.wall - .seconds(60)
      standing.known = at > now.wall ? nil : now.wall
      if at > now.wall { standing.course = Course(.instant(at)) }
      made[label] = standing
    }
    store.submit(
      ChangeRequest(ImportAlarmsChange(id, alarms: alarms), readAt: now)
    ) { _ in }
    var command = Command(text: "import \(made.keys.sorted())", change: CommitImportChange(id), new: made)
    command.apply = { [self, asked = ledger.order.replies] outcome in
      // That of a disk that took none of it.
      guard let imported = outcome.imported, imported.count > 0 else { return }
      store.endImport(id)
      ledger.order.forgetPlaced(since: asked)
      // They are listed as the export had them.
      let rows = (view?.rows() ?? [:]).filter { ledger.alarms[$0.key] == nil }
      for label in alarms.compactMap(\.alarm.label) {
        guard let row = rows.values.first(where: { $0.label == label }) else { continue }
        if let standing = made[label] { try ledger.made(row.number, standing) }
        // It may have come due before it was there.
        if clock.read().boot > now.boot { ledger.changedLate.insert(row.number) }
      }
    }
    return command
  }

  /// Days off under one of two names are others, or more.
  func changeDaysOff() -> Command {
    let now = clock.read()
    let name = "off \(dice.number(1...2))"
    let first = Zone.utc.civil(at: now.wall).dayNumber + dice.number(-1...2)
    let days = first...first + dice.number(0...2)
    let range = DayRange(
      CivilDate(dayNumber: days.lowerBound), through: CivilDate(dayNumber: days.upperBound))
    let ranges = [range].compactMap { $0 }
    let adds = dice.oneIn(3)
    var command = Command(
      text: "make \(name) \(adds ? "more" : "these"): \(ranges)",
      change: DaysOffChange(name, adds ? .add(ranges) : .replace(ranges)), numbers: ledger.users(of: name))
    (command.reachesNew, command.changesDaysOff) = (true, true)
    command.apply = { [ledger] _ in
      let all = adds ? (ledger.daysOff[name] ?? []).union(days) : Set(days)
      guard all != ledger.daysOff[name] else { return }
      ledger.daysOff[name] = all
      for number in ledger.users(of: name) {
        try ledger.change(number) {
          $0.course.keepQuiet(now, ledger.zones) { $0.change(name, to: all) }
        }
      }
    }
    return command
  }

  /// Undo; or redo, which undoes an undo.
  func undo(redoes: Bool = false) -> Command {
    let now = clock.read()
    var command = Command(
      text: redoes ? "redo" : "undo", change: UndoChange(expected: nil, redoes: redoes),
      numbers: Set(ledger.alarms.keys).union(ledger.deleted))
    (command.mayBringBack, command.reachesNew, command.changesDaysOff) = (true, true, true)
    command.apply = { [self] outcome in
      guard let undone = outcome.undone, let view else { return }
      try undoOrder.took(undone.sequence, as: outcome.sequence, redoes: redoes)
      trace("\(redoes ? "redoes" : "undoes") \(undone.kind) of \(undone.numbers)")
      let copy = undoSteps.removeValue(forKey: undone.sequence)
      ledger.daysOff = view.daysOff()
      var touched = copy.map { Set($0.before.keys).union($0.after.keys) } ?? []
      if undone.kind == .daysOff, let name = undone.label { touched.formUnion(ledger.users(of: name)) }
      ledger.order.forget(touched.union(undone.numbers))
      if undone.count > undone.numbers.count { ledger.order.forgetAll() }
      seen.undid(touched.union(undone.numbers), view.ringing())
      for number in touched.union(undone.numbers).sorted() {
        unbubbled.insert(number)
        guard let standing = view.standing(of: number, boot: ledger.boot) else {
          guard copy == nil || copy?.before[number] == nil || ledger.alarms[number] == nil else {
            throw Ledger.Violation(text: "undo deletes #\(number), which the change had not made")
          }
          ledger.deleted([number])
          continue
        }
        if let copy { try check(standing, number, copy, now) }
        // What rang beside the undo is not in the rows yet.
        let hasRung = ledger.alarms[number]?.unrecorded.isEmpty == false
        // What waited for an answer before the undo may have been recorded only with it.
        let known = ledger.alarms[number]?.standing?.waiting ?? [:]
        let waiting = standing.waiting.filter { known[$0.key] != $0.value }
        let moments = standing.course.moments + waiting.values
        for moment in moments where !hasRung && moment.instant(now, ledger.zones) <= now.wall {
          throw Ledger.Violation(text: "undo lets #\(number) ring at once")
        }
        ledger.adopt(number, standing)
      }
    }
    return command
  }

  /// What nothing has happened to since the change is as before it.
  private func check(_ standing: Standing, _ number: Int64, _ copy: UndoStepCopy, _ now: ClockReading) throws
  {
    guard copy.zoneChanges == ledger.zoneChanges, copy.boots == boots,
      copy.after[number] == ledger.alarms[number]?.standing
    else { return }
    guard var before = copy.before[number] else {
      throw Ledger.Violation(text: "undo leaves #\(number), which the change had made")
    }
    guard before.course.moments.allSatisfy({ $0.instant(now, ledger.zones) > now.wall }) else { return }
    // Whoever undoes an answer is there.
    before.course.unanswered = before.course.unanswered.filter {
      $0.value.instant(now, ledger.zones) > now.wall
    }
    guard before.waits(as: standing) else {
      throw Ledger.Violation(text: "undo leaves #\(number) as \(standing), not as \(before)")
    }
  }
}
