import Alarms
import EggTime
import Varlink

extension ScheduleCall {
  /// Reads a call; nil leaves it to the general decoder.
  package static func call(scanning json: JSONScanner) -> ScheduleCall? {
    var json = json
    return JSONReader.read(&json) { try $0.schedule() }.flatMap { json.atEnd() ? $0 : nil }
  }
}

extension JSONReader {
  fileprivate mutating func schedule() throws -> ScheduleCall {
    var call = ScheduleCall(expression: "")
    var expression: String?
    try members { reader, name in
      switch name {
      case "expression": expression = try reader.text()
      case "kind": call.kind = try Self.known(Timing.Kind(rawValue: reader.text()))
      case "zone": call.zone = try reader.text()
      case "label": call.label = try reader.text()
      case "category": call.category = try Self.known(Category(rawValue: reader.text()))
      case "eggs": call.eggs = try reader.integer()
      case "group": call.group = try reader.text()
      case "summary": call.summary = try reader.text()
      case "body": call.body = try reader.text()
      case "icon": call.icon = try reader.text()
      case "key": call.key = try reader.text()
      case "anniversary": call.anniversary = try Self.known(CivilDate(reader.text()))
      case "from": call.from = try reader.instant()
      case "until": call.until = try reader.instant()
      case "count": call.count = try reader.integer()
      case "ifMissed": call.ifMissed = try Self.known(IfMissed(rawValue: reader.text()))
      case "ringWithin": call.ringWithin = TimeSpan(microseconds: try reader.integer())
      default: throw Unusual()
      }
    }
    call.expression = try Self.known(expression)
    return call
  }
}
