import EggProtocol
import EggTime
import ICalendar

/// The list as it is written out: groups first, then alarms in their order, page by page.
struct ExportedList {
  private let connection: Connection
  /// Tells what became of alarms while the pages come on the other.
  private let past: Connection
  private let output: Output
  private let group: String?

  init(_ connection: Connection, pastOver past: Connection, to output: Output, group: String?) {
    self.output = output
    self.connection = connection
    self.past = past
    self.group = group
  }

  /// One line of the file: a group or an alarm.
  struct Line: Codable {
    var group: WireGroup?
    var alarm: WireAlarm?
    var occurrences: [WireOccurrence]?
  }

  /// Each group, then each alarm with its occurrences, as a JSON object on a line of its own.
  func writeLines() throws {
    for group in try connection.read(ListGroupsCall(name: group)).groups {
      let plain = WireGroup(name: group.name, color: group.color, icon: group.icon)
      try output.data(JSON.text(Line(group: plain)) + "\n")
    }
    try alarms { alarm, occurrences in
      try output.data(JSON.text(Line(alarm: alarm, occurrences: occurrences)) + "\n")
    }
  }

  /// A calendar of all alarms; what other calendars cannot show of one is told on standard error.
  func writeCalendar(in surroundings: Surroundings) throws {
    var writer = ICalendarWriter(
      context: ReadingContext(now: surroundings.now(), zone: try surroundings.zone()))
    var notes = Notes()
    try output.data(writer.header())
    try alarms { alarm, _ in
      let entry = writer.entry(CalendarAlarm(alarm))
      try output.data(entry.text)
      if let message = entry.message { notes.add(message, of: "alarm \(alarm.number)") }
    }
    try output.data(writer.end())
    try notes.tell(output)
  }

  /// All alarms in the order of the list.
  func alarms(_ each: (WireAlarm, [WireOccurrence]) throws -> Void) throws {
    var written: Int64 = 0
    try connection.pages(ListCall(group: group)) { page in
      // What has no occurrence is told in full by the list.
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
      if page.after != nil { try output.progress("\(written) of \(page.totals.alarms) alarms written") }
    }
  }
}
