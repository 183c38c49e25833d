extension WireAlarm {
  /// Writes the object that its coder writes too.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("number", number)
      json.member("state", state.rawValue)
      json.member("done", done)
      json.member("category", category.rawValue)
      json.member("eggs", eggs)
      json.member("due", due?.microseconds)
      json.member("label", label)
      json.member("expression", expression)
      json.member("id", id?.description)
      json.member("kind", kind?.rawValue)
      json.member("span", span?.microseconds)
      json.member("zone", zone)
      json.member("floats", floats)
      json.member("summary", summary)
      json.member("body", body)
      json.member("icon", icon)
      json.member("key", key)
      json.member("group", group)
      json.member("position", position)
      json.member("civil", civil?.description)
      json.member("instant", instant?.microseconds)
      json.member("forcedKind", forcedKind?.rawValue)
      json.member("readingZone", readingZone)
      json.member("anniversary", anniversary?.description)
      json.member("createdAt", createdAt?.microseconds)
      json.member("modifiedAt", modifiedAt?.microseconds)
      json.member("doneAt", doneAt?.microseconds)
      json.member("doneDue", doneDue?.microseconds)
      json.member("calendarEvent", calendarEvent)
      json.member("interval", interval)
      json.member("from", from?.microseconds)
      json.member("until", until?.microseconds)
      json.member("count", count)
      json.member("ifMissed", ifMissed?.rawValue)
      json.member("ringWithin", ringWithin?.microseconds)
      json.member("remaining", remaining?.microseconds)
      if let latest {
        json.name("latest")
        latest.write(to: &json)
      }
    }
  }
}

extension WireOccurrence {
  /// Writes the object that its coder writes too.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("id", id)
      json.member("dueAt", dueAt.microseconds)
      json.member("outcome", outcome.rawValue)
      json.member("missedCount", missedCount)
      json.member("firedAt", firedAt?.microseconds)
      json.member("journaledAt", journaledAt?.microseconds)
      json.member("shownAt", shownAt?.microseconds)
      json.member("dismissedAt", dismissedAt?.microseconds)
      json.member("snoozedUntil", snoozedUntil?.microseconds)
      json.member("lateness", lateness?.microseconds)
      json.member("lateReason", lateReason?.rawValue)
    }
  }
}

extension Totals {
  /// Writes the object that its coder writes too.
  package func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("alarms", alarms)
      json.member("eggs", eggs)
      json.member("next", next?.microseconds)
    }
  }
}
