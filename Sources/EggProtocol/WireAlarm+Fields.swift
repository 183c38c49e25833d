import Alarms
import EggTime
import Varlink

extension WireAlarm: Codable {
  /// How one field is taken from an alarm, written and read.
  package final class FieldCoding: Sendable {
    /// nil for a field that each alarm has.
    package let field: Field?
    /// As the interface declares it.
    let type: any (Codable & Sendable).Type
    let name: [UInt8]
    fileprivate let send: @Sendable (Alarm, (DuePoint) -> Instant, inout MemberWriter) throws -> Void
    fileprivate let take: @Sendable (Alarm, (DuePoint) -> Instant, inout WireAlarm) -> Void
    fileprivate let write: @Sendable (WireAlarm, inout MemberWriter) throws -> Void
    fileprivate let read: @Sendable (inout MemberReader, inout WireAlarm) throws -> Void

    // Closures, because a key path copies the whole alarm to read one field: listing 10 000 took twice as
    // long.
    fileprivate init<Value: FieldValue>(
      _ name: String, _ get: @escaping @Sendable (WireAlarm) -> Value?,
      _ set: @escaping @Sendable (inout WireAlarm, Value) -> Void,
      of value: @escaping @Sendable (Alarm, (DuePoint) -> Instant) -> Value?
    ) {
      // init(rawValue:) builds a dictionary of all cases, which takes ten times as long.
      field = Field.allCases.first { $0.rawValue == name }
      type = Value.self
      self.name = Array(name.utf8)
      let name = MemberWriter.Name(name)
      send = { alarm, wallOf, members in try value(alarm, wallOf)?.write(to: &members, name) }
      take = { alarm, wallOf, wire in
        if let value = value(alarm, wallOf) { set(&wire, value) }
      }
      write = { wire, members in try get(wire)?.write(to: &members, name) }
      read = { members, wire in
        if let value = try Value.read(&members) { set(&wire, value) }
      }
    }

    fileprivate convenience init<Value: FieldValue>(
      _ field: Manner.Field, _ get: @escaping @Sendable (Manner.Value) -> Value?,
      _ value: @escaping @Sendable (Value) -> Manner.Value
    ) {
      self.init(field.name, { $0.manner[field].flatMap(get) }, { $0.manner[field] = value($1) }) { alarm, _ in
        alarm.manner[field].flatMap(get)
      }
    }
  }

  /// In the order in which they are written; those that each alarm has come first. Conversion, writing and
  /// reading follow this list.
  package static let codings: [FieldCoding] =
    [
      .init("number", { $0.number }, { $0.number = $1 }) { alarm, _ in alarm.number },
      .init("state", { $0.state }, { $0.state = $1 }) { alarm, _ in alarm.phase },
      .init("done", { $0.done }, { $0.done = $1 }) { alarm, _ in alarm.doneAt != nil },
      .init("category", { $0.category }, { $0.category = $1 }) { alarm, _ in alarm.category },
      .init("eggs", { $0.eggs }, { $0.eggs = $1 }) { alarm, _ in alarm.eggs },
      .init("due", { $0.due }, { $0.due = $1 }) { alarm, wallOf in alarm.nextDue(wallOf) },
      .init("label", { $0.label }, { $0.label = $1 }) { alarm, _ in alarm.label },
      .init("expression", { $0.expression }, { $0.expression = $1 }) { alarm, _ in alarm.expression },
      .init("id", { $0.id }, { $0.id = $1 }) { alarm, _ in alarm.id },
      .init("kind", { $0.kind }, { $0.kind = $1 }) { alarm, _ in alarm.timing.kind },
      .init("span", { $0.span }, { $0.span = $1 }) { alarm, _ in alarm.timing.span },
      .init("zone", { $0.zone }, { $0.zone = $1 }) { alarm, _ in alarm.timing.clock?.zone },
      .init("floats", { $0.floats }, { $0.floats = $1 }) { alarm, _ in alarm.timing.clock?.floats },
    ]
    + Manner.fields.map { field in
      switch field.kind {
      case .text: .init(field, \.text) { .text($0) }
      case .span: .init(field, \.number) { .number($0) }
      case .flag: .init(field, \.flag) { .flag($0) }
      }
    } + [
      .init("key", { $0.key }, { $0.key = $1 }) { alarm, _ in alarm.key },
      .init("group", { $0.group }, { $0.group = $1 }) { alarm, _ in alarm.group },
      .init("position", { $0.position }, { $0.position = $1 }) { alarm, _ in alarm.position },
      .init("civil", { $0.civil }, { $0.civil = $1 }) { alarm, _ in alarm.timing.civil },
      .init("instant", { $0.instant }, { $0.instant = $1 }) { alarm, _ in alarm.timing.instant },
      .init("forcedKind", { $0.forcedKind }, { $0.forcedKind = $1 }) { alarm, _ in alarm.forcedKind },
      .init("readingZone", { $0.readingZone }, { $0.readingZone = $1 }) { alarm, _ in alarm.readingZone },
      .init("anniversary", { $0.anniversary }, { $0.anniversary = $1 }) { alarm, _ in alarm.anniversary },
      .init("createdAt", { $0.createdAt }, { $0.createdAt = $1 }) { alarm, _ in alarm.createdAt },
      .init("modifiedAt", { $0.modifiedAt }, { $0.modifiedAt = $1 }) { alarm, _ in alarm.modifiedAt },
      .init("doneAt", { $0.doneAt }, { $0.doneAt = $1 }) { alarm, _ in alarm.doneAt },
      .init("doneDue", { $0.doneDue }, { $0.doneDue = $1 }) { alarm, wallOf in alarm.doneDue.map(wallOf) },
      .init("calendarEvent", { $0.calendarEvent }, { $0.calendarEvent = $1 }) { alarm, _ in
        alarm.timing.time?.event
      },
      .init("interval", { $0.interval }, { $0.interval = $1 }) { alarm, _ in alarm.timing.time?.interval },
      .init("rule", { $0.rule }, { $0.rule = $1 }) { alarm, _ in alarm.timing.time?.rule },
      .init("from", { $0.from }, { $0.from = $1 }) { alarm, _ in alarm.from },
      .init("until", { $0.until }, { $0.until = $1 }) { alarm, _ in alarm.until },
      .init("count", { $0.count }, { $0.count = $1 }) { alarm, _ in alarm.count },
      .init("ifMissed", { $0.ifMissed }, { $0.ifMissed = $1 }) { alarm, _ in
        alarm.ifMissed == .ring ? nil : alarm.ifMissed.wire
      },
      .init("ringWithin", { $0.ringWithin }, { $0.ringWithin = $1 }) { alarm, _ in alarm.ifMissed.span },
      .init("remaining", { $0.remaining }, { $0.remaining = $1 }) { alarm, _ in alarm.remaining },
      .init("latest", { $0.latest }, { $0.latest = $1 }) { alarm, _ in alarm.latest.map { WireOccurrence($0) }
      },
      .init("leads", { $0.leads }, { $0.leads = $1 }) { alarm, _ in alarm.rules.leads.nilIfEmpty },
      .init("moment", { $0.moment }, { $0.moment = $1 }) { alarm, wallOf in alarm.moment(wallOf) },
      .init("skips", { $0.skips }, { $0.skips = $1 }) { alarm, _ in alarm.rules.skips.ranges.nilIfEmpty },
      .init("except", { $0.except }, { $0.except = $1 }) { alarm, _ in alarm.rules.except.nilIfEmpty },
      .init("onlyOn", { $0.onlyOn }, { $0.onlyOn = $1 }) { alarm, _ in alarm.rules.onlyOn.nilIfEmpty },
      .init("paused", { $0.paused }, { $0.paused = $1 }) { alarm, _ in
        alarm.state == .paused && alarm.phase != .paused ? true : nil
      },
    ]

  /// How many of ``codings`` each alarm has.
  private static let required = codings.count { $0.field == nil }

  /// The given fields and those that each alarm has, in order; all fields for nil.
  package static func codings(of fields: Set<Field>?) -> [FieldCoding] {
    guard let fields else { return codings }
    return codings.filter { $0.field.map(fields.contains) ?? true }
  }

  /// Takes the given fields from an alarm; all for nil. `wallOf` converts a due point to the wall clock.
  public init(_ alarm: Alarm, wallOf: (DuePoint) -> Instant, fields: Set<Field>? = nil) {
    self.init()
    for coding in Self.codings(of: fields) { coding.take(alarm, wallOf, &self) }
  }

  /// Writes the given fields of an alarm, without making one of these.
  package static func write(
    _ alarm: Alarm, wallOf: (DuePoint) -> Instant, codings: [FieldCoding], to members: inout MemberWriter
  ) throws {
    for coding in codings { try coding.send(alarm, wallOf, &members) }
  }

  /// What a text would schedule, as far as its line shows it.
  package init(reading time: TimeExpression, due: Instant, in zone: Zone) {
    self.init()
    (self.due, expression) = (due, time.text)
    guard case .recurring(let recurring) = time.reading else { return }
    (kind, self.zone) = (Timing.Kind.every, zone.identifier)
    (calendarEvent, interval, rule) = (recurring.event, recurring.interval, recurring.rule)
  }

  public init(from decoder: any Decoder) throws {
    self.init()
    let codings = Self.codings
    // A bit for each coding.
    var seen: UInt64 = 0
    // Fields come in the order of `codings`: the next one usually follows the last.
    var next = 0
    var members = try MemberReader(of: decoder)
    while try members.advance() {
      guard
        let place = codings.indices[next...].first(where: { members.isNamed(codings[$0].name) })
          ?? codings.indices[..<next].first(where: { members.isNamed(codings[$0].name) })
      else { continue }
      try codings[place].read(&members, &self)
      seen |= 1 << place
      next = place + 1
    }
    let missing = (~seen).trailingZeroBitCount
    if missing < Self.required { throw members.missing(codings[missing].name) }
  }

  public func encode(to encoder: any Encoder) throws {
    try MemberWriter.object(in: encoder) { members in
      for coding in Self.codings { try coding.write(self, &members) }
    }
  }
}

/// The value of an alarm's field.
private protocol FieldValue: Codable, Sendable {
  func write(to members: inout MemberWriter, _ name: MemberWriter.Name) throws
  /// nil for a value that this version does not know.
  static func read(_ members: inout MemberReader) throws -> Self?
}

extension FieldValue {
  func write(to members: inout MemberWriter, _ name: MemberWriter.Name) throws {
    try members.write(name, self)
  }
  static func read(_ members: inout MemberReader) throws -> Self? { try members.value() }
}

extension FieldValue where Self: WireEnum {
  func write(to members: inout MemberWriter, _ name: MemberWriter.Name) { members.write(name, rawValue) }
  static func read(_ members: inout MemberReader) throws -> Self? {
    Self(rawValue: try members.text()) ?? unknown
  }
}

extension String: FieldValue {
  fileprivate func write(to members: inout MemberWriter, _ name: MemberWriter.Name) {
    members.write(name, self)
  }
  fileprivate static func read(_ members: inout MemberReader) throws -> String? { try members.text() }
}

extension Int64: FieldValue {
  fileprivate func write(to members: inout MemberWriter, _ name: MemberWriter.Name) {
    members.write(name, self)
  }
  fileprivate static func read(_ members: inout MemberReader) throws -> Int64? { try members.number() }
}

extension Bool: FieldValue {
  fileprivate func write(to members: inout MemberWriter, _ name: MemberWriter.Name) {
    members.write(name, self)
  }
  fileprivate static func read(_ members: inout MemberReader) throws -> Bool? { try members.flag() }
}

extension FieldValue where Self: WireMicroseconds {
  func write(to members: inout MemberWriter, _ name: MemberWriter.Name) { members.write(name, microseconds) }
  static func read(_ members: inout MemberReader) throws -> Self? {
    Self(microseconds: try members.number())
  }
}

extension Instant: FieldValue {}
extension TimeSpan: FieldValue {}
extension AlarmID: FieldValue {}
extension CivilDateTime: FieldValue {}
extension CivilDate: FieldValue {}
extension WireOccurrence: FieldValue {}
extension Alarm.Phase: FieldValue {}
extension Category: FieldValue {}
extension Timing.Kind: FieldValue {}
extension IfMissed: FieldValue {}
extension Lead: FieldValue {}
extension DayRange: FieldValue {}
extension Array: FieldValue where Element: FieldValue {}

extension Array {
  fileprivate var nilIfEmpty: Self? { isEmpty ? nil : self }
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

  fileprivate var time: RecurringTime? {
    if case .every(let time, _, _) = self { time } else { nil }
  }

  fileprivate var clock: (zone: String, floats: Bool)? {
    switch self {
    case .civil(_, let zone, let floats), .every(_, let zone, let floats): (zone, floats)
    case .countdown, .instant: nil
    }
  }
}
