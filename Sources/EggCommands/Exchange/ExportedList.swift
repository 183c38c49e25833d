import EggProtocol
import EggTime
import Gettext
import ICalendar
import Varlink

/// Exports the list page by page: first groups, then alarms in their order.
struct ExportedList {
  let connection: Connection
  /// A second connection: it reads past rings while pages arrive on the other.
  let past: Connection
  let output: Output
  let group: String?

  struct Line: Codable {
    var group: WireGroup?
    var daysOff: WireDaysOff?
    var alarm: WireAlarm?
    var occurrences: [WireOccurrence]?
  }

  /// Writes each group, then days off, then each alarm with its occurrences, one JSON object a line. With one group
  /// only the days off that its alarms name.
  func writeLines() throws {
    for group in try connection.read(ListGroupsCall(name: group)).groups {
      let plain = WireGroup(name: group.name, color: group.color, icon: group.icon)
      try output.data(JSON.text(Line(group: plain)) + "\n")
    }
    for name in try namesOfDaysOff() {
      for days in try connection.read(ListDaysOffCall(name: name)).daysOff {
        try output.data(JSON.text(Line(daysOff: days)) + "\n")
      }
    }
    try alarms { alarm, occurrences in
      try output.data(JSON.text(Line(alarm: alarm, occurrences: occurrences)) + "\n")
    }
  }

  private func namesOfDaysOff() throws -> [String] {
    let names = try connection.read(ListDaysOffCall()).daysOff.map(\.name)
    guard group != nil, !names.isEmpty else { return names }
    var named: Set<String> = []
    try connection.pages(ListCall(fields: [.except, .onlyOn], group: group)) { page in
      for alarm in page.alarms { named.formUnion((alarm.except ?? []) + (alarm.onlyOn ?? [])) }
    }
    return names.filter(named.contains)
  }

  /// Writes a calendar of all alarms. What other calendars cannot show is reported on standard error.
  func writeCalendar(in surroundings: Surroundings) throws {
    let known = KnownDaysOff(in: surroundings)
    var writer = ICalendarWriter(
      context: ReadingContext(now: surroundings.now(), zone: try surroundings.zone()),
      daysOff: { known[$0] })
    var notes = Notes()
    try output.data(writer.header())
    try alarms { alarm, _ in
      var written = CalendarAlarm(alarm)
      written.manner = alarm.manner
      // Others would ring at a time that is skipped.
      if alarm.kind == .every, let latest = alarm.latest, latest.outcome == .skipped {
        let from = written.content.time.from ?? latest.dueAt
        written.content.time.from = max(from, latest.dueAt + .seconds(1))
      }
      try known.load(for: written.content.time.rules)
      let entry = writer.entry(written)
      try output.data(entry.text)
      if let message = entry.message { notes.add(message, of: tr("alarm \(alarm.number)")) }
    }
    try output.data(writer.end())
    try notes.tell(output)
  }

  func alarms(_ each: (WireAlarm, [WireOccurrence]) throws -> Void) throws {
    var written: Int64 = 0
    try connection.pages(ListCall(group: group)) { page in
      // For alarms without occurrences the list has everything.
      let numbers = page.alarms.filter { $0.latest != nil }.map(\.number)
      var full: [Int64: ShowReply] = [:]
      for reply in try past.shows(numbers) { full[reply.alarm.number] = reply }
      for alarm in page.alarms {
        if alarm.latest == nil {
          try each(alarm, [])
        } else if let reply = full[alarm.number] {
          try each(reply.alarm, reply.occurrences)
        }
      }
      written += Int64(page.alarms.count)
      if page.after != nil { try output.progress(tr("\(written) of \(page.totals.alarms) alarms written")) }
    }
  }
}
