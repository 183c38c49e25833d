import Alarms
import EggTime
import Gettext

/// A VALARM, as far as it says when to ring.
struct AlarmDraft {
  /// DISPLAY, AUDIO, EMAIL, NONE and others, in upper case.
  private(set) var action = ""
  private(set) var lead: Property?
  /// How often it rings again, and after what time each.
  private(set) var repeats: Property?
  private(set) var pause: Property?
  /// A program's snooze of another VALARM: RFC 9074 §7.
  private(set) var isSnooze = false
  /// It waits for a place, not for a time, and its TRIGGER is a moment long ago: RFC 9074 §8, and Apple's own.
  private(set) var isOfPlace = false

  /// The parameter of an ACTION that keeps what it was: a done alarm is silent on other machines.
  static let silent = "X-EGGD-ACTION"

  mutating func take(_ property: Property) {
    switch property.name {
    case .action: action = property.word(Self.silent) ?? property.value.uppercased()
    case .lead: lead = lead ?? property
    case .repeats: repeats = repeats ?? property
    case .duration: pause = pause ?? property
    case .related: isSnooze = isSnooze || property.word("RELTYPE") == "SNOOZE"
    case .proximity, .appleProximity: isOfPlace = true
    default: break
    }
  }

  /// Whether its TRIGGER is a moment.
  var isFixed: Bool {
    lead.map { $0.word("VALUE") == "DATE-TIME" || CalendarMoment($0.value) != nil } ?? false
  }

  /// Whether its TRIGGER counts from the entry's end.
  var isOfEnd: Bool { lead?.word("RELATED") == "END" }

  /// Once it has a TRIGGER.
  var rings: Bool { (action == "DISPLAY" || action == "AUDIO") && !isSnooze && !isOfPlace }
}

/// A VEVENT or VTODO while its lines are being read.
struct EntryDraft {
  let isToDo: Bool
  /// The line of its BEGIN.
  let line: Int
  private var properties: [Property.Name: Property] = [:]
  private var categories: [String] = []
  /// Those that ring.
  private(set) var alarms: [AlarmDraft] = []
  private var problem: CalendarProblem?
  private(set) var dates: [Property] = []
  private var excluded: [Property] = []
  /// EXDATEs that an export wrote for days on which the alarm keeps quiet.
  private(set) var quiet: [Property] = []
  /// The entries that change one occurrence each of this one.
  var overrides: [EntryDraft] = []

  static let mostCategories = 16
  /// Lines of RDATE or EXDATE; more cannot be kept.
  private static let mostDates = 500
  private static let mostAlarms = 100

  init(isToDo: Bool, line: Int) { (self.isToDo, self.line) = (isToDo, line) }

  subscript(_ name: Property.Name) -> Property? { properties[name] }

  /// Whether eggctl exported it. Its event or interval then counts, not its rule.
  var isExported: Bool { self[.event] != nil || self[.interval] != nil }

  /// Whether it recurs by what other calendars write.
  var recurs: Bool { !isExported && (self[.rule] != nil || !dates.isEmpty) }

  /// Its alarms that are leads: a fixed moment is none of a series.
  var leadingAlarms: [AlarmDraft] { hasRule ? alarms.filter { !$0.isFixed } : alarms }

  /// The TRIGGER that is the only moment of a to-do without a date.
  var fixedMoment: Property? { hasRule ? nil : alarms.first(where: \.isFixed)?.lead }

  /// Whether it recurs by its own words or by those of an export.
  var hasRule: Bool { recurs || isExported }

  /// What the entries of one series share; nil without a UID.
  var series: String? { self[.uid].map { "\(isToDo) \($0.value)" } }

  /// Whether it takes place no more.
  var isOff: Bool {
    self[.completed] != nil || ["CANCELLED", "COMPLETED"].contains(self[.status]?.value.uppercased())
  }

  /// Its EXDATEs. Without the properties that they belong to, an export's are like others.
  var excludedDates: [Property] {
    let hasRules = self[.skips] != nil || self[.except] != nil || self[.onlyOn] != nil
    return hasRules ? excluded : excluded + quiet
  }

  mutating func take(_ property: Property) {
    if property.name == .categories {
      let room = Self.mostCategories - categories.count
      categories += ContentText.list(property.value).prefix(room).map(\.asOneLine).filter { !$0.isEmpty }
    } else if property.name == .dates || property.name == .excludedDates {
      let count = property.name == .dates ? dates.count : excluded.count + quiet.count
      guard count < Self.mostDates else { return fail(property.problem(tr("its RRULE is too long"))) }
      if property.name == .dates {
        dates.append(property)
      } else if property.word("X-EGGD-QUIET") == "TRUE" {
        quiet.append(property)
      } else {
        excluded.append(property)
      }
    } else if property.name == .rule, properties[.rule] != nil {
      fail(property.problem(tr("it has more than one RRULE")))
    } else if properties[property.name] == nil {
      properties[property.name] = property
    }
  }

  mutating func take(_ alarm: AlarmDraft) {
    if alarm.rings, alarm.lead != nil, alarms.count < Self.mostAlarms { alarms.append(alarm) }
  }

  /// Records a problem; the first one counts.
  mutating func fail(_ problem: CalendarProblem) { self.problem = self.problem ?? problem }

  /// The first problem of its lines, if any.
  func check() throws(CalendarProblem) {
    if let problem { throw problem }
  }

  /// The problem, with the entry's SUMMARY.
  func named(_ problem: CalendarProblem) -> CalendarProblem {
    let summary = (text(.summary) ?? "").asOneLine.cut(to: (60, 400)).visible
    return CalendarProblem(
      line: problem.line, summary: summary.isEmpty ? nil : summary, message: problem.message)
  }

  /// The alarm that it says.
  func entry(_ timing: inout EntryTiming) throws(CalendarProblem) -> CalendarEntry {
    if let property = self[.status], property.value.uppercased() == "CANCELLED" {
      throw property.problem(tr("it is cancelled"))
    }
    var entry = try timing.entry(of: self)
    entry.uid = self[.uid]?.value
    if let occurrence = self[.recurrence] {
      // Its UID is that of the series.
      entry.uid? += " " + occurrence.value
      entry.notes.append(tr("its series is not in this file; it is an alarm of its own"))
    }
    readTexts(&entry)
    readCategories(&entry)
    try readManner(&entry)
    if let property = self[.eggs] {
      guard let eggs = Int64(property.value), Limits.eggs.contains(eggs) else {
        throw property.problem(tr("X-EGGD-EGGS is not a number from 1 to \(Limits.eggs.upperBound)"))
      }
      entry.eggs = eggs
    }
    entry.keepsOwn = self[.eggs] != nil
    entry.hasComment = self[.comment] != nil
    entry.isTicked = isToDo && !hasRule
    let done = self[.completed] ?? (entry.isTicked ? nil : self[.done])
    let isCompleted = self[.completed] != nil || self[.status]?.value.uppercased() == "COMPLETED"
    entry.isDone = done != nil || isCompleted
    // Clients complete a series as a whole; one of its to-dos they complete by moving it on.
    if isCompleted, entry.timing.recurs { entry.due = nil }
    if let done { entry.doneAt = try timing.moment(done.name, of: self) }
    return entry
  }

  func text(_ name: Property.Name) -> String? {
    self[name].map { ContentText.unescaped($0.value) }
  }

  /// Reads label, summary and body.
  private func readTexts(_ entry: inout CalendarEntry) {
    let whole = text(.summary)?.asOneLine ?? ""
    entry.summary = text(.heading)?.asOneLine.cut(to: LimitedText.summary.limits)
    let label = whole.cut(to: LimitedText.label.limits)
    let stands = self[.unlabelled] != nil && whole == entry.content.substitute
    entry.label = label.isEmpty || stands ? nil : label
    var body = text(.description)?.asLines ?? ""
    if label != whole, !stands {
      body = whole + (body.isEmpty ? "" : "\n\n" + body)
      entry.notes.append(tr("its summary is too long for a label; the notification's body has all of it"))
    }
    let kept = body.cut(to: LimitedText.body.limits)
    if kept != body || self[.description]?.isCut == true {
      entry.notes.append(tr("its text was cut to the length of a notification's body"))
    }
    entry.body = kept.isEmpty ? nil : kept
    let comment = text(.comment)?.asLines ?? ""
    let note = comment.cut(to: LimitedText.note.limits)
    if note != comment { entry.notes.append(tr("its comment was cut to the length of a note")) }
    entry.note = note.isEmpty ? nil : note
  }

  /// Reads what an export wrote of how it rings, and whether it does.
  private func readManner(_ entry: inout CalendarEntry) throws(CalendarProblem) {
    for field in CalendarAlarm.mannerFields {
      guard let name = Property.Name(rawValue: "X-EGGD-" + field.name.uppercased()), let property = self[name]
      else { continue }
      let value: Manner.Value =
        switch field.kind {
        case .text: .text(ContentText.unescaped(property.value))
        case .span:
          .number(CalendarDistance(property.value).map { Int64($0.secondsOnClock) * 1_000_000 } ?? -1)
        case .flag: .flag(property.value.uppercased() == "TRUE")
        }
      do throws(Manner.Fault) {
        entry.manner[field] = try field.checked(value)
      } catch {
        throw property.problem(tr("\(name.rawValue) is not valid"))
      }
    }
    let recurs = entry.timing.recurs
    entry.isSkipped = self[.skipped] != nil && !recurs
    guard let paused = self[.paused] else { return }
    let left = CalendarDistance(paused.value).map { TimeSpan.seconds(Int64($0.secondsOnClock)) }
    entry.remaining = recurs ? nil : left.flatMap { $0 >= .zero ? $0 : nil }
    // Only a countdown and a recurring alarm can be paused.
    entry.isPaused = recurs || entry.remaining != nil
  }

  private func readCategories(_ entry: inout CalendarEntry) {
    let own = categories.compactMap { Category(rawValue: $0.lowercased()) }
    entry.category = own.first ?? .other
    let group = text(.group)?.asOneLine ?? categories.first { Category(rawValue: $0.lowercased()) == nil }
    guard let group, !group.isEmpty else { return }
    guard group.utf8.count <= Limits.keyBytes else {
      entry.notes.append(tr("its group's name is longer than \(Limits.keyBytes) bytes and was left out"))
      return
    }
    entry.group = group
  }
}

extension Property {
  func problem(_ message: String) -> CalendarProblem { CalendarProblem(line: line, message: message) }
}
