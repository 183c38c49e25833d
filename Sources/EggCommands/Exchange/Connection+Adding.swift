import Alarms
import EggProtocol
import EggTime
import Gettext

/// What config.toml says of new alarms.
struct UsualAlarm {
  var manner = Manner()
  var category = Category.other
  var group: String?
  var ifMissed = MissedPolicy.ring
  /// When a day rings that has no time.
  var dayAt = TimeOfDay.usual.text

  fileprivate init(_ config: ConfigReply, in surroundings: Surroundings) {
    func span(_ key: String) -> TimeSpan? {
      config.value(of: key).flatMap { try? surroundings.span(reading: $0) }
    }
    manner.insist = span("insist")
    manner.unansweredAfter = span("unanswered-after")
    manner.wake = config.value(of: "wake") == "true" ? true : nil
    category = config.value(of: "category").flatMap { Category(rawValue: $0) } ?? .other
    group = config.value(of: "group")
    if config.value(of: "if-missed") == "record" { ifMissed = .record }
    if let within = span("ring-within") { ifMissed = .ringWithin(within) }
    dayAt = config.value(of: "day-at") ?? dayAt
  }
}

struct AddedAlarms: Encodable {
  var alarms: [WireAlarm]
  var sequence: Int64
}

extension Connection {
  func usualAlarm() throws -> UsualAlarm { UsualAlarm(try read(ConfigCall()), in: surroundings) }

  /// Adds alarms in one change, so that one `undo` removes them all. Throws if the group does not exist: an import
  /// would create the one of a misspelled name. What an alarm does not say is as config.toml has it.
  func add(_ alarms: [Alarm], to named: String?, _ usual: UsualAlarm) throws -> AddedAlarms {
    if let named { _ = try read(ListGroupsCall(name: named)) }
    let known = try usual.group.map { try read(ListGroupsCall()).groups.map(\.name).contains($0) } ?? false
    let alarms = try alarms.map { alarm in
      var alarm = alarm
      alarm.group = named ?? (known ? usual.group : nil)
      alarm.category = usual.category
      alarm.ifMissed = usual.ifMissed
      alarm.manner = try alarm.manner.checked(over: usual.manner)
      // eggd chooses the position, the moment of creation, and from it the moment of a countdown.
      return WireAlarm(
        alarm, wallOf: { Instant(microseconds: $0.microseconds) },
        fields: Set(WireAlarm.Field.allCases).subtracting([.position, .createdAt]))
    }
    let staged = try call(ImportAlarmsCall(alarms: alarms.map { ImportedAlarm(alarm: $0) }))
    if let refused = staged.refused.first {
      throw Failure(.usage, tr("eggd does not accept the value of '\(refused.field.visible)'"))
    }
    let sequence = try call(CommitImportCall()).sequence
    surroundings.output.done = tr("\(alarms.count) alarms are scheduled")
    let made = try alarms.compactMap { try $0.id.map { try read(ShowCall(id: $0)).alarm } }
    return AddedAlarms(alarms: made, sequence: sequence)
  }
}
