import Ringing

/// The contents of one transaction, written in order: rings, their marks, then changes as they came.
struct Batch {
  struct Submitted {
    var request: ChangeRequest
    var completion: @Sendable (Result<ChangeOutcome, ChangeError>) -> Void
    /// How many times the wait for another program's lock timed out.
    var tries = 0

    /// An answer on a bubble has no caller to report a failure to: it is kept until stored.
    var isKept: Bool {
      request.client == .bubble && (request.change is DismissChange || request.change is SnoozeChange)
    }

    func refuse(_ reason: String) { completion(.failure(.unavailable(reason: reason))) }
  }

  var rings: [RingRecord] = []
  var marks: [RingMark] = []
  /// This boot's new offset to the wall clock.
  var bootOffset: Int64?
  var changes: [Submitted] = []

  /// Changes per transaction.
  static let most = 256
  /// Of those, chunks of an import: few, so that others wait briefly and the log stays short.
  static let mostChunks = 4

  var isEmpty: Bool { changes.isEmpty && !hasOthers }
  /// Whether there is more than changes.
  var hasOthers: Bool { !rings.isEmpty || !marks.isEmpty || bootOffset != nil }

  /// The parts on their own, so that one that cannot be written does not block the others. A mark stays with its ring:
  /// alone it would find no row. A step of the clock stays too: alarms follow it once what rang before is recorded.
  var parts: [Batch] {
    let parts = changes.map { Batch(changes: [$0]) }
    return hasOthers ? [Batch(rings: rings, marks: marks, bootOffset: bootOffset)] + parts : parts
  }

  /// What comes before this.
  mutating func put(first earlier: Batch) {
    rings = earlier.rings + rings
    marks = earlier.marks + marks
    bootOffset = bootOffset ?? earlier.bootOffset
    changes = earlier.changes + changes
  }

  /// Leaves what fits into one transaction.
  ///
  /// - Returns: The rest.
  mutating func cut() -> Batch {
    var chunks = 0
    let end = changes.prefix(Self.most).firstIndex { change in
      if change.request.change is ImportAlarmsChange { chunks += 1 }
      return chunks > Self.mostChunks
    }
    let rest = Array(changes.dropFirst(end ?? Self.most))
    changes.removeLast(rest.count)
    return Batch(changes: rest)
  }
}
