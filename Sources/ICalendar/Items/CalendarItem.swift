import EggTime
import Gettext

/// One file of a folder of entries (a vdir): an event or a to-do, with the entries that change single
/// occurrences of it.
package struct CalendarItem {
  package let uid: String
  /// LAST-MODIFIED, else DTSTAMP.
  package let modifiedAt: Instant?
  /// SEQUENCE: how often it was rewritten.
  package let revision: Int
  /// nil if it is cancelled, or a to-do without a date.
  package let entry: CalendarEntry?
  /// Whether it is a to-do that nothing gives a moment.
  package let lacksDate: Bool
  /// VCALENDAR.
  let file: ComponentLines

  /// Reads a file. Throws if it holds anything but one entry or one series.
  package init(_ bytes: [UInt8], in context: ReadingContext) throws(CalendarProblem) {
    guard let file = ComponentLines(file: bytes), file.name == "VCALENDAR" else {
      // The reader knows the line.
      for case .problem(let problem) in ICalendarReader.read(bytes, in: context) { throw problem }
      throw CalendarProblem(
        line: 1, message: tr("not an iCalendar file: it does not begin with BEGIN:VCALENDAR"))
    }
    let entries = file.components.filter(\.isEntry)
    guard let main = entries.first(where: { $0["RECURRENCE-ID"] == nil }) ?? entries.first else {
      throw CalendarProblem(line: 1, message: tr("it has no event and no to-do"))
    }
    let uids = Set(entries.map { $0["UID"]?.value })
    guard let uid = main["UID"]?.value, !uid.isEmpty else {
      throw CalendarProblem(line: 1, message: tr("its entry has no UID"))
    }
    guard uids.count == 1, entries.count(where: { $0["RECURRENCE-ID"] == nil }) <= 1 else {
      throw CalendarProblem(line: 1, message: tr("it has several entries, not one"))
    }
    self.file = file
    self.uid = uid
    modifiedAt = (main["LAST-MODIFIED"] ?? main["DTSTAMP"]).flatMap {
      CalendarMoment($0.value)?.instant(.utc)
    }
    revision = main["SEQUENCE"].flatMap { Int($0.value) } ?? 0
    guard main["STATUS"]?.value.uppercased() != "CANCELLED" else {
      entry = nil
      lacksDate = false
      return
    }
    var found: [CalendarEntry] = []
    var problem: CalendarProblem?
    for result in ICalendarReader.read(bytes, in: context) {
      switch result {
      case .entry(let entry): found.append(entry)
      case .problem(let next): problem = problem ?? next
      }
    }
    lacksDate = found.isEmpty && main.name == "VTODO" && main["DTSTART"] == nil && main["DUE"] == nil
    guard !lacksDate else {
      entry = nil
      return
    }
    guard let entry = found.first else {
      throw problem ?? CalendarProblem(line: 1, message: tr("it has no event and no to-do"))
    }
    guard found.count == 1 else {
      throw CalendarProblem(line: 1, message: tr("it has several entries, not one"))
    }
    self.entry = entry
  }
}

extension CalendarItem {
  /// A file with one alarm; nil if it has no moment.
  package static func text(
    of alarm: CalendarAlarm, in context: ReadingContext, daysOff: @escaping (String) -> DaySet? = { _ in nil }
  ) -> String? {
    var writer = ICalendarWriter(context: context, marksToDos: false, daysOff: daysOff)
    let entry = writer.entry(alarm)
    return entry.text.isEmpty ? nil : writer.header() + entry.text + writer.end()
  }

  /// The file without descriptions of zones: the machine has its own.
  package static func withoutZones(_ text: String) -> String? {
    guard var file = ComponentLines(file: Array(text.utf8)) else { return nil }
    file.parts.removeAll {
      if case .component(let component) = $0 { component.name == "VTIMEZONE" } else { false }
    }
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// The file, with these fields taken from another file that ``text(of:in:)`` wrote. All that an alarm does
  /// not have stays as it is.
  package func text(taking fields: Set<CalendarContent.Field>, from written: String) -> String? {
    guard let new = ComponentLines(file: Array(written.utf8)),
      let source = new.components.first(where: \.isEntry)
    else { return nil }
    let changesTime = fields.contains(.time)
    var result = ComponentLines(name: file.name)
    var isFirst = true
    let zones = Set(file.components.compactMap { $0.name == "VTIMEZONE" ? $0["TZID"]?.value : nil })
    for part in file.parts {
      guard case .component(let component) = part, component.isEntry else {
        result.parts.append(part)
        continue
      }
      if isFirst {
        for zone in new.components where zone.name == "VTIMEZONE" {
          if let name = zone["TZID"]?.value, !zones.contains(name) { result.parts.append(.component(zone)) }
        }
        isFirst = false
      }
      // The dates of a new time include what changed single occurrences of the old one.
      if component["RECURRENCE-ID"] != nil, changesTime, hasSeries { continue }
      let isMain = component["RECURRENCE-ID"] == nil || !hasSeries
      result.parts.append(.component(isMain ? component.taking(fields, from: source) : component))
    }
    return String(decoding: result.bytes, as: UTF8.self)
  }

  var hasSeries: Bool { file.components.contains { $0.isEntry && $0["RECURRENCE-ID"] == nil } }
}

extension ComponentLines {
  var isEntry: Bool { name == "VEVENT" || name == "VTODO" }

  /// Whether other calendars show or sound it.
  var rings: Bool {
    name == "VALARM" && ["DISPLAY", "AUDIO"].contains(self["ACTION"]?.value.uppercased() ?? "")
  }

  fileprivate func taking(_ fields: Set<CalendarContent.Field>, from source: ComponentLines) -> ComponentLines
  {
    var names: Set<String> = ["DTSTAMP", "LAST-MODIFIED", "SEQUENCE"]
    for field in fields { names.formUnion(Self.names(of: field)) }
    var lines = self.lines.filter { !names.contains($0.name) }
    lines += source.lines.filter { names.contains($0.name) }.map {
      isToDo ? $0.ofToDo(recurs: source["RRULE"] != nil) : $0
    }
    if fields.contains(.done), isToDo { lines += source.doneLines }
    var inner = components.map { fields.contains(.label) ? $0.retitled(from: self, to: source) : $0 }
    let endsOrBegins = inner.contains(where: \.rings) != source.components.contains(where: \.rings)
    if fields.contains(.time) || fields.contains(.done) && endsOrBegins {
      inner = inner.filter { !$0.rings } + source.components.filter(\.rings)
    }
    var result = ComponentLines(name: name)
    result.parts = lines.map(Part.line) + inner.map(Part.component)
    return result
  }

  /// A VALARM that shows its entry's summary shows the new one.
  private func retitled(from old: ComponentLines, to new: ComponentLines) -> ComponentLines {
    guard rings, let shown = self["DESCRIPTION"], shown.value == old["SUMMARY"]?.value,
      let title = new["SUMMARY"]
    else { return self }
    var result = ComponentLines(name: name)
    result.parts = parts.map { part in
      guard case .line(let line) = part, line.name == shown.name else { return part }
      let value = ComponentLines.Line.folded("DESCRIPTION:\(title.value)")
      return .line(ComponentLines.Line(name: shown.name, bytes: value))
    }
    return result
  }

  private var isToDo: Bool { name == "VTODO" }

  /// How a to-do says that it is done.
  private var doneLines: [Line] {
    guard let done = self["X-EGGD-DONE"] else { return [] }
    return ["STATUS:COMPLETED", "PERCENT-COMPLETE:100", "COMPLETED:\(done.value)"].map {
      Line(name: String($0.prefix { $0 != ":" }), bytes: Array("\($0)\r\n".utf8))
    }
  }

  private static func names(of field: CalendarContent.Field) -> [String] {
    switch field {
    case .label, .summary: ["SUMMARY", "X-EGGD-SUMMARY", "X-EGGD-UNLABELLED"]
    case .body: ["DESCRIPTION"]
    case .note: ["COMMENT"]
    case .category, .group: ["CATEGORIES", "X-EGGD-GROUP"]
    case .eggs: ["X-EGGD-EGGS"]
    case .done: ["X-EGGD-DONE", "X-EGGD-LEADS", "STATUS", "PERCENT-COMPLETE", "COMPLETED"]
    case .time:
      [
        "DTSTART", "DTEND", "DUE", "DURATION", "RRULE", "RDATE", "EXDATE", "EXRULE", "X-EGGD-EVENT",
        "X-EGGD-INTERVAL", "X-EGGD-FROM", "X-EGGD-UNTIL", "X-EGGD-COUNT", "X-EGGD-LEADS", "X-EGGD-SKIP",
        "X-EGGD-EXCEPT", "X-EGGD-ONLY-ON",
      ]
    }
  }
}

extension ComponentLines.Line {
  static func folded(_ line: String) -> [UInt8] {
    var content = ContentWriter()
    content.line(line)
    return Array(content.text.utf8)
  }

  /// A to-do that does not recur is due when it rings.
  fileprivate func ofToDo(recurs: Bool) -> ComponentLines.Line {
    guard name == "DTSTART", !recurs else { return self }
    return ComponentLines.Line(name: "DUE", bytes: Array("DUE".utf8) + bytes.dropFirst(name.utf8.count))
  }
}
