extension Scanner {
  /// Class 1: `P nW | P [nD] [T [nH] [nM] [n[.n]S]]`. Capitals only, each designator at most once, in this
  /// order.
  mutating func isoDuration() throws(Misread) -> Form {
    guard takes("P") else { throw stop }
    if sees("T") {
      return .span(TimeSpan(microseconds: try isoTime()), hint: nil)
    }
    let start = position
    guard let count = try isoNumber()?.count.map(Int64.init) else { throw stop }
    let isWeeks = takes("W")
    if isWeeks { try finish() }
    if sees("Y") || sees("M") {
      let unit = sees("Y") ? "year" : "month"
      throw Misread(
        .calendarDuration, at: position, readings: ["now + \(count) \(unit)\(count == 1 ? "" : "s")"])
    }
    guard isWeeks || takes("D") else { throw stop }
    var total = try multiply(count, isWeeks ? SpanUnit.week : SpanUnit.day, at: start)
    if !atEnd { total = try add(total, try isoTime(), at: position) }
    return .span(TimeSpan(microseconds: total), hint: nil)
  }

  private mutating func isoTime() throws(Misread) -> Int64 {
    guard takes("T"), !atEnd else { throw stop }
    var units: [(letter: Unicode.Scalar, length: Int64)] = [
      ("H", SpanUnit.hour), ("M", SpanUnit.minute), ("S", SpanUnit.second),
    ]
    var total: Int64 = 0
    while !atEnd {
      let start = position
      guard let number = try isoNumber() else { throw stop }
      guard let index = units.firstIndex(where: { sees($0.letter) }),
        number.count != nil || units[index].letter == "S"
      else { throw stop }
      position += 1
      guard let length = number.times(units[index].length) else { throw Misread(.outOfBounds, at: start) }
      total = try add(total, length, at: start)
      units.removeSubrange(...index)
    }
    return total
  }

  private mutating func isoNumber() throws(Misread) -> TypedNumber? { seesDigit ? try typedNumber() : nil }
}
