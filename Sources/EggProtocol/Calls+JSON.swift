import Alarms
import EggTime

extension ScheduleCall {
  /// The object that its coder writes too.
  public var json: [UInt8]? { json(withKey: true) }

  /// The call as it was sent, but for its key: what is compared where the key is used again. It is stored, so the order
  /// of the members stays as it is.
  package var keyedRequest: String { String(decoding: json(withKey: false), as: UTF8.self) }

  private func json(withKey: Bool) -> [UInt8] {
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
      if withKey { json.member("key", key) }
      json.member("until", until?.microseconds)
      json.member("count", count)
      json.member("ifMissed", ifMissed?.rawValue)
      json.member("ringWithin", ringWithin?.microseconds)
      json.member("from", from?.microseconds)
    }
    return json.bytes
  }
}

extension ListCall {
  /// The object that its coder writes too.
  public var json: [UInt8]? {
    var json = JSONWriter()
    json.object { json in
      json.member("after", after)
      json.member("limit", limit)
      json.member("order", order?.rawValue)
      json.member("states", states?.map(\.rawValue))
      json.member("categories", categories?.map(\.rawValue))
      json.member("group", group)
      json.member("done", done)
      json.member("label", label)
      json.member("dueFrom", dueFrom?.microseconds)
      json.member("dueBefore", dueBefore?.microseconds)
      json.member("fields", fields?.map(\.rawValue))
    }
    return json.bytes
  }
}
