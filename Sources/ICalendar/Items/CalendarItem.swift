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
  /// nil if it is cancelled, a to-do without a date, or a series that was completed as a whole.
  package let entry: CalendarEntry?
  /// Whether it is a to-do that nothing gives a moment.
  package let lacksDate: Bool
  /// VCALENDAR.
  let file: ComponentLines

  package var bytes: [UInt8] { file.bytes }

  /// Reads a file. Throws if it holds anything but one entry or one series.
  package init(_ bytes: [UInt8], in context: ReadingContext) throws(CalendarProblem) {
    guard let file = ComponentLines(file: bytes), file.name == "VCALENDAR" else {
      // The reader knows the line.
      for case .failure(let problem) in ICalendarReader.read(bytes, in: context) { throw problem }
      throw CalendarProblem(
        line: 1, message: tr("not an iCalendar file: it does not begin with BEGIN:VCALENDAR"))
    }
    let entries = file.components.filter(\.isEntry)
    guard let main = file.main else {
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
    let draft = EntryDraft(main)
    let isOff = main["STATUS"]?.value.uppercased() == "CANCELLED" || draft.hasRule && draft.isOff
    var found: [CalendarEntry] = []
    var problem: CalendarProblem?
    for result in ICalendarReader.read(bytes, in: context) {
      switch result {
      case .success(let entry): found.append(entry)
      case .failure(let next): problem = problem ?? next
      }
    }
    lacksDate =
      !isOff && found.isEmpty && main.name == "VTODO" && main["DTSTART"] == nil && main["DUE"] == nil
    guard !isOff, !lacksDate else {
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
    file.editComponents { $0.name == "VTIMEZONE" ? nil : $0 }
    return String(decoding: file.bytes, as: UTF8.self)
  }

  /// What an edit of a file gives.
  package struct Edited {
    /// nil if the file stays as it is.
    package var bytes: [UInt8]?
    /// Fields that its lines cannot say: the time and the leads, if any.
    package var unsaid: Set<CalendarContent.Field> = []
  }

  /// The file with these fields of an alarm. Each changes its own lines and no other.
  ///
  /// - Parameters:
  ///   - alarm: With all fields as the file is to have them.
  ///   - old: What the file has.
  ///   - read: What a file says.
  /// - Returns: nil if nothing of the alarm is to come.
  package func edited(
    _ fields: Set<CalendarContent.Field>, to alarm: CalendarAlarm, from old: CalendarContent,
    in context: ReadingContext, daysOff: @escaping (String) -> DaySet?,
    reading read: (CalendarItem) -> CalendarContent?
  ) -> Edited? {
    guard let text = Self.text(of: alarm, in: context, daysOff: daysOff),
      let written = ComponentLines(file: Array(text.utf8)),
      let source = written.components.first(where: \.isEntry),
      let place = file.mainPlace, let entry = file.main
    else { return nil }
    func given(
      _ fields: Set<CalendarContent.Field>, without unsaid: Set<CalendarContent.Field> = []
    ) -> ComponentLines {
      var file = file
      file.parts[place] = .component(EntryEdit(entry, fields, from: source, without: unsaid).entry)
      return file
    }
    let moments = fields.intersection([.time, .leads])
    guard !moments.isEmpty else { return Edited(bytes: given(fields).bytes) }
    func time(_ file: ComponentLines, from begin: Instant? = nil) -> CalendarContent.Time? {
      var time = (try? CalendarItem(file.bytes, in: context)).flatMap(read)?.time
      if let begin { time?.from = begin }
      return time
    }
    if let new = time(written),
      let edit = TimeEdit(given(fields), at: place, from: written, old.time, new, in: context)
    {
      var begun = new
      begun.from = edit.begin ?? new.from
      for proposal in edit.proposals() {
        let isSaid =
          time(proposal.file)?.rings(like: new, in: context) ?? false
          || time(proposal.bare, from: edit.begin)?.rings(like: begun, in: context) ?? false
        if isSaid { return Edited(bytes: proposal.file.bytes) }
      }
    }
    let others = fields.subtracting(moments)
    return Edited(bytes: others.isEmpty ? nil : given(others, without: moments).bytes, unsaid: moments)
  }
}
