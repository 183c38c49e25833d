import EggTime

/// Moves an entry's dates as far as its start moves. Times on the clock of the start follow it to another clock; others
/// stay on theirs, and move by the time that passes.
struct DateShift {
  let old: CalendarMoment
  let new: CalendarMoment
  let local: Zone
  var zones: CalendarZones

  private static let names = ["DTSTART", "DTEND", "DUE", "RDATE", "EXDATE"]

  /// - Parameter isChange: It changes one occurrence of the series that moves.
  mutating func move(_ entry: inout ComponentLines, isChange: Bool = false) {
    for name in Self.names + (isChange ? ["RECURRENCE-ID"] : []) {
      entry.edit(name) { moved($0) }
    }
    entry.editComponents { component in
      // A fixed moment long ago stands for none.
      guard let draft = component.alarm, !draft.isOfPlace,
        draft.rings || component["ACTION"]?.value.uppercased() != "NONE"
      else { return component }
      var alarm = component
      alarm.edit("TRIGGER") { moved($0, isElapsed: true) }
      return alarm
    }
  }

  private mutating func moved(_ line: ComponentLines.Line, isElapsed: Bool = false) -> ComponentLines.Line {
    guard let property = line.property else { return line }
    let zone = property.parameter("TZID").flatMap { zones.zone($0) }
    var follows = false
    let values = property.value.split(separator: ",", omittingEmptySubsequences: false).map { value in
      // A period has a start, and an end or a length.
      value.split(separator: "/", omittingEmptySubsequences: false).map { part in
        guard let moment = CalendarMoment(part, zone: zone) else { return String(part) }
        let isUTC = BasicDateTime(part)?.isUTC == true
        let isOnClock = !isElapsed && moment.isOnClock(of: old)
        follows = follows || isOnClock && !moment.isDay
        return moved(moment, isOnClock: isOnClock, isUTC: isUTC).description
      }.joined(separator: "/")
    }.joined(separator: ",")
    guard follows, !new.isOnClock(of: old) else { return line.with(values) }
    let clock = new.isUTC ? nil : new.zone.map { ";TZID=" + Property.quoted($0.identifier) }
    return line.with(Array(values.utf8), without: "TZID", adding: clock ?? "")
  }

  /// A line with this moment, on its own clock.
  mutating func moved(_ line: ComponentLines.Line, to moment: CalendarMoment) -> ComponentLines.Line {
    let zone = line.property?.parameter("TZID").flatMap { zones.zone($0) }
    guard let old = CalendarMoment(line.value, zone: zone) else { return line }
    let isUTC = BasicDateTime(line.value)?.isUTC == true
    return line.with(BasicDateTime(moment.civil(onClockOf: old, local: local), isUTC: isUTC).description)
  }

  /// A rule whose UNTIL moves with its start.
  func movedEnd(of rule: ComponentLines.Line) -> ComponentLines.Line {
    let parts = rule.value.split(separator: ";").map { part in
      guard part.uppercased().hasPrefix("UNTIL="), var end = CalendarMoment(part.dropFirst(6), zone: old.zone)
      else { return String(part) }
      let isUTC = BasicDateTime(part.dropFirst(6))?.isUTC == true
      end = CalendarMoment(end.civil(onClockOf: old, local: local), on: old.zone, isDay: end.isDay)
      let civil = moved(end, isOnClock: true, isUTC: false)
      guard isUTC else { return "UNTIL=\(civil)" }
      return "UNTIL=\(ContentWriter.utc(CalendarMoment(civil.civil, on: new.zone).instant(local)))"
    }
    return rule.with(parts.joined(separator: ";"))
  }

  private func moved(_ moment: CalendarMoment, isOnClock: Bool, isUTC: Bool) -> BasicDateTime {
    if moment.isDay {
      let days = new.civil.dayNumber - old.civil.dayNumber
      return BasicDateTime(moment.civil.adding(days: days), isDay: true)
    }
    if isOnClock {
      let seconds = new.civil.secondsOnClock - old.civil.secondsOnClock
      let civil = CivilDateTime(secondsOnClock: moment.civil.secondsOnClock + seconds)
      return BasicDateTime(civil, isUTC: new.isUTC)
    }
    let instant = moment.instant(local) + (new.instant(local) - old.instant(local))
    return BasicDateTime((moment.zone ?? local).civil(at: instant), isUTC: isUTC)
  }
}
