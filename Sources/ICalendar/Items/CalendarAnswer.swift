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
      + alarms.filter { $0.rings && !$0.isSnooze }.compactMap { $0["ACKNOWLEDGED"] }
    guard let at = marks.compactMap(\.utc).max() else { return .none }
    var ends: [Instant] = []
    for line in entries.flatMap(\.lines) where line.isMozillaSnooze {
      guard let end = line.utc else { return .unclear }
      ends.append(end)
    }
    for snooze in alarms where snooze.isSnooze {
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
  package func text(answered answer: CalendarAnswer, of moment: Instant?) -> String {
    var result = file
    result.parts = file.parts.map { part in
      guard case .component(let component) = part, component.isEntry,
        component["RECURRENCE-ID"] == nil || !hasSeries
      else { return part }
      return .component(component.answered(answer, of: moment, uid: uid))
    }
    return String(decoding: result.bytes, as: UTF8.self)
  }
}

extension ComponentLines {
  fileprivate var isSnooze: Bool {
    name == "VALARM" && lines.contains { $0.name == "RELATED-TO" && $0.isSnooze }
  }

  fileprivate func answered(_ answer: CalendarAnswer, of moment: Instant?, uid: String) -> ComponentLines {
    let at = ContentWriter.utc(answer.at)
    var result = ComponentLines(name: name)
    result.parts = lines.filter { $0.name != "X-MOZ-LASTACK" && !$0.isMozillaSnooze }.map(Part.line)
    result.parts.append(.line(Line("X-MOZ-LASTACK", at)))
    let end = answer.snoozedUntil.map(ContentWriter.utc)
    if let end {
      let occurrence = moment.map { "-\($0.microseconds)" } ?? ""
      result.parts.append(.line(Line("X-MOZ-SNOOZE-TIME" + occurrence, end)))
    }
    var snoozed: String?
    for var alarm in components where !alarm.isSnooze {
      if alarm.rings {
        alarm.set("ACKNOWLEDGED", to: at)
        if end != nil, snoozed == nil {
          snoozed = alarm["UID"]?.value ?? uid + "-ring"
          alarm.set("UID", to: snoozed ?? uid)
        }
      }
      result.parts.append(.component(alarm))
    }
    if let end {
      var snooze = ComponentLines(name: "VALARM")
      snooze.parts = [
        Line("UID", uid + "-snooze"), Line("ACTION", "DISPLAY"), Line("TRIGGER;VALUE=DATE-TIME", end),
        Line("RELATED-TO;RELTYPE=SNOOZE", snoozed ?? uid),
        Line("DESCRIPTION", self["SUMMARY"]?.value ?? ""),
      ].map(Part.line)
      result.parts.append(.component(snooze))
    }
    return result
  }

  private mutating func set(_ name: String, to value: String) {
    parts.removeAll { if case .line(let line) = $0 { line.name == name } else { false } }
    parts.append(.line(Line(name, value)))
  }
}

extension ComponentLines.Line {
  /// - Parameter name: With parameters, if any.
  fileprivate init(_ name: String, _ value: String) {
    self.init(name: String(name.prefix { $0 != ";" }), bytes: Self.folded("\(name):\(value)"))
  }

  fileprivate var isMozillaSnooze: Bool { name.hasPrefix("X-MOZ-SNOOZE-TIME") }

  /// A date and time in UTC; nil for anything else.
  fileprivate var utc: Instant? {
    guard value.uppercased().hasSuffix("Z") else { return nil }
    return CalendarMoment(value)?.instant(.utc)
  }

  /// Whether it relates a VALARM to the one that it snoozes.
  fileprivate var isSnooze: Bool {
    // Without the folds, which may be anywhere.
    let text = String(decoding: bytes.filter { $0 > UInt8(ascii: " ") }, as: UTF8.self).uppercased()
    return text.prefix { $0 != ":" }.contains(";RELTYPE=SNOOZE")
  }
}
