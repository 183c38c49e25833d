import EggTime
import Gettext

/// What an entry adds to its rule and leaves out, on the clock of its start.
struct EntryExceptions {
  var dates: Set<CivilDateTime> = []
  var excluded: Set<BasicDateTime> = []
  var notes: [String] = []

  var isEmpty: Bool { dates.isEmpty && excluded.isEmpty }

  /// Without what is over.
  func since(_ day: Int) -> EntryExceptions {
    var later = self
    later.dates = dates.filter { $0.dayNumber >= day }
    later.excluded = excluded.filter { $0.civil.dayNumber >= day }
    return later
  }
}

extension EntryTiming {
  /// Reads RDATE and EXDATE, and the entries that change one occurrence each.
  mutating func exceptions(
    of draft: EntryDraft, start: CalendarMoment
  ) throws(CalendarProblem) -> EntryExceptions {
    var exceptions = EntryExceptions()
    for property in draft.dates {
      for moment in try moments(property) {
        var civil = moment.civil(onClockOf: start, local: context.zone)
        if moment.isDay, !start.isDay {
          (civil.hour, civil.minute, civil.second) = (
            start.civil.hour, start.civil.minute, start.civil.second
          )
          exceptions.notes.append(tr("an RDATE has no time of day; it rings at that of the start"))
        }
        exceptions.dates.insert(civil)
      }
    }
    for property in draft.excludedDates {
      for moment in try moments(property) { exceptions.excluded.insert(excluded(moment, start)) }
    }
    for override in draft.overrides {
      do throws(CalendarProblem) {
        try override.check()
        try apply(override, to: draft, start: start, &exceptions)
      } catch {
        problems.append(override.named(error))
      }
    }
    // What is named by both was moved there.
    exceptions.excluded.subtract(
      draft.overrides.isEmpty ? [] : exceptions.dates.map { BasicDateTime($0) })
    return exceptions
  }

  /// The moments of a list; of a period (VALUE=PERIOD), its start.
  mutating func moments(_ property: Property) throws(CalendarProblem) -> [CalendarMoment] {
    guard !property.isCut else { throw property.problem(RuleProblem.tooLong.words(in: tr)) }
    var moments: [CalendarMoment] = []
    for value in property.value.split(separator: ",", omittingEmptySubsequences: false) {
      moments.append(try moment(value.prefix { $0 != "/" }, of: property))
    }
    return moments
  }

  private func excluded(_ moment: CalendarMoment, _ start: CalendarMoment) -> BasicDateTime {
    BasicDateTime(
      moment.civil(onClockOf: start, local: context.zone), isDay: moment.isDay && !start.isDay)
  }

  /// The occurrence that a RECURRENCE-ID names.
  mutating func original(
    of property: Property, _ start: CalendarMoment
  ) throws(CalendarProblem) -> BasicDateTime {
    guard property.parameter("RANGE") == nil else {
      throw property.problem(
        tr("it changes all later occurrences (RANGE); alarms can only move one of them"))
    }
    return excluded(try moment(property), start)
  }

  /// A moved occurrence is left out and added where it went.
  private mutating func apply(
    _ override: EntryDraft, to draft: EntryDraft, start: CalendarMoment, _ exceptions: inout EntryExceptions
  ) throws(CalendarProblem) {
    guard let property = override[.recurrence] else { return }
    let original = try original(of: property, start)
    guard !override.isOff else {
      exceptions.excluded.insert(original)
      return
    }
    let civil = try self.start(of: override).civil(onClockOf: start, local: context.zone)
    if original.isDay || original.civil != civil {
      exceptions.excluded.insert(original)
      exceptions.dates.insert(civil)
    }
    for name in [Property.Name.summary, .description] where override.text(name) != draft.text(name) {
      exceptions.notes.append(tr("one occurrence has a text of its own; it rings with that of the others"))
      break
    }
    if override.alarms.map(\.lead?.value) != draft.alarms.map(\.lead?.value) {
      exceptions.notes.append(tr("one occurrence has alarms of its own; it rings with those of the others"))
    }
  }
}

extension EntryTiming {
  /// The recurrence set. If that is too long, what is over is left out.
  func set(
    _ rule: RecurrenceRule?, _ exceptions: EntryExceptions, _ draft: EntryDraft, start: CalendarMoment,
    shift: Int
  ) throws(CalendarProblem) -> RecurrenceSet {
    func set(_ exceptions: EntryExceptions) throws(RuleProblem) -> RecurrenceSet {
      try RecurrenceSet(
        start: start.civil, rule: rule, dates: Array(exceptions.dates), excluded: Array(exceptions.excluded),
        lead: CalendarDistance(secondsOnClock: shift))
    }
    do throws(RuleProblem) {
      do throws(RuleProblem) {
        return try set(exceptions)
      } catch {
        guard error == .tooLong else { throw error }
        return try set(exceptions.since(context.zone.civil(at: over).dayNumber - 2))
      }
    } catch {
      let line = draft[.rule]?.line ?? draft.dates.first?.line ?? draft.line
      throw CalendarProblem(line: line, message: error.words(in: tr))
    }
  }

  /// The entry as of now. Its end and count are the set's own.
  func settle(
    _ set: RecurrenceSet, _ draft: EntryDraft, start: CalendarMoment, first: CivilDateTime,
    _ exceptions: EntryExceptions
  ) throws(CalendarProblem) -> CalendarEntry {
    let zone = start.zone ?? context.zone
    let time = CalendarContent.Time(.every(.rule(set), zone: start.zone?.identifier))
    var entry = CalendarEntry(line: draft.line, content: CalendarContent(time))
    entry.from = try moment(.from, of: draft)
    entry.until = try moment(.until, of: draft)
    if let property = draft[.count] {
      guard let count = Int64(property.value), count > 0 else {
        throw property.problem(tr("X-EGGD-COUNT is not a number above 0"))
      }
      entry.count = count
    }
    let base = entry.from.map { $0 - TimeSpan(microseconds: 1) } ?? over
    entry.due = set.next(after: max(over, base), in: zone)
    if let due = entry.due, let until = entry.until, due > until { entry.due = nil }
    let begin = zone.resolve(first).instant
    if begin > context.now, exceptions.isEmpty, let due = entry.due, due != begin {
      entry.notes.append(tr("its start does not match its rule, so it does not ring then"))
    }
    return entry
  }
}
