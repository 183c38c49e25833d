import Alarms
import EggTime
import GRDB
import Ringing

/// Deletes many alarms that a change had made.
extension UndoChange {
  /// nil where it also changes others, or brings some back.
  func deletionWalk(in database: Database) throws -> (any SliceWalk)? {
    let log = UndoLog(database: database)
    guard let undo = try log.last(end), expected == nil || expected == undo.sequence else { return nil }
    let images = Images(database: database, holder: undo.holder)
    let made = try log.made(by: undo.step)
    guard undo.holder < Images.slices, !made.isEmpty, try images.deleted(after: .min, limit: 1).isEmpty,
      try !images.hasChanged()
    else { return nil }
    return MadeWalk(holder: undo.holder, made: made)
  }
}

/// Goes through the alarms that a change has made.
struct MadeWalk: SliceWalk {
  /// Of the images of the change.
  let holder: Int64
  private var walk: SelectionWalk
  var missing: [Int64] { [] }
  var missingIDs: [AlarmID] { [] }

  init(holder: Int64, made: NumberSet) {
    self.holder = holder
    walk = SelectionWalk(
      Selection(ranges: made.ranges), candidates: SelectedAlarms.between + " ORDER BY number")
  }

  mutating func next(atMost count: Int, in database: Database) throws -> Slice? {
    try walk.next(atMost: count, in: database)
  }

  func includes(_ number: Int64) -> Bool { walk.includes(number) }
}

/// Gives many alarms their old values in slices.
extension UndoChange: SlicedChange {
  func firstOccurrence(_ request: ChangeRequest) -> Int64 { .min }

  /// nil where nothing is to be undone.
  func walk(in database: Database) throws -> (any SliceWalk)? {
    guard let undo = try UndoLog(database: database).last(end),
      expected == nil || expected == undo.sequence
    else { return nil }
    return UndoWalk(holder: undo.holder, moves: undo.kind == .move)
  }

  /// Later changes do not come before the one that is undone.
  func walk(again first: any SliceWalk, in database: Database) -> (any SliceWalk)? { first }

  func narrowed(to numbers: [Int64]) -> any Change { self }

  func apply(
    to slice: Slice, of walk: any SliceWalk, in transaction: StoreTransaction, for request: ChangeRequest
  ) throws -> SliceOutcome {
    guard let walk = walk as? UndoWalk else { return SliceOutcome() }
    let images = Images(database: transaction.database, holder: walk.holder)
    let numbers = try slice.numbers.filter { try images.alarm($0, .before) != nil }
    guard !numbers.isEmpty else { return SliceOutcome() }
    var outcome = SliceOutcome(changed: numbers)
    var parts = NumberSet([])
    for number in numbers { parts.add([number]) }
    try transaction.step(numbers) {
      for part in parts.ranges {
        outcome.missed += try transaction.merge(images, in: part, at: request.readAt)
      }
      return []
    }
    return outcome
  }

  func finished(_ slices: Slices) -> any Change {
    var change = self
    change.slices = slices
    return change
  }
}

/// Goes through the alarms that a change has changed.
struct UndoWalk: SliceWalk {
  /// Of the images of the change.
  let holder: Int64
  let parts: ChangeUnderWay.Parts
  private var last = Int64.min
  var missing: [Int64] { [] }
  var missingIDs: [AlarmID] { [] }

  init(holder: Int64, moves: Bool) {
    self.holder = holder
    parts = moves ? [.deletesOccurrences, .movesAlarms] : .deletesOccurrences
  }

  mutating func next(atMost count: Int, in database: Database) throws -> Slice? {
    let rows = try database.cachedStatement(
      sql: """
        SELECT place, \(Images.isDeleted), EXISTS (SELECT 1 FROM alarm WHERE number = i.place)
        FROM alarm_image i WHERE holder = ? AND side = 0 AND place > ? ORDER BY place LIMIT ?
        """
    ).rows([holder, last, count])
    var slice: Slice?
    while let row = try rows.next() {
      guard let place = int(row, 0) else { continue }
      // What also brings deleted alarms back is made as one.
      guard int(row, 1) == 0 else { throw Slices.Spoiled() }
      slice = slice ?? Slice(numbers: [])
      last = place
      if int(row, 2) == 1 { slice?.numbers.append(place) }
    }
    return slice
  }

  func includes(_ number: Int64) -> Bool { true }
}
