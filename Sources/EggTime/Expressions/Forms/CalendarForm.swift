extension Scanner {
  /// Class 7: `[WEEKDAYS] [DATE] [TIME] [ZONE]`, a shorthand with an optional zone, or `@` and a moment.
  mutating func calendarEvent() throws(Misread) -> Form {
    if sees("@") { return try calendarEpoch() }
    var fields = CalendarEvent.Fields()
    if let shorthand = calendarShorthand() {
      fields = shorthand
    } else {
      let start = position
      if let weekdays = try calendarWeekdays() { fields.weekdays = weekdays }
      let hasDate = try calendarDate(&fields)
      if seesCalendarList {
        try calendarTime(&fields)
      } else if position == start || !hasDate && fields.weekdays == CalendarEvent.Fields.allWeekdays {
        throw stop
      }
    }
    return .calendar(fields, zone: try calendarZone())
  }

  private var seesCalendarList: Bool { seesDigit || sees("*") }

  /// Takes a name in any case, followed by a blank or the end.
  private mutating func calendarShorthand() -> CalendarEvent.Fields? {
    var count = 0
    while let byte = peek(count), ASCII.isLetter(byte) || byte == UInt8(ascii: "-") { count += 1 }
    guard peek(count).map(ASCII.isBlank) ?? true else { return nil }
    let name = bytes[position..<position + count].map(ASCII.lowercased)
    guard let fields = CalendarShorthand.event(String(decoding: name, as: UTF8.self)) else { return nil }
    position += count
    return fields
  }

  /// One moment, as an event in UTC.
  private mutating func calendarEpoch() throws(Misread) -> Form {
    let start = position
    guard case .epoch(let instant) = try epoch() else { throw stop }
    let time = Zone.utc.civil(at: instant)
    guard CalendarEvent.years.contains(time.year) else { throw Misread(.outOfBounds, at: start) }
    let fields = CalendarEvent.Fields(
      year: CalendarList(time.year), month: CalendarList(time.month), day: CalendarList(time.day),
      hour: CalendarList(time.hour), minute: CalendarList(time.minute),
      second: CalendarList(time.second * 1_000_000 + time.microsecond))
    return .calendar(fields, zone: ("UTC", start))
  }

  /// `Mon..Fri`, `Sat,Sun,`; `-` means `..` too. nil when no weekday is next.
  private mutating func calendarWeekdays() throws(Misread) -> UInt8? {
    var days: UInt8 = 0
    var rangeStart: Int?
    while let word = word(), let weekday = Weekday(word: word) {
      let day = weekday.rawValue
      guard rangeStart ?? day <= day else { throw Misread(.badRepetition, at: position) }
      for each in (rangeStart ?? day)...day { days |= 1 << each }
      position += word.utf8.count
      let isRange = rangeStart == nil && (takesRange() || takes("-"))
      rangeStart = isRange ? day : nil
      if isRange { continue }
      let hasComma = takes(",")
      if atEnd || skipBlanks() { return days }
      guard hasComma else { throw stop }
    }
    guard days == 0 else { throw stop }
    return nil
  }

  private mutating func takesRange() -> Bool {
    guard sees("."), peek(1) == UInt8(ascii: ".") else { return false }
    position += 2
    return true
  }

  /// `[[YEAR-]MONTH-]DAY`, with `~` as the last hyphen when days count from the end; false when no date is
  /// next.
  private mutating func calendarDate(_ fields: inout CalendarEvent.Fields) throws(Misread) -> Bool {
    guard seesCalendarList else { return false }
    let bookmark = position
    let first = try calendarList()
    if atEnd || sees(":") {
      position = bookmark
      return false
    }
    fields.daysFromEnd = takes("~")
    guard fields.daysFromEnd || takes("-") else { throw stop }
    var parts = [first, try calendarList()]
    if !atEnd, !sees(" ") {
      guard !fields.daysFromEnd else { throw stop }
      fields.daysFromEnd = takes("~")
      guard fields.daysFromEnd || takes("-") else { throw stop }
      parts.append(try calendarList())
    }
    guard atEnd || skipBlanks() else { throw stop }
    if parts.count == 3 { fields.year = try parts.removeFirst().years() }
    fields.month = try parts[0].checked(1...12, .noSuchDate)
    fields.day = try parts[1].checked(
      1...(fields.daysFromEnd ? 28 : 31), .noSuchDate, down: fields.daysFromEnd)
    return true
  }

  /// `HOUR:MINUTE[:SECOND]`.
  private mutating func calendarTime(_ fields: inout CalendarEvent.Fields) throws(Misread) {
    let hour = try calendarList()
    guard takes(":") else { throw stop }
    let minute = try calendarList()
    if takes(":") {
      let second = try calendarList(scale: 1_000_000)
      fields.second = try second.checked(0...CalendarEvent.lastOfMinute, .noSuchTime)
      if second.items.isEmpty {
        fields.second = CalendarList(components: [CalendarComponent(start: 0, stop: nil, step: 1_000_000)])
      }
    }
    guard atEnd || sees(" ") else { throw stop }
    fields.hour = try hour.checked(0...23, .noSuchTime)
    fields.minute = try minute.checked(0...59, .noSuchTime)
  }

  private mutating func calendarZone() throws(Misread) -> (name: String, offset: Int)? {
    skipBlanks()
    guard !atEnd else { return nil }
    let start = position
    guard case .named(let name, _) = try zone() else {
      throw Misread(offset: start, reason: .zoneOfRecurring)
    }
    return (name, start)
  }
}

extension Weekday {
  /// From its whole name or the first three letters, in lower case.
  init?(word: String) {
    guard
      let found = Self.allCases.first(where: {
        let name = $0.name.lowercased()
        return name == word || word.utf8.count == 3 && name.hasPrefix(word)
      })
    else { return nil }
    self = found
  }
}

struct TypedCalendarList {
  struct Item {
    /// In the text.
    var offset: Int
    var start: Int
    var stop: Int?
    /// nil when not typed.
    var step: Int?
  }

  /// Empty for `*`.
  var items: [Item] = []
  /// 1, or a million where numbers are microseconds.
  var unit = 1

  /// The list, with its values and repetitions checked against a range. Days that count down from the end of
  /// the month must not repeat past it.
  func checked(
    _ range: ClosedRange<Int>, _ reason: ExpressionError.Reason, down: Bool = false
  ) throws(Misread) -> CalendarList {
    var components: [CalendarComponent] = []
    for item in items {
      func refuse(_ reason: ExpressionError.Reason) -> Misread {
        Misread(reason, at: item.offset)
      }
      guard range.contains(item.start), range.contains(item.stop ?? item.start) else { throw refuse(reason) }
      guard item.stop ?? item.start >= item.start, item.step != 0 else { throw refuse(.badRepetition) }
      let component = CalendarComponent(
        start: item.start, stop: item.stop, step: item.step ?? (item.stop == nil ? 0 : unit))
      if component.step > 0, component.stop == nil {
        let next = down ? item.start - component.step : item.start + component.step
        guard range.contains(next) else { throw refuse(.badRepetition) }
      }
      components.append(component)
    }
    return CalendarList(components: components)
  }

  /// Two-digit years are 1970 to 2069.
  func years() throws(Misread) -> CalendarList {
    func full(_ year: Int) -> Int { year < 70 ? year + 2000 : year < 100 ? year + 1900 : year }
    var list = self
    for index in items.indices {
      list.items[index].start = full(items[index].start)
      list.items[index].stop = items[index].stop.map(full)
    }
    return try list.checked(CalendarEvent.years, .outOfBounds)
  }
}

extension Scanner {
  /// As in systemd.
  private static var mostItems: Int { 240 }

  /// `*`, or items separated by commas. With a scale of a million, numbers may have a fraction.
  fileprivate mutating func calendarList(scale: Int = 1) throws(Misread) -> TypedCalendarList {
    var list = TypedCalendarList(unit: scale)
    if takes("*") { return list }
    repeat {
      var item = TypedCalendarList.Item(offset: position, start: try calendarNumber(scale))
      if takesRange() { item.stop = try calendarNumber(scale) }
      if takes("/") { item.step = try calendarNumber(scale) }
      list.items.append(item)
      guard list.items.count <= Self.mostItems else { throw stop }
    } while takes(",")
    return list
  }

  /// At most seven digits before the point; the seventh after it rounds.
  private mutating func calendarNumber(_ scale: Int) throws(Misread) -> Int {
    guard let whole = number(digits: 1...7) else { throw stop }
    let mark = position
    if scale > 1, takes("."), let fraction = try? fractionOfSecond() { return whole * scale + fraction }
    position = mark
    return whole * scale
  }
}
