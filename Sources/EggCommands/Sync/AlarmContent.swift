import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar
import Varlink

/// Contents of alarms and of files, read alike: an alarm is written as a file and read again, so that both
/// sides lose the same.
struct ContentReader {
  var context: ReadingContext
  /// By name; those without days are left out.
  var daysOff: [String: DaySet] = [:]
  var scope = SyncScope()
  /// A new entry whose moment passed after this is late; nil: it is past.
  var since: Instant?

  func item(_ bytes: [UInt8]) throws(Failure) -> CalendarItem {
    guard bytes.count <= SyncFolder.longest else { throw Failure(.refused, tr("it is too large")) }
    do {
      return try CalendarItem(bytes, in: context)
    } catch {
      throw Failure(.refused, ImportProblem(error).text)
    }
  }

  /// What a file says here, where some days off may not be known.
  ///
  /// - Parameter past: What it said before: it stands for what a client has dropped.
  func content(of entry: CalendarEntry, past: CalendarContent?) -> CalendarContent {
    let entry = adopted(entry)
    var content = CalendarContent(entry, at: context.now).asWritten(in: context)
    if let past { content.complete(entry, from: past, in: context) }
    content.group = scope.group(of: content.group)
    return content
  }

  /// What eggctl has written.
  func content(of text: String) -> CalendarContent? {
    (try? CalendarItem(Array(text.utf8), in: context)).flatMap(content)
  }

  func content(of item: CalendarItem) -> CalendarContent? {
    guard let entry = item.entry else { return nil }
    var content = CalendarContent(adopted(entry), at: context.now)
    content.group = scope.group(of: content.group)
    return content
  }

  private func adopted(_ entry: CalendarEntry) -> CalendarEntry {
    var entry = entry
    entry.adopt { daysOff[$0] != nil }
    return entry
  }

  /// - Parameter common: What both sides had; it gives the time of an alarm that has none at present.
  /// - Returns: nil if the alarm has no time that a calendar can show.
  func content(of alarm: WireAlarm, common: CalendarContent?) -> CalendarContent? {
    var written = CalendarAlarm(alarm)
    written.state = .scheduled
    var isUnknown = false
    if alarm.kind == .in {
      let moment = alarm.countdownEnd
      isUnknown = moment == nil
      // Without a moment nothing would be written.
      written.content.time.timing = .instant(moment ?? context.now)
      written.isUntimed = false
    }
    guard let text = CalendarItem.text(of: written, in: context), var content = content(of: text) else {
      return nil
    }
    // A recurring alarm with nothing left was written as its last moment.
    if alarm.kind == .every, !content.time.timing.recurs { isUnknown = true }
    if case .instant(let old) = common?.time.timing, case .instant(let new) = content.time.timing,
      alarm.kind == .in, new.isNear(old)
    {
      // A countdown's moment on the wall clock moves with that clock.
      isUnknown = true
    }
    content.time.ignoreSkips(of: alarm, since: common?.time, in: context)
    if isUnknown {
      guard let common else { return nil }
      content.time = common.time
    }
    return content
  }

  /// The content as iCalendar, without zones' observances; nil if nothing of it is to come.
  func text(of content: CalendarContent, uid: String, modifiedAt: Instant? = nil) -> String? {
    var alarm = CalendarAlarm(content, uid: uid)
    alarm.modifiedAt = modifiedAt
    return CalendarItem.text(of: alarm, in: context).flatMap(CalendarItem.withoutZones)
  }

  struct Edited {
    /// nil if the file stays as it is.
    var bytes: [UInt8]?
    /// What the file then has.
    var content: CalendarContent
    /// Fields that it cannot have.
    var unsaid: Set<CalendarContent.Field>
    var modifiedAt: Instant
  }

  /// A file with these fields of an alarm; nil if nothing of it is to come.
  ///
  /// - Parameters:
  ///   - old: What the file has.
  ///   - new: What it is to have.
  ///   - changedAt: When the alarm was changed.
  func edited(
    _ item: CalendarItem, _ fields: Set<CalendarContent.Field>, from old: CalendarContent,
    to new: CalendarContent, changedAt: Instant, doneAt: Instant?
  ) -> Edited? {
    var written = CalendarAlarm(new, uid: item.uid)
    let modifiedAt = max(changedAt, item.modifiedAt ?? changedAt)
    written.modifiedAt = modifiedAt
    written.doneAt = doneAt
    // A file that is changed back to what it was must be another one: vdirsyncer 0.19 compares it with what it was
    // before the last change from the server, and without its moments.
    written.revision = min(max(item.revision, 0), 1 << 30) + 1
    func read(_ item: CalendarItem) -> CalendarContent? {
      item.entry.map { self.content(of: $0, past: new) }
    }
    guard
      let result = item.edited(
        fields, to: written, from: old, in: context, daysOff: { self.daysOff[$0] }, reading: read)
    else { return nil }
    let said = result.bytes.flatMap { try? CalendarItem($0, in: context) }.flatMap(read)
    return Edited(bytes: result.bytes, content: said ?? old, unsaid: result.unsaid, modifiedAt: modifiedAt)
  }

  /// The alarm to create; nil if nothing of it is to come.
  func alarm(of content: CalendarContent, id: AlarmID) -> WireAlarm? {
    guard let text = text(of: content, uid: id.description),
      let entry = try? CalendarItem(Array(text.utf8), in: context).entry
    else { return nil }
    var alarm = entry.alarm(on: context.zone, at: context.now)?.alarm
    alarm?.id = id
    return alarm
  }

  /// The alarm of a new file, with a moment that passed while the file was on its way; nil if none did.
  func lateAlarm(_ bytes: [UInt8], id: AlarmID) -> WireAlarm? {
    guard let since, since < context.now else { return nil }
    var earlier = self
    earlier.context.now = since
    guard let entry = try? CalendarItem(bytes, in: earlier.context).entry, !entry.isDone,
      let due = entry.due, due <= context.now
    else { return nil }
    return earlier.alarm(of: earlier.content(of: entry, past: nil), id: id)
  }

  /// The alarm with these fields of `content`; nil if nothing of it is to come.
  func alarm(_ alarm: WireAlarm, taking fields: Set<CalendarContent.Field>, of content: CalendarContent)
    -> WireAlarm?
  {
    guard let id = alarm.id, let new = self.alarm(of: content, id: id) else { return nil }
    guard case .object(var members)? = try? JSONTree(JSON.bytes(alarm)),
      let others = try? JSONTree(JSON.bytes(new))
    else { return alarm }
    for field in fields {
      for name in Self.members[field] ?? [field.rawValue] { members[name] = others[name] }
    }
    return (try? JSON.value(JSON.bytes(JSONTree.object(members)))) ?? alarm
  }

  /// The names of an alarm's members for fields that are not one member of their name.
  private static let members: [CalendarContent.Field: [String]] = [
    .done: ["done", "doneAt"], .time: timeMembers, .leads: timeMembers,
  ]

  private static let timeMembers = [
    "kind", "forcedKind", "span", "civil", "instant", "zone", "floats", "calendarEvent", "interval", "rule",
    "expression", "readingZone", "from", "until", "count", "leads", "moment", "skips", "except", "onlyOn",
    "due", "doneDue", "state", "remaining", "anniversary",
  ]
}

extension CalendarContent.Time {
  /// So many moments in a row use up a number.
  private static let mostSkipped = 4_096

  /// A skip and a pause stay on this machine. They change the beginning and the number of what is to come.
  ///
  /// - Parameter common: What both sides had.
  fileprivate mutating func ignoreSkips(of alarm: WireAlarm, since common: Self?, in context: ReadingContext)
  {
    guard case .every(let time, let name) = timing else { return }
    let zone = name.flatMap { try? context.loadZone($0) } ?? context.zone
    let known = common.flatMap { $0.timing == timing ? $0 : nil }
    let instant = TimeSpan(microseconds: 1)
    // With leads, the skip of a moment is a beginning just after it.
    if let skipped = alarm.from.map({ $0 - instant }),
      time.next(after: skipped - instant, in: zone) == skipped
    {
      from = if let known { known.from } else { skipped > context.now ? skipped : nil }
    }
    guard let left = count else { return }
    if alarm.state == .paused { count = known?.count ?? left }
    guard alarm.state == .scheduled, let waits = alarm.moment ?? alarm.due else { return }
    var (next, skipped) = (context.first(of: time, from: from, leads: rules.leads, in: zone), Int64(0))
    while let moment = next, moment < waits, skipped < Self.mostSkipped {
      skipped += 1
      next = time.next(after: moment, in: zone)
    }
    count = left + skipped
  }
}

extension Instant {
  /// Of moments that calendars and clocks have moved about.
  func isNear(_ other: Instant) -> Bool { abs((self - other).microseconds) <= 2_000_000 }
}

extension WireAlarm {
  /// When a countdown ends or ended, whatever became of its ring; nil while it is paused.
  fileprivate var countdownEnd: Instant? {
    // Which of its leads it waited for is not known of a done one.
    if done, leads != nil { return nil }
    return switch state {
    case .paused: nil
    case .scheduled: moment ?? due
    case .ringing, .snoozed, .rung, .missed, .skipped, .other:
      moment ?? doneDue ?? latestMoment ?? due
    }
  }

  var latestMoment: Instant? { latest.map { $0.dueAt + ($0.ahead ?? .zero) } }

  private static let carried = [
    "label", "summary", "body", "note", "category", "eggs", "group", "done", "kind", "span", "civil",
    "instant", "zone", "floats", "calendarEvent", "interval", "rule", "from", "until", "leads", "skips",
    "except", "onlyOn", "modifiedAt",
  ]

  /// Of the fields that synchronising may have to carry over. A ring changes none of them.
  var digest: String {
    let members = try? JSONTree(JSON.bytes(self))
    let values = Self.carried.map { members?[$0] ?? .null }
    return Digest.of((try? JSON.text(values)) ?? "")
  }
}
