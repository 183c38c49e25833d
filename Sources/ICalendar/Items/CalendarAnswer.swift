import EggTime

/// What a person has answered to the last ring of an entry, on any machine.
///
/// RFC 9074 §6 and §7: ACKNOWLEDGED in its VALARMs, and a VALARM that is related to one of them with RELTYPE=SNOOZE.
/// Thunderbird has X-MOZ-LASTACK and X-MOZ-SNOOZE-TIME in the entry instead, the latter with the occurrence's moment at
/// the end of its name where the entry recurs.
package struct CalendarAnswer: Equatable {
  /// To the second.
  package var at: Instant
  /// When it rings again; nil if it was dismissed.
  package var snoozedUntil: Instant?

  package init(at: Instant, snoozedUntil: Instant? = nil) {
    self.at = at
    self.snoozedUntil = snoozedUntil
  }
}

/// What a file says of answers.
package enum CalendarAnswers: Equatable {
  case none
  /// It has a snooze that is not understood.
  case unclear
  case last(CalendarAnswer)
}

extension CalendarItem {
  package var answers: CalendarAnswers {
    let entries = file.components.filter(\.isEntry)
    let alarms = entries.flatMap(\.components)
    let marks =
      entries.compactMap { $0["X-MOZ-LASTACK"] }
      + alarms.filter(\.rings).compactMap { $0["ACKNOWLEDGED"] }
    guard let at = marks.compactMap(\.utc).max() else { return .none }
    var ends: [Instant] = []
    for line in entries.flatMap(\.lines) where line.isMozillaSnooze {
      guard let end = line.utc else { return .unclear }
      ends.append(end)
    }
    for snooze in alarms where snooze.alarm?.isSnooze == true {
      guard let end = snooze["TRIGGER"]?.utc else { return .unclear }
      // One that has rung and was answered is over.
      if let answered = snooze["ACKNOWLEDGED"]?.utc, answered >= end { continue }
      ends.append(end)
    }
    return .last(CalendarAnswer(at: at, snoozedUntil: ends.filter { $0 > at }.max()))
  }

  /// The file with this answer instead of an earlier one.
  ///
  /// - Parameter moment: That of the occurrence that rang, if the entry recurs.
  package func bytes(answered answer: CalendarAnswer, of moment: Instant?) -> [UInt8] {
    var file = file
    guard let place = file.mainPlace else { return file.bytes }
    _ = file.edit(at: place) { $0.take(answer, of: moment, uid: uid) }
    return file.bytes
  }
}

extension ComponentLines {
  fileprivate mutating func take(_ answer: CalendarAnswer, of moment: Instant?, uid: String) {
    let at = ContentWriter.utc(answer.at)
    let end = answer.snoozedUntil.map(ContentWriter.utc)
    parts.removeAll { if case .line(let line) = $0 { line.isMozillaSnooze } else { false } }
    editComponents { $0.alarm?.isSnooze == true ? nil : $0 }
    set("X-MOZ-LASTACK", at)
    if let end {
      let occurrence = moment.map { "-\($0.microseconds)" } ?? ""
      add(Line("X-MOZ-SNOOZE-TIME\(occurrence):\(end)"))
    }
    var snoozed: String?
    editComponents { component in
      guard component.rings else { return component }
      var alarm = component
      alarm.set("ACKNOWLEDGED", at)
      if end != nil, snoozed == nil {
        snoozed = alarm["UID"]?.value ?? uid + "-ring"
        alarm.set("UID", snoozed)
      }
      return alarm
    }
    guard let end else { return }
    let snooze = ComponentLines(
      alarm: "UID:\(uid)-snooze", "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:\(end)",
      "RELATED-TO;RELTYPE=SNOOZE:\(snoozed ?? uid)", title: self["SUMMARY"])
    if let snooze { add(snooze) }
  }
}

extension ComponentLines.Line {
  fileprivate var isMozillaSnooze: Bool { name.hasPrefix("X-MOZ-SNOOZE-TIME") }

  /// A date and time in UTC; nil for anything else.
  fileprivate var utc: Instant? {
    guard value.uppercased().hasSuffix("Z") else { return nil }
    return CalendarMoment(value)?.instant(.utc)
  }
}
