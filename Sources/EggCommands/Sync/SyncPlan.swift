import Alarms
import EggProtocol
import EggTime
import Gettext
import ICalendar

/// What synchronising will do: to the list, to the folder, and what both then have in common.
struct SyncPlan {
  struct Write {
    var file: String
    var text: String
    /// The file that it replaces; nil for a new one.
    var replaced: SyncFolder.Stamp?
  }

  /// Something that a person should know.
  struct Notice: Hashable {
    /// The alarm, or the file.
    var subject: String
    var text: String
    var isConflict = false
    var number: Int64?
  }

  var entries: [SyncState.Entry] = []
  var created: [WireAlarm] = []
  var replaced: [WireAlarm] = []
  var deleted: [AlarmID] = []
  var writes: [Write] = []
  var removals: [SyncState.Steps.Removal] = []
  var notices: [Notice] = []

  var changesList: Bool { !created.isEmpty || !replaced.isEmpty || !deleted.isEmpty }
  var changesFolder: Bool { !writes.isEmpty || !removals.isEmpty }
}
