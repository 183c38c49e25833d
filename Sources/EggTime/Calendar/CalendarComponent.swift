/// One item of a list in a calendar event: `5`, `1..7`, `0/15`, `9..17/2`. Seconds are in microseconds.
struct CalendarComponent: Hashable, Sendable {
  var start: Int
  /// The last value, a whole number of steps after the first; nil where there is none (`5`, `0/15`).
  var stop: Int?
  /// The distance of values; 0 for a single one.
  var step: Int

  /// A single value.
  init(_ value: Int) { (start, stop, step) = (value, nil, 0) }

  /// As typed; a range that holds its first value only becomes that.
  init(start: Int, stop: Int?, step: Int) {
    self.start = start
    let stop = stop.map { step > 0 ? $0 - ($0 - start) % step : $0 }
    (self.stop, self.step) = stop == start ? (nil, 0) : (stop, step)
  }

  /// The first value from `least` to `most` on; nil when there is none.
  func first(from least: Int, through most: Int) -> Int? {
    var value = start
    if least > start {
      guard step > 0 else { return nil }
      value = start + (least - start + step - 1) / step * step
    }
    return value <= min(stop ?? most, most) ? value : nil
  }

  /// The same days, which count from the end of their month, as days of a month of that length.
  func fromEnd(ofMonth length: Int) -> CalendarComponent {
    var days = self
    days.start = length + 1 - (stop ?? start)
    days.stop = stop.map { _ in length + 1 - start }
    return days
  }
}

/// What one place of a calendar event may be: a list, or anything (`*`).
struct CalendarList: Hashable, Sendable {
  /// In the order of their first values, each once; empty for anything.
  var components: [CalendarComponent]

  static let any = CalendarList(components: [])

  init(components: [CalendarComponent]) {
    var components = components
    components.sort {
      ($0.start, $0.stop ?? -1, $0.step) < ($1.start, $1.stop ?? -1, $1.step)
    }
    self.components = components.reduce(into: []) { if $0.last != $1 { $0.append($1) } }
  }

  init(_ values: Int...) { self.init(components: values.map { CalendarComponent($0) }) }

  var isAny: Bool { components.isEmpty }

  /// The first value from `least` to `most` on; nil when there is none.
  func first(from least: Int, through most: Int) -> Int? {
    guard !isAny else { return least <= most ? least : nil }
    var first: Int?
    for component in components {
      if let value = component.first(from: least, through: first ?? most) { first = value }
    }
    return first
  }

  /// Bit n is set where n is one of them.
  func bits(through most: Int) -> UInt64 {
    guard !isAny else { return .max >> (63 - most) }
    var bits: UInt64 = 0
    for component in components {
      var least = component.start
      while let value = component.first(from: least, through: most) {
        bits |= 1 << value
        least = value + 1
      }
    }
    return bits
  }
}
