/// How late single alarms were, in ns, in no order.
struct Lateness {
  /// When the kernel took the entry from the journal call.
  var journal: [Int64]
  /// What the entry itself says, EGG_LATENESS_US.
  var said: [Int64]
  var bus: [Int64]
  /// Of a timerfd loop whose moments lie between theirs.
  var bare: [Int64]
  /// Of the Notify calls of that loop.
  var bareBus: [Int64]

  /// - Parameters:
  ///   - when: What begins each line.
  ///   - isMarked: The marks are those of an idle machine.
  func rows(
    _ when: String = "", isMarked: Bool = false, besideJournal: [Row.Beside] = [],
    besideBus: [Row.Beside] = []
  ) -> [Row] {
    let journal = Sample.microseconds(journal)
    let bus = Sample.microseconds(bus)
    let bare = Sample.microseconds(bare)
    let loop = Row.Beside(name: "a bare timerfd loop", sample: bare)
    let caller = Row.Beside(
      name: "a bare timerfd loop that calls Notify", sample: .microseconds(bareBus))
    // of fewer it would be the last
    let part = self.journal.count <= 100 ? Row.Part.most : .p99
    let name = part == .most ? "most" : "p99"
    let worst = isMarked ? max(2_000, 1.5 * part.of(bare)) : nil
    return [
      Row("\(when)earliest at the journal", journal, "µs", part: .least, atLeast: 0),
      Row("\(when)EGG_LATENESS_US of its entry, p50", .microseconds(said), "µs"),
      Row(
        "\(when)at the journal call, p50", journal, "µs", atMost: isMarked ? 200 : nil,
        beside: [loop] + besideJournal),
      Row(
        "\(when)at the journal call, \(name)", journal, "µs", part: part, atMost: worst, beside: [loop]),
      Row(
        "\(when)at the bus, p50", bus, "µs", atMost: isMarked ? 1_000 : nil, beside: [caller] + besideBus),
      Row("\(when)at the bus, \(name)", bus, "µs", part: part, beside: [caller]),
    ]
  }
}
