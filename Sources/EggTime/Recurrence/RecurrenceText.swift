/// A recurrence set as text: the properties of iCalendar in one line, with blanks between.
///
///     DTSTART:20260105T073000 RRULE:FREQ=MONTHLY;BYSETPOS=-1;BYDAY=MO,TU,WE,TH,FR
///     DTSTART;TZID=Europe/Paris:20260105T073000 RRULE:FREQ=WEEKLY EXDATE:20260112T073000 TRIGGER:-PT15M
///
/// A rule alone may be typed too, with `RRULE:` or without: `FREQ=DAILY;BYHOUR=9`. Its start is then missing.
struct RecurrenceText: Sendable {
  private var start: CivilDateTime?
  private(set) var rule: RecurrenceRule?
  private var dates: [CivilDateTime] = []
  private var excluded: [BasicDateTime] = []
  private var lead = CalendarDistance.zero
  private(set) var zoneName: String?

  private static let names = ["DTSTART", "RRULE", "RDATE", "EXDATE", "TRIGGER"]

  /// Whether a text is meant as a rule, be it right or wrong.
  static func isMeant(_ text: some StringProtocol) -> Bool {
    let word = text.prefix { $0 != ":" && $0 != ";" && $0 != "=" }
    guard word.utf8.count < text.utf8.count else { return false }
    let name = word.uppercased()
    return name == "FREQ" && text.dropFirst(word.count).first == "=" || names.contains(name)
  }

  init(_ text: some StringProtocol) throws(RuleProblem) {
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" || $0 == "\r\n" }) {
      try read(word)
    }
    // Moments in UTC belong to a clock of UTC.
    let isUTC = zoneName == Zone.utc.identifier
    guard isUTC || !excluded.contains(where: \.isUTC) else { throw RecurrenceRule.unreadable("EXDATE") }
    for index in excluded.indices { excluded[index].isUTC = false }
  }

  private mutating func read(_ word: some StringProtocol) throws(RuleProblem) {
    let name = word.prefix { $0 != ":" && $0 != ";" && $0 != "=" }.uppercased()
    guard name != "FREQ", let colon = word.firstIndex(of: ":") else {
      return try set(RecurrenceRule(word))
    }
    let value = word[word.index(after: colon)...]
    let parameter = word[..<colon].dropFirst(name.count)
    guard parameter.isEmpty || name == "DTSTART" else { throw RecurrenceRule.unreadable(word) }
    switch name {
    case "RRULE": try set(RecurrenceRule(value))
    case "DTSTART":
      guard start == nil, let moment = BasicDateTime(value), !moment.isDay,
        parameter.isEmpty || parameter.uppercased().hasPrefix(";TZID=")
      else { throw RecurrenceRule.unreadable(word) }
      start = moment.civil
      if !parameter.isEmpty { zoneName = String(parameter.dropFirst(6)) }
      if moment.isUTC { zoneName = zoneName ?? Zone.utc.identifier }
      guard zoneName.map(ZoneDirectory.isIdentifier) ?? true else { throw RecurrenceRule.unreadable(word) }
    case "RDATE":
      dates += try Self.list(value).map { moment throws(RuleProblem) in
        guard !moment.isDay, !moment.isUTC else { throw RecurrenceRule.unreadable(word) }
        return moment.civil
      }
    case "EXDATE": excluded += try Self.list(value)
    case "TRIGGER":
      guard let distance = CalendarDistance(value) else { throw RecurrenceRule.unreadable(word) }
      lead = distance
    default: throw RecurrenceRule.unreadable(word)
    }
  }

  private mutating func set(_ rule: RecurrenceRule) throws(RuleProblem) {
    guard self.rule == nil else { throw RecurrenceRule.unreadable("RRULE:\(rule)") }
    self.rule = rule
  }

  private static func list(_ text: some StringProtocol) throws(RuleProblem) -> [BasicDateTime] {
    try text.split(separator: ",", omittingEmptySubsequences: false).map { item throws(RuleProblem) in
      guard let moment = BasicDateTime(item) else { throw RecurrenceRule.unreadable(item) }
      return moment
    }
  }

  /// The set; without a start it begins at `now`, and BYHOUR and BYMINUTE then mean the full hour or minute.
  func set(startingAt now: CivilDateTime?) throws(RuleProblem) -> RecurrenceSet {
    guard var begin = start ?? now else { throw .noStart }
    guard rule != nil || !dates.isEmpty else { throw .noFrequency }
    begin.microsecond = 0
    if start == nil, let rule {
      if rule.hours != nil || rule.minutes != nil { begin.second = 0 }
      if rule.hours != nil { begin.minute = 0 }
    }
    return try RecurrenceSet(
      start: begin, rule: rule, dates: dates, excluded: excluded, lead: lead, zoneName: zoneName)
  }

  static func of(
    _ start: CivilDateTime, _ rule: RecurrenceRule?, _ dates: [CivilDateTime], _ excluded: [BasicDateTime],
    _ lead: CalendarDistance, _ zoneName: String?
  ) -> String {
    let zone = zoneName.map { ";TZID=\($0)" } ?? ""
    var words = ["DTSTART\(zone):\(BasicDateTime(start))"]
    if let rule { words.append("RRULE:\(rule)") }
    if !dates.isEmpty { words.append("RDATE:" + dates.map { "\(BasicDateTime($0))" }.joined(separator: ",")) }
    if !excluded.isEmpty { words.append("EXDATE:" + excluded.map(\.description).joined(separator: ",")) }
    if lead.secondsOnClock != 0 { words.append("TRIGGER:\(lead)") }
    return words.joined(separator: " ")
  }
}

extension RecurrenceSet: LosslessStringConvertible {
  /// Accepts only what ``description`` writes; nil otherwise. Reads no file: the zone may not exist.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.longest, RecurrenceText.isMeant(text),
      let set = try? RecurrenceText(text).set(startingAt: nil), set.description == text
    else { return nil }
    self = set
  }

  /// Whether a text is meant as a set or a rule, be it right or wrong.
  public static func isMeant(by text: String) -> Bool { RecurrenceText.isMeant(text) }

  /// The same times on the clock of that zone.
  public func named(_ zoneName: String?) -> RecurrenceSet {
    (try? RecurrenceSet(
      start: start, rule: rule, dates: dates, excluded: excluded, lead: lead, zoneName: zoneName)) ?? self
  }
}
