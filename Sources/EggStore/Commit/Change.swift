import Alarms
import EggTime

/// A change as a command or a bubble asks for it: checked against the limits, its expression read.
package enum Change: Sendable {
  /// In a box: on its way it is copied many times, each time with all of its texts.
  indirect case schedule(NewAlarm)
  case edit(Selection, AlarmEdit)
  /// With a moment: of these only such as have rung, and before it, and have nothing to come.
  case delete(Selection, rungBefore: Instant? = nil)
  /// Ringing alarms ring again at `until`, a point of the current boot's clock.
  case snooze(Selection, until: DuePoint)
  /// Ringing or snoozed alarms end.
  case dismiss(Selection)
  /// The next moment of waiting alarms is left out.
  case skip(Selection)
  /// Countdowns stop; recurring alarms pass over what comes.
  case pause(Selection)
  /// Paused alarms go on.
  case resume(Selection)
  /// The moment, the end of a snooze or what is left moves by a span, which may be negative.
  case extend(Selection, by: TimeSpan)
  /// The person's own mark is set or cleared.
  case markDone(Selection, Bool)
  /// Alarms get another place in the list, in the order that they have.
  case move(Selection, Place)
  case createGroup(Group)
  case editGroup(name: String, GroupEdit)
  /// Its alarms leave it, or are deleted with it.
  case deleteGroup(name: String, withAlarms: Bool)
  /// Nothing changes yet.
  case stage(StagedAlarms, ImportID)
  /// All that was staged becomes alarms.
  case commitImport(ImportID)
  /// The last change is taken back, if it is that of this number.
  case undo(expected: Int64?)
}

/// A place in the list.
package enum Place: Hashable, Sendable {
  case top
  case bottom
  case before(Int64)
  case after(Int64)
}

/// Which fields of a group change; nil leaves a field alone, `.some(nil)` takes it away.
package struct GroupEdit: Sendable {
  package var name: String?
  package var color: Group.Color??
  package var icon: String??

  /// Nothing changes yet.
  package init() {}
}

/// A change with the moment at which its call was read, which becomes `createdAt` or `modifiedAt`.
package struct ChangeRequest: Sendable {
  package var change: Change
  package var readAt: ClockReading
  /// Who asked for it.
  package var client: ChangeClient
  /// Of a dismissal on a bubble: the occurrence of each alarm that it showed. What rang since is another bubble's.
  package var seen: [Int64: Int64]

  /// That change, read then.
  package init(
    _ change: Change, readAt: ClockReading, client: ChangeClient = ChangeClient(name: nil, session: nil),
    seen: [Int64: Int64] = [:]
  ) {
    self.client = client
    self.seen = seen
    self.change = change
    self.readAt = readAt
  }
}

/// What a new alarm is to be.
package struct NewAlarm: Sendable {
  package var label: String?
  package var category: Category
  package var eggs: Int64
  /// The group's name.
  package var group: String?
  package var summary: String?
  package var body: String?
  package var icon: String?
  package var timing: Timing
  package var expression: String
  package var forcedKind: Timing.Kind?
  package var readingZone: String
  /// Its moment.
  package var due: DuePoint
  package var ifMissed: MissedPolicy
  package var from: Instant?
  package var until: Instant?
  package var count: Int64?
  /// The day that it is an occasion of.
  package var anniversary: CivilDate?
  package var key: String?
  /// The request as first sent (expression and options, not the resolved moment), compared where `key` is set.
  package var keyedRequest: String?

  /// All fields.
  package init(
    label: String?, category: Category, eggs: Int64, group: String? = nil, summary: String?, body: String?,
    icon: String?,
    timing: Timing, expression: String, forcedKind: Timing.Kind?, readingZone: String, due: DuePoint,
    ifMissed: MissedPolicy = .ring, from: Instant? = nil, until: Instant? = nil, count: Int64? = nil,
    anniversary: CivilDate? = nil, key: String?, keyedRequest: String?
  ) {
    self.group = group
    self.anniversary = anniversary
    self.ifMissed = ifMissed
    self.from = from
    self.until = until
    self.count = count
    self.label = label
    self.category = category
    self.eggs = eggs
    self.summary = summary
    self.body = body
    self.icon = icon
    self.timing = timing
    self.expression = expression
    self.forcedKind = forcedKind
    self.readingZone = readingZone
    self.due = due
    self.key = key
    self.keyedRequest = keyedRequest
  }
}

/// Which fields of alarms change; nil leaves a field alone, a text of `.some(nil)` takes it away.
package struct AlarmEdit: Sendable {
  package var label: String??
  package var category: Category?
  package var eggs: Int64?
  /// The group's name.
  package var group: String??
  package var summary: String??
  package var body: String??
  package var icon: String??
  package var timing: NewTiming?
  package var ifMissed: MissedPolicy?
  /// Goes with the timing.
  package var from: Instant?
  /// Goes with the timing.
  package var until: Instant?
  /// Goes with the timing.
  package var count: Int64?

  /// A timing in place of the old one: the alarm is scheduled (again) under its number.
  package struct NewTiming: Sendable {
    package var timing: Timing
    package var expression: String
    package var forcedKind: Timing.Kind?
    package var readingZone: String
    package var due: DuePoint

    /// All fields.
    package init(
      timing: Timing, expression: String, forcedKind: Timing.Kind?, readingZone: String, due: DuePoint
    ) {
      self.timing = timing
      self.expression = expression
      self.forcedKind = forcedKind
      self.readingZone = readingZone
      self.due = due
    }
  }

  /// Nothing changes yet.
  package init() {}
}

/// Which alarms a change is about: the union of all four. Those of `numbers` and `ids` that do not exist are
/// named in the reply; a number of `ranges` that does not exist is passed over.
package struct Selection: Sendable {
  package var numbers: [Int64]
  package var ids: [AlarmID]
  package var ranges: [ClosedRange<Int64>]
  package var all: Bool

  /// All fields.
  package init(
    numbers: [Int64] = [], ids: [AlarmID] = [], ranges: [ClosedRange<Int64>] = [], all: Bool = false
  ) {
    self.numbers = numbers
    self.ids = ids
    self.ranges = ranges
    self.all = all
  }
}

/// What came of a change, told after COMMIT.
package struct ChangeOutcome: Sendable {
  /// The number of the last committed change, this one included.
  package var sequence: Int64
  /// The alarms that it made or changed, as they are now, by number.
  package var alarms: [Alarm] = []
  /// How many of those selected it changed; `alarms` has the first.
  package var changed: Int64 = 0
  package var deleted: [Int64] = []
  /// Those of `deleted` whose ring came first: they were over because they had rung.
  package var rang: [Int64] = []
  package var missing: [Int64] = []
  package var missingIDs: [AlarmID] = []
  /// The change that was taken back.
  package var undone: UndoStep?
  package var imported: Imported?
  /// The group that was made or changed.
  package var group: GroupSums?
  /// The alarm of that key was there already, nothing was changed.
  package var existed = false

  /// Nothing but a sequence yet.
  package init(sequence: Int64) { self.sequence = sequence }
}

/// Why a change was not made.
package enum ChangeError: Error, Hashable, Sendable {
  /// None of those selected exists.
  case noSuchAlarm(numbers: [Int64], ids: [AlarmID])
  /// One that was named (not merely inside a range or `all`) does not allow it; nothing was changed.
  case wrongState(number: Int64, Alarm.Phase)
  case keyInUse(key: String, number: Int64)
  /// The moment that it would get is not ahead, or after the last one that there is.
  case invalidDue(number: Int64, due: Instant)
  /// An alarm can't be moved next to itself.
  case wrongPlace(number: Int64)
  case nothingToUndo
  /// The last change is the one of this number.
  case changedSince(Int64)
  case noSuchGroup(String)
  case groupExists(String)
  /// Not known to be stored: disk full, read-only, file taken away, lock held by another program for long, …
  case unavailable(reason: String)
}
