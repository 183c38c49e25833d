import Alarms
import EggTime
import Varlink

extension ListCall {
  /// Reads a page of a list; nil leaves it to the general decoder.
  public static func reply(scanning json: inout JSONScanner) -> ListReply? {
    JSONReader.read(&json) { try $0.page() }
  }
}

extension ScheduleCall {
  /// Reads an alarm that was made; nil leaves it to the general decoder.
  public static func reply(scanning json: inout JSONScanner) -> ScheduleReply? {
    JSONReader.read(&json) { try $0.scheduled() }
  }
}

/// The general decoder looks for every field that an alarm could have, which costs more than the rest of a long listing,
/// and before its first alarm it looks up more of Swift's protocols than all else does.
extension JSONReader {
  fileprivate mutating func scheduled() throws -> ScheduleReply {
    var alarm: WireAlarm?
    var existed: Bool?
    var sequence: Int64?
    try members { reader, name in
      switch name {
      case "alarm": alarm = try reader.alarm()
      case "existed": existed = try reader.scanner.bool()
      case "sequence": sequence = try reader.integer()
      default: throw Unusual()
      }
    }
    guard let alarm, let existed, let sequence else { throw Unusual() }
    return ScheduleReply(alarm: alarm, existed: existed, sequence: sequence)
  }

  fileprivate mutating func page() throws -> ListReply {
    var alarms: [WireAlarm]?
    var totals: Totals?
    var after: Int64?
    try members { reader, name in
      switch name {
      case "alarms":
        var read: [WireAlarm] = []
        var elements = try reader.scanner.beginArray()
        while try reader.scanner.nextElement(&elements) { read.append(try reader.alarm()) }
        alarms = read
      case "totals": totals = try reader.totals()
      case "after": after = try reader.integer()
      default: throw Unusual()
      }
    }
    guard let alarms, let totals else { throw Unusual() }
    return ListReply(alarms: alarms, totals: totals, after: after)
  }

  private mutating func alarm() throws -> WireAlarm {
    var number: Int64?
    var state: Alarm.Phase?
    var done: Bool?
    var category: Category?
    var eggs: Int64?
    var alarm = WireAlarm(number: 0, state: .scheduled, done: false, category: .other, eggs: 0)
    try members { reader, name in
      switch name {
      case "number": number = try reader.integer()
      case "state": state = Alarm.Phase(rawValue: try reader.text())
      case "done": done = try reader.scanner.bool()
      case "category": category = Category(rawValue: try reader.text())
      case "eggs": eggs = try reader.integer()
      case "due": alarm.due = try reader.instant()
      case "label": alarm.label = try reader.text()
      case "group": alarm.group = try reader.text()
      case "doneDue": alarm.doneDue = try reader.instant()
      case "remaining": alarm.remaining = TimeSpan(microseconds: try reader.integer())
      case "latest": alarm.latest = try reader.occurrence()
      default: try reader.field(name, of: &alarm)
      }
    }
    guard let number, let state, let done, let category, let eggs else { throw Unusual() }
    (alarm.number, alarm.state, alarm.done) = (number, state, done)
    (alarm.category, alarm.eggs) = (category, eggs)
    return alarm
  }

  /// One of those that a list does not show.
  private mutating func field(_ name: Name, of alarm: inout WireAlarm) throws {
    switch name {
    case "expression": alarm.expression = try text()
    case "id": alarm.id = try Self.known(AlarmID(try text()))
    case "kind": alarm.kind = try Self.known(Timing.Kind(rawValue: try text()))
    case "span": alarm.span = TimeSpan(microseconds: try integer())
    case "zone": alarm.zone = try text()
    case "floats": alarm.floats = try scanner.bool()
    case "summary": alarm.summary = try text()
    case "body": alarm.body = try text()
    case "icon": alarm.icon = try text()
    case "key": alarm.key = try text()
    case "position": alarm.position = try integer()
    case "civil": alarm.civil = try Self.known(CivilDateTime(try text()))
    case "instant": alarm.instant = try instant()
    case "forcedKind": alarm.forcedKind = try Self.known(Timing.Kind(rawValue: try text()))
    case "readingZone": alarm.readingZone = try text()
    case "anniversary": alarm.anniversary = try Self.known(CivilDate(try text()))
    case "createdAt": alarm.createdAt = try instant()
    case "modifiedAt": alarm.modifiedAt = try instant()
    case "doneAt": alarm.doneAt = try instant()
    case "calendarEvent": alarm.calendarEvent = try text()
    case "interval": alarm.interval = try text()
    case "from": alarm.from = try instant()
    case "until": alarm.until = try instant()
    case "count": alarm.count = try integer()
    case "ifMissed": alarm.ifMissed = try Self.known(IfMissed(rawValue: try text()))
    case "ringWithin": alarm.ringWithin = TimeSpan(microseconds: try integer())
    default: throw Unusual()
    }
  }

  private mutating func occurrence() throws -> WireOccurrence {
    var id: Int64?
    var dueAt: Instant?
    var outcome: Occurrence.Outcome?
    var occurrence = WireOccurrence(
      Occurrence(id: 0, dueAt: Instant(microseconds: 0), outcome: .rung))
    try members { reader, name in
      switch name {
      case "id": id = try reader.integer()
      case "dueAt": dueAt = try reader.instant()
      case "outcome": outcome = Occurrence.Outcome(rawValue: try reader.text())
      case "missedCount": occurrence.missedCount = try reader.integer()
      case "firedAt": occurrence.firedAt = try reader.instant()
      case "journaledAt": occurrence.journaledAt = try reader.instant()
      case "shownAt": occurrence.shownAt = try reader.instant()
      case "dismissedAt": occurrence.dismissedAt = try reader.instant()
      case "snoozedUntil": occurrence.snoozedUntil = try reader.instant()
      case "lateness": occurrence.lateness = TimeSpan(microseconds: try reader.integer())
      case "lateReason": occurrence.lateReason = try Self.known(LateReason(rawValue: try reader.text()))
      default: throw Unusual()
      }
    }
    guard let id, let dueAt, let outcome else { throw Unusual() }
    (occurrence.id, occurrence.dueAt, occurrence.outcome) = (id, dueAt, outcome)
    return occurrence
  }

  private mutating func totals() throws -> Totals {
    var alarms: Int64?
    var eggs: Int64?
    var next: Instant?
    try members { reader, name in
      switch name {
      case "alarms": alarms = try reader.integer()
      case "eggs": eggs = try reader.integer()
      case "next": next = try reader.instant()
      default: throw Unusual()
      }
    }
    guard let alarms, let eggs else { throw Unusual() }
    return Totals(alarms: alarms, eggs: eggs, next: next)
  }
}
