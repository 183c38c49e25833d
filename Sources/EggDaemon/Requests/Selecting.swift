import Alarms
import EggProtocol
import EggStore
import Varlink

extension SelectingCall {
  /// The selected alarms. Refuses a call without any, and a range that ends before it begins.
  func selected() throws(CallFailure) -> Selection {
    let wire = selection
    guard !wire.numbers.isEmpty || !wire.ids.isEmpty || !wire.ranges.isEmpty || wire.all else {
      throw ScheduleError.missingParameter(oneOf: ["numbers", "ids", "ranges", "all"]).failure
    }
    var ranges: [ClosedRange<Int64>] = []
    for range in wire.ranges {
      guard range.first <= range.last else { throw .invalidParameter("ranges") }
      ranges.append(range.first...range.last)
    }
    return Selection(numbers: wire.numbers, ids: wire.ids, ranges: ranges, all: wire.all)
  }
}

extension AlarmReference {
  /// Exactly one of the two must be given.
  init(number: Int64?, id: AlarmID?) throws(CallFailure) {
    switch (number, id) {
    case (let number?, nil): self = .number(number)
    case (nil, let id?): self = .id(id)
    case (nil, nil): throw .invalidParameter("number")
    case (_?, _?): throw .invalidParameter("id")
    }
  }
}
