extension Scanner {
  /// Refuses calendar events that people read otherwise: to systemd `7:5` is 07:05 every day, `8:00,9:00` is
  /// 08:00 and 08:09, and `5-6` is May 6.
  func refuseOtherReadings() throws(Misread) {
    var rest = self
    guard !bytes[position..<end].contains(where: { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "/") })
    else { return }
    while !rest.atEnd, !rest.seesDigit { rest.position += 1 }
    try rest.refuseTwoNumbers()
    try rest.refuseShortMinute()
    try rest.refuseListOfTimes()
  }

  /// `5-6`, `05-06 07:30`
  private func refuseTwoNumbers() throws(Misread) {
    var rest = self
    guard let first = rest.number(digits: 1...2) else { return }
    let isRange = rest.sees("~")
    guard rest.takes("-") || rest.takes("~"), let second = rest.number(digits: 1...2),
      rest.atEnd || rest.sees(" "), first <= 12, second <= 12, isRange || first != second
    else { return }
    throw Misread(
      offset: position, reason: .ambiguousDate, isDecisive: true, dates: [(first, second), (second, first)],
      range: position..<rest.position)
  }

  /// `7:5`
  private func refuseShortMinute() throws(Misread) {
    var rest = self
    guard let hour = rest.number(digits: 1...2), rest.takes(":"), rest.digitCount == 1,
      let minute = rest.number(digits: 1...1), rest.atEnd || rest.sees(" "), hour <= 23
    else { return }
    let time = TimeOfDay(hour: hour, minute: minute).text
    throw misread(.timeOrEvent, position..<rest.position, instead: [time])
  }

  /// `8:00,9:00`
  private func refuseListOfTimes() throws(Misread) {
    var times: [(hour: Int, minute: Int)] = []
    var rest = self
    repeat {
      guard let hour = rest.number(digits: 1...2), rest.takes(":"), let minute = rest.number(digits: 2...2)
      else { return }
      times.append((hour, minute))
    } while rest.takes(",")
    guard times.count > 1, rest.atEnd || rest.sees(" ") else { return }
    let isSame = times.allSatisfy { $0.minute == times[0].minute }
    let hours = times.map { Digits.padded($0.hour, to: 2) }.joined(separator: ",")
    throw misread(
      .timeOrEvent, position..<rest.position,
      instead: isSame ? [hours + ":" + Digits.padded(times[0].minute, to: 2)] : [])
  }
}
