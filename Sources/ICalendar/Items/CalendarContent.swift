import Alarms
import EggTime

/// What an alarm and its entry in a calendar have in common: the fields that synchronising keeps equal.
package struct CalendarContent: Equatable {
  package enum Field: String, CaseIterable, Sendable {
    case label, summary, body, note, category, eggs, group, done, time, leads
  }

  package struct Time: Equatable {
    package var timing: CalendarEntry.Timing
    /// Recurring only: the first moment at which it may elapse, if the timing does not give it.
    package var from: Instant?
    /// Recurring only: the last moment at which it may elapse.
    package var until: Instant?
    /// Recurring only: how many more times it elapses, at least 1.
    package var count: Int64?
    /// Leads, ranges to skip, and the names of days off.
    package var rules = MomentRules.none

    var recurs: Bool { timing.recurs }

    package init(
      _ timing: CalendarEntry.Timing, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
      rules: MomentRules = .none
    ) {
      self.timing = timing
      (self.from, self.until, self.count, self.rules) = (from, until, count, rules)
    }
  }

  /// SUMMARY, cut to the limits of a label.
  package var label: String?
  /// X-EGGD-SUMMARY: the notification's summary.
  package var summary: String?
  /// DESCRIPTION, cut to the limits of a body. Begins with the whole SUMMARY if the label was cut.
  package var body: String?
  /// The first COMMENT, cut to the limits of a note.
  package var note: String?
  /// The first value of CATEGORIES that is one of eggd's categories.
  package var category = Category.other
  package var eggs: Int64 = 1
  /// X-EGGD-GROUP, else the first value of CATEGORIES that is not one of eggd's categories.
  package var group: String?
  package var isDone = false
  package var time: Time

  package init(_ time: Time) { self.time = time }

  /// Written as the title of an alarm without a label: the notification's summary.
  var substitute: String { summary ?? "Wait!" }

  /// - Parameter now: The present as of which the entry was read. A beginning before it says nothing.
  package init(_ entry: CalendarEntry, at now: Instant) {
    self = entry.content
    time.from = time.from.flatMap { $0 > now ? $0 : nil }
    // Days that are over are dropped on either side, at different times.
    let yesterday = Zone.utc.civil(at: now).dayNumber - 1
    time.rules.skips = DaySet(time.rules.skips.ranges.filter { $0.last.dayNumber >= yesterday })
  }

  /// As it reads once an export has written it: alarms and files are compared alike.
  package func asWritten(in context: ReadingContext) -> CalendarContent {
    guard let text = CalendarItem.text(of: CalendarAlarm(self, uid: "-"), in: context),
      let entry = try? CalendarItem(Array(text.utf8), in: context).entry
    else { return self }
    return CalendarContent(entry, at: context.now)
  }

  package func differences(from other: CalendarContent) -> Set<Field> {
    Set(
      Field.allCases.filter { field in
        var taken = self
        taken.take([field], from: other)
        return taken != self
      })
  }

  /// What a client that drops eggd's properties and comments leaves out is as it was.
  package mutating func complete(
    _ entry: CalendarEntry, from past: CalendarContent, in context: ReadingContext
  ) {
    if !entry.hasComment { note = past.note }
    guard !entry.keepsOwn else { return }
    eggs = past.eggs
    summary = past.summary
    if past.label == nil, label == substitute { label = nil }
    if !entry.isTicked { isDone = past.isDone }
    if group == nil, let old = past.group, Category(rawValue: old.lowercased()) != nil { group = old }
    // Alarms of a done event do nothing, so a client may not keep what they were.
    if past.isDone, !entry.isTicked, time.rules.leads.isEmpty { time.rules.leads = past.time.rules.leads }
    if time.continues(past.time, in: context) {
      time = past.time
    } else if time.recurs {
      time.rules.skips = past.time.rules.skips
      time.rules.except = past.time.rules.except
      time.rules.onlyOn = past.time.rules.onlyOn
    }
  }

  package mutating func take(_ fields: Set<Field>, from other: CalendarContent) {
    for field in fields {
      switch field {
      case .label: label = other.label
      case .summary: summary = other.summary
      case .body: body = other.body
      case .note: note = other.note
      case .category: category = other.category
      case .eggs: eggs = other.eggs
      case .group: group = other.group
      case .done: isDone = other.isDone
      case .time:
        let leads = time.rules.leads
        time = other.time
        time.rules.leads = leads
      case .leads: time.rules.leads = other.time.rules.leads
      }
    }
  }
}
