import Alarms
import EggTime

extension WireAlarm {
  /// How one optional field is stored, read and written.
  package struct FieldCoding: Sendable {
    package let field: Field
    let name: [UInt8]
    /// Writes the alarm's value, if it has one.
    let write: @Sendable (Alarm, (DuePoint) -> Instant, inout JSONWriter) -> Void
    let take: @Sendable (Alarm, (DuePoint) -> Instant, inout WireAlarm) -> Void
    let rewrite: @Sendable (WireAlarm, inout JSONWriter) -> Void
    let read: @Sendable (inout JSONReader, inout WireAlarm) throws -> Void

    // Closures, because a key path copies the whole alarm to read one field: listing 10 000 took twice as
    // long.
    init<Value: JSONValue>(
      _ field: Field, _ get: @escaping @Sendable (WireAlarm) -> Value?,
      _ set: @escaping @Sendable (inout WireAlarm, Value) -> Void,
      of value: @escaping @Sendable (Alarm, (DuePoint) -> Instant) -> Value?
    ) {
      let name = Array(field.rawValue.utf8)
      self.field = field
      self.name = name
      write = { alarm, wallOf, json in json.member(name, value(alarm, wallOf)) }
      take = { alarm, wallOf, wire in
        if let value = value(alarm, wallOf) { set(&wire, value) }
      }
      rewrite = { wire, json in json.member(name, get(wire)) }
      read = { reader, wire in set(&wire, try Value.read(&reader)) }
    }
  }

  /// All optional fields, in the order in which they are written. Conversion, writing and reading follow this
  /// list.
  package static let codings: [FieldCoding] = [
    .init(.due, { $0.due }, { $0.due = $1 }) { alarm, wallOf in alarm.nextDue(wallOf) },
    .init(.label, { $0.label }, { $0.label = $1 }) { alarm, _ in alarm.label },
    .init(.expression, { $0.expression }, { $0.expression = $1 }) { alarm, _ in alarm.expression },
    .init(.id, { $0.id }, { $0.id = $1 }) { alarm, _ in alarm.id },
    .init(.kind, { $0.kind }, { $0.kind = $1 }) { alarm, _ in alarm.timing.kind },
    .init(.span, { $0.span }, { $0.span = $1 }) { alarm, _ in alarm.timing.span },
    .init(.zone, { $0.zone }, { $0.zone = $1 }) { alarm, _ in alarm.timing.clock?.zone },
    .init(.floats, { $0.floats }, { $0.floats = $1 }) { alarm, _ in alarm.timing.clock?.floats },
    .init(.summary, { $0.summary }, { $0.summary = $1 }) { alarm, _ in alarm.summary },
    .init(.body, { $0.body }, { $0.body = $1 }) { alarm, _ in alarm.body },
    .init(.icon, { $0.icon }, { $0.icon = $1 }) { alarm, _ in alarm.icon },
    .init(.note, { $0.note }, { $0.note = $1 }) { alarm, _ in alarm.note },
    .init(.sound, { $0.sound }, { $0.sound = $1 }) { alarm, _ in alarm.sound?.text },
    .init(.insist, { $0.insist }, { $0.insist = $1 }) { alarm, _ in alarm.insist },
    .init(.run, { $0.run }, { $0.run = $1 }) { alarm, _ in alarm.run?.text },
    .init(.wake, { $0.wake }, { $0.wake = $1 }) { alarm, _ in alarm.wake ? true : nil },
    .init(.key, { $0.key }, { $0.key = $1 }) { alarm, _ in alarm.key },
    .init(.group, { $0.group }, { $0.group = $1 }) { alarm, _ in alarm.group },
    .init(.position, { $0.position }, { $0.position = $1 }) { alarm, _ in alarm.position },
    .init(.civil, { $0.civil }, { $0.civil = $1 }) { alarm, _ in alarm.timing.civil },
    .init(.instant, { $0.instant }, { $0.instant = $1 }) { alarm, _ in alarm.timing.instant },
    .init(.forcedKind, { $0.forcedKind }, { $0.forcedKind = $1 }) { alarm, _ in alarm.forcedKind },
    .init(.readingZone, { $0.readingZone }, { $0.readingZone = $1 }) { alarm, _ in alarm.readingZone },
    .init(.anniversary, { $0.anniversary }, { $0.anniversary = $1 }) { alarm, _ in alarm.anniversary },
    .init(.createdAt, { $0.createdAt }, { $0.createdAt = $1 }) { alarm, _ in alarm.createdAt },
    .init(.modifiedAt, { $0.modifiedAt }, { $0.modifiedAt = $1 }) { alarm, _ in alarm.modifiedAt },
    .init(.doneAt, { $0.doneAt }, { $0.doneAt = $1 }) { alarm, _ in alarm.doneAt },
    .init(.doneDue, { $0.doneDue }, { $0.doneDue = $1 }) { alarm, wallOf in alarm.doneDue.map(wallOf) },
    .init(.calendarEvent, { $0.calendarEvent }, { $0.calendarEvent = $1 }) { alarm, _ in alarm.timing.event },
    .init(.interval, { $0.interval }, { $0.interval = $1 }) { alarm, _ in alarm.timing.interval },
    .init(.rule, { $0.rule }, { $0.rule = $1 }) { alarm, _ in alarm.timing.rule },
    .init(.from, { $0.from }, { $0.from = $1 }) { alarm, _ in alarm.from },
    .init(.until, { $0.until }, { $0.until = $1 }) { alarm, _ in alarm.until },
    .init(.count, { $0.count }, { $0.count = $1 }) { alarm, _ in alarm.count },
    .init(.ifMissed, { $0.ifMissed }, { $0.ifMissed = $1 }) { alarm, _ in
      alarm.ifMissed == .ring ? nil : alarm.ifMissed.wire
    },
    .init(.ringWithin, { $0.ringWithin }, { $0.ringWithin = $1 }) { alarm, _ in alarm.ifMissed.span },
    .init(.remaining, { $0.remaining }, { $0.remaining = $1 }) { alarm, _ in alarm.remaining },
    .init(.latest, { $0.latest }, { $0.latest = $1 }) { alarm, _ in alarm.latest.map { WireOccurrence($0) } },
  ]

  /// The given fields, in order; all fields for nil.
  package static func codings(of fields: Set<Field>?) -> [FieldCoding] {
    guard let fields else { return codings }
    return codings.filter { fields.contains($0.field) }
  }

  /// Takes the given fields from an alarm. `wallOf` converts a due point to the wall clock.
  package init(_ alarm: Alarm, wallOf: (DuePoint) -> Instant, codings: [FieldCoding]) {
    self.init(
      number: alarm.number, state: alarm.phase, done: alarm.doneAt != nil, category: alarm.category,
      eggs: alarm.eggs)
    for coding in codings { coding.take(alarm, wallOf, &self) }
  }

  /// Takes the given fields from an alarm; all for nil.
  public init(_ alarm: Alarm, wallOf: (DuePoint) -> Instant, fields: Set<Field>? = nil) {
    self.init(alarm, wallOf: wallOf, codings: Self.codings(of: fields))
  }

  /// Writes the same object as its coder.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("number", number)
      json.member("state", state.rawValue)
      json.member("done", done)
      json.member("category", category.rawValue)
      json.member("eggs", eggs)
      for coding in Self.codings { coding.rewrite(self, &json) }
    }
  }
}

extension JSONWriter {
  /// Writes what the alarm's ``WireAlarm`` encodes to.
  package mutating func alarm(
    _ alarm: Alarm, wallOf: (DuePoint) -> Instant, codings: [WireAlarm.FieldCoding] = WireAlarm.codings
  ) {
    object { json in
      json.member("number", alarm.number)
      json.member("state", alarm.phase.rawValue)
      json.member("done", alarm.doneAt != nil)
      json.member("category", alarm.category.rawValue)
      json.member("eggs", alarm.eggs)
      for coding in codings { coding.write(alarm, wallOf, &json) }
    }
  }
}

extension Timing {
  fileprivate var span: TimeSpan? {
    if case .countdown(let span) = self { span } else { nil }
  }

  fileprivate var instant: Instant? {
    if case .instant(let instant) = self { instant } else { nil }
  }

  fileprivate var civil: CivilDateTime? {
    if case .civil(let civil, _, _) = self { civil } else { nil }
  }

  fileprivate var event: String? {
    if case .every(.event(let event), _, _) = self { event.description } else { nil }
  }

  fileprivate var interval: String? {
    if case .every(.interval(let interval), _, _) = self { interval.description } else { nil }
  }

  fileprivate var rule: String? {
    if case .every(.rule(let set), _, _) = self { set.description } else { nil }
  }

  fileprivate var clock: (zone: String, floats: Bool)? {
    switch self {
    case .civil(_, let zone, let floats), .every(_, let zone, let floats): (zone, floats)
    case .countdown, .instant: nil
    }
  }
}
