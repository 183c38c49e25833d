/// One item of a list in a calendar event: `5`, `1..7`, `0/15`, `9..17/2`. Seconds are counted in
/// microseconds.
struct CalendarComponent: Hashable, Sendable {
  var start: Int
  /// The last value, on a step; nil for `5` and `0/15`.
  var stop: Int?
  /// Between values; 0 for a single value.
  var step: Int

  init(_ value: Int) { (start, stop, step) = (value, nil, 0) }

  /// Shortens `stop` to the last value on a step; a range of one value becomes that value.
  init(start: Int, stop: Int?, step: Int) {
    self.start = start
    let stop = stop.map { step > 0 ? $0 - ($0 - start) % step : $0 }
    (self.stop, self.step) = stop == start ? (nil, 0) : (stop, step)
  }

  /// The first value in `least...most`; nil when there is none.
  func first(from least: Int, through most: Int) -> Int? {
    var value = start
    if least > start {
      guard step > 0 else { return nil }
      value = start + (least - start + step - 1) / step * step
    }
    return value <= min(stop ?? most, most) ? value : nil
  }

  /// The same days, counted from the end of a month of `length` days, as days from its start.
  func fromEnd(ofMonth length: Int) -> CalendarComponent {
    var days = self
    days.start = length + 1 - (stop ?? start)
    days.stop = stop.map { _ in length + 1 - start }
    return days
  }
}

/// The values that one place of a calendar event allows: a list, or any (`*`).
struct CalendarList: Hashable, Sendable {
  /// Sorted by first value, without duplicates; empty means any.
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

  /// The first value in `least...most`; nil when there is none.
  func first(from least: Int, through most: Int) -> Int? {
    guard !isAny else { return least <= most ? least : nil }
    var first: Int?
    for component in components {
      if let value = component.first(from: least, through: first ?? most) { first = value }
    }
    return first
  }

  func contains(_ value: Int) -> Bool { first(from: value, through: value) != nil }
}
