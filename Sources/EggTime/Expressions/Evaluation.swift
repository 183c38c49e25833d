/// Gives a form its meaning at a moment, on a clock.
struct Evaluation {
  let context: ReadingContext

  /// What a form comes to.
  struct Outcome {
    var reading: Reading
    /// nil when a recurring time has no elapse to come.
    var moment: Instant?
    var resolution: CivilResolution?
  }

  /// `start` is the offset of what is found to be out of bounds.
  func outcome(_ form: Form, start: Int) throws(Misread) -> Outcome {
    let outcome: Outcome
    switch form {
    case .span(let span, _): outcome = Outcome(reading: .span(span), moment: context.now + span)
    case .epoch(let instant): outcome = Outcome(reading: .instant(instant), moment: instant)
    case .elapsed(let span, _):
      // Elapsed time is a countdown, however it is typed: a clock step does not move it.
      let moment = context.now + span
      outcome = Outcome(reading: span > .zero ? .span(span) : .instant(moment), moment: moment)
    case .shifted(let days, let months): outcome = try shifted(days: days, months: months, start: start)
    case .civil(let civil): outcome = try self.civil(civil, start: start)
    case .calendar(let fields, let zone): outcome = try calendar(fields, zone)
    }
    if let moment = outcome.moment, moment.microseconds < 0 || moment > .latest {
      throw Self.outOfBounds(start)
    }
    return outcome
  }

  private func shifted(days: Int, months: Int, start: Int) throws(Misread) -> Outcome {
    let today = context.zone.civil(at: context.now)
    return try outcome(
      today.adding(months: months).adding(days: days), in: context.zone, named: nil, start: start)
  }

  private func calendar(
    _ fields: CalendarEvent.Fields, _ typed: (name: String, offset: Int)?
  ) throws(Misread) -> Outcome {
    let (zone, name, isFixed) = try zone(typed.map { .named($0.name, offset: $0.offset) })
    if isFixed, let typed { throw Misread(offset: typed.offset, reason: .unknownZone, isDecisive: true) }
    let event = CalendarEvent(fields, zoneName: name)
    return Outcome(reading: .recurring(.event(event)), moment: event.next(after: context.base, in: zone))
  }

  private func civil(_ form: CivilForm, start: Int) throws(Misread) -> Outcome {
    let (zone, name, isFixed) = try zone(form.zone)
    let today = zone.civil(at: context.now)
    let time = form.time ?? .midnight
    func outcome(daysAhead: Int) throws(Misread) -> Outcome {
      let date = CivilDateTime(dayNumber: today.dayNumber + daysAhead)
      return try self.outcome(time.on(date), in: zone, named: name, start: start)
    }
    var found: Outcome
    switch form.date {
    case .full(let year, let month, let day):
      let date = CivilDateTime(year: year, month: month, day: day)
      found = try self.outcome(time.on(date), in: zone, named: name, start: start)
    case .monthDay(let month, let day, let offset):
      let isOver = (month, day) < (today.month, today.day)
      let date = CivilDateTime(year: today.year + (isOver ? 1 : 0), month: month, day: day)
      guard date.isValid else { throw Misread(offset: offset, reason: .noSuchDate, isDecisive: true) }
      found = try self.outcome(time.on(date), in: zone, named: name, start: start)
    case .relative(let days): found = try outcome(daysAhead: days)
    case nil:
      // A weekday, or a time alone: today if that is still ahead, else a week or a day later.
      let ahead = form.day.map { ($0.weekday.rawValue - today.weekday.rawValue + 7) % 7 } ?? 0
      let later = form.day == nil ? 1 : 7
      found = try outcome(daysAhead: ahead)
      if ahead == 0, found.moment.map({ $0 <= context.now }) ?? false || form.day?.notToday ?? false {
        found = try outcome(daysAhead: later)
      }
    }
    if isFixed, let moment = found.moment { found = Outcome(reading: .instant(moment), moment: moment) }
    return found
  }

  private func outcome(
    _ civil: CivilDateTime, in zone: Zone, named name: String?, start: Int
  ) throws(Misread) -> Outcome {
    guard civil.isValid else { throw Self.outOfBounds(start) }
    let resolution = zone.resolve(civil)
    return Outcome(reading: .civil(civil, zone: name), moment: resolution.instant, resolution: resolution)
  }

  /// The clock that was typed. An offset, `Z` and an abbreviation are clocks that no zone data can move.
  private func zone(_ form: ZoneForm?) throws(Misread) -> (zone: Zone, name: String?, isFixed: Bool) {
    switch form {
    case nil: return (context.zone, nil, false)
    case .offset(let seconds): return (.fixed(offset: seconds), nil, true)
    case .named(let name, let offset):
      if name == "UTC" { return (.utc, name, false) }
      if name == context.zone.identifier, ZoneDirectory.isIdentifier(name) {
        return (context.zone, name, false)
      }
      let known = context.zone.abbreviations(around: context.now)
      if let local = known.first(where: { $0.name == name }) {
        return (.fixed(offset: local.offset), nil, true)
      }
      // EST and CET are files too, but in an expression they are abbreviations, here of another zone's time.
      let isCapital = name.utf8.allSatisfy { $0 &- UInt8(ascii: "A") < 26 }
      guard !isCapital || Self.capitalNames.contains(name) else {
        let isFile = (try? context.loadZone(name)) != nil
        throw Misread(offset: offset, reason: isFile ? .foreignAbbreviation : .unknownZone, isDecisive: true)
      }
      do throws(ZoneError) {
        return (try context.loadZone(name), name, false)
      } catch {
        switch error {
        case .invalidIdentifier, .unknown:
          throw Misread(offset: offset, reason: .unknownZone, isDecisive: true)
        case .unreadable, .malformed:
          throw Misread(offset: offset, reason: .unusableZone, isDecisive: true)
        }
      }
    }
  }

  /// The zones whose names are capitals and abbreviate no time but Greenwich's, which is everywhere the same: tzdata's
  /// file `backward`.
  private static let capitalNames = ["GB", "GMT", "NZ", "PRC", "ROC", "ROK", "UCT"]

  private static func outOfBounds(_ offset: Int) -> Misread {
    Misread(offset: offset, reason: .outOfBounds, isDecisive: true)
  }
}

extension TimeOfDay {
  /// This time on a date; 1 000 000 µs are the next second.
  fileprivate func on(_ date: CivilDateTime) -> CivilDateTime {
    let civil = CivilDateTime(
      year: date.year, month: date.month, day: date.day, hour: hour, minute: minute, second: second,
      microsecond: microsecond)
    guard microsecond == 1_000_000 else { return civil }
    return CivilDateTime(secondsOnClock: civil.secondsOnClock + 1)
  }
}
