import Alarms
import EggTime

extension ScheduleCall {
  /// The call without its key, compared when the key is used again. It is stored, so the order of its members
  /// must never change.
  package var keyedRequest: String {
    var json = JSONWriter()
    json.object { json in
      json.member("expression", expression)
      json.member("kind", kind?.rawValue)
      json.member("zone", zone)
      json.member("label", label)
      json.member("category", category?.rawValue)
      json.member("eggs", eggs)
      json.member("group", group)
      json.member("anniversary", anniversary?.description)
      json.member("summary", summary)
      json.member("body", body)
      json.member("icon", icon)
      json.member("until", until?.microseconds)
      json.member("count", count)
      json.member("ifMissed", ifMissed?.rawValue)
      json.member("ringWithin", ringWithin?.microseconds)
      json.member("from", from?.microseconds)
      json.member("sound", sound)
      json.member("note", note)
      json.member("insist", insist?.microseconds)
      json.member("run", run)
      json.member("wake", wake)
    }
    return String(decoding: json.bytes, as: UTF8.self)
  }
}
