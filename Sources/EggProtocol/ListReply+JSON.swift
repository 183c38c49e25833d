import Alarms
import EggTime
import Varlink

extension ListReply {
  /// Reads a page of alarms with no more than the fields that a list shows; nil for any other, which takes the general
  /// decoder: that looks for every field that an alarm could have, and so costs more than the rest of a long listing.
  package init?(scanning json: [UInt8]) {
    guard var reader = try? PageReader(json), let page = try? reader.page() else { return nil }
    self = page
  }
}

private struct PageReader {
  /// The general decoder's.
  private struct Unusual: Error {}

  private var scanner: JSONScanner

  init(_ json: [UInt8]) throws { scanner = try JSONScanner(json) }

  mutating func page() throws -> ListReply {
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
    guard scanner.atEnd(), let alarms, let totals else { throw Unusual() }
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
      default: throw Unusual()
      }
    }
    guard let number, let state, let done, let category, let eggs else { throw Unusual() }
    (alarm.number, alarm.state, alarm.done) = (number, state, done)
    (alarm.category, alarm.eggs) = (category, eggs)
    return alarm
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
      case "lateReason":
        guard let reason = LateReason(rawValue: try reader.text()) else { throw Unusual() }
        occurrence.lateReason = reason
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

  private mutating func members(_ each: (inout PageReader, String) throws -> Void) throws {
    var members = try scanner.beginObject()
    while try scanner.nextKey(&members) { try each(&self, scanner.text(members.key)) }
  }

  private mutating func text() throws -> String { scanner.text(try scanner.string()) }

  private mutating func instant() throws -> Instant { Instant(microseconds: try integer()) }

  private mutating func integer() throws -> Int64 {
    let number = try scanner.number()
    // 19 digits may not fit
    guard number.isWhole, number.range.count < 19 else { throw Unusual() }
    let isNegative = scanner.bytes[number.range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in isNegative ? number.range.dropFirst() : number.range[...] {
      value = value * 10 + Int64(scanner.bytes[index] - UInt8(ascii: "0"))
    }
    return isNegative ? -value : value
  }
}
