import Alarms
import EggProtocol
import EggStore
import EggTime
import Ringing
import Varlink

/// Verbs that select alarms.
extension Changes {
  /// Makes the change that a call asks of the alarms that it selects.
  func change<Asked: SelectingCall>(
    _: Asked.Type, _ call: ServerCall, _ readAt: ClockReading, _ change: (Asked, Selection) -> any Change
  ) throws(CallFailure) {
    let asked: Asked = try call.parameters()
    submit(change(asked, try asked.selected()), readAt, for: call, answer: answer)
  }

  func skip(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: SkipCall = try call.parameters()
    let selection = try asked.selected()
    switch (asked.from, asked.until, asked.clear ?? false) {
    case (nil, nil, false): submit(SkipChange(selection), readAt, for: call, answer: answer)
    case (nil, nil, true): submit(SkipDaysChange(selection, .clear), readAt, for: call, answer: answer)
    case (let from, let until?, false):
      guard from.map({ $0.dayNumber < until.dayNumber }) ?? true else { throw .invalidParameter("until") }
      submit(SkipDaysChange(selection, .range(from: from, until: until)), readAt, for: call, answer: answer)
    case (_, _, true): throw .invalidParameter("clear")
    case (_, nil, _): throw ScheduleError.missingParameter(oneOf: ["until"]).failure
    }
  }

  /// - Parameter usual: How long, where the call does not say.
  func snooze(_ call: ServerCall, _ reader: TimingReader, usual: SnoozeLength) throws(CallFailure) {
    let asked: SnoozeCall = try call.parameters()
    let selection = try asked.selected()
    if asked.span != nil, asked.until != nil { throw .invalidParameter("until") }
    let length = asked.span.map(SnoozeLength.span) ?? asked.until.map(SnoozeLength.until) ?? usual
    let end = try reader.end(of: length, zone: asked.zone)
    submit(
      SnoozeChange(selection, until: end.due, end.timing), reader.readAt, for: call, answer: answer)
  }

  func move(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: MoveCall = try call.parameters()
    let place: Place
    switch (asked.place, asked.other) {
    case (.top, nil): place = .top
    case (.bottom, nil): place = .bottom
    case (.before, let other?): place = .before(other)
    case (.after, let other?): place = .after(other)
    default: throw .invalidParameter("other")
    }
    submit(MoveChange(try asked.selected(), place), readAt, for: call, answer: answer)
  }

  func delete(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: DeleteCall = try call.parameters()
    submit(DeleteChange(try asked.selected(), rungBefore: asked.rungBefore), readAt, for: call) {
      outcome, call in
      let removed = outcome.removed.sorted { $0.number < $1.number }
      let isFew = removed.count <= MadeChange.few && removed.map(\.number) == outcome.deleted
      call.reply(
        DeleteReply(
          deleted: outcome.deleted, names: isFew ? removed.map { $0.label ?? $0.expression } : nil,
          rang: outcome.rang, missing: outcome.missing,
          missingIds: outcome.missingIDs, sequence: outcome.sequence))
    }
  }

  /// Selects deleted alarms, of which only the history is left.
  func pruneHistory(_ call: ServerCall, _ readAt: ClockReading) throws(CallFailure) {
    let asked: PruneHistoryCall = try call.parameters()
    let change = PruneHistoryChange(number: asked.number, deletedBefore: asked.deletedBefore)
    submit(change, readAt, for: call) { outcome, call in
      call.reply(PruneHistoryReply(count: outcome.changed, sequence: outcome.sequence))
    }
  }
}

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
