import Alarms
import EggTime
import GRDB
import Ringing

/// The zones in which alarms are resolved, as last read. A zone that becomes unreadable keeps its last data.
/// Confined to the store's queue.
package final class ZonesInUse {
  package let machine: MachineZone
  /// The zone of floating alarms.
  private(set) var local: Zone
  private var named: [String: Zone] = [:]
  /// The names of those zones, and of some that could never be read.
  private var wanted: Set<String> = []
  /// Zones already reported as unreadable.
  private var unusable: Set<String> = []
  /// Whether the last read of the machine's zone succeeded.
  private(set) var isLocalGood = true
  /// Days off by name, as last read.
  private var daysOff: [String: DaySet] = [:]
  /// Recurring times by text: a lookup is cheaper than parsing.
  private var times: [String: RecurringTime] = [:]
  /// Some zone that was read may not be watched yet.
  private(set) var isUnsettled = false
  /// Zones that were first read since the last check, with no alarm waiting in them then.
  private var new: Set<String> = []

  init(_ machine: MachineZone) {
    self.machine = machine
    local = machine.current
  }

  /// The machine's zone for a floating alarm; nil for a zone that could never be read.
  package func zone(_ name: String, floats: Bool) -> Zone? {
    if floats { return local }
    if let zone = named[name] { return zone }
    guard let zone = try? machine.source.zone(named: name) else { return nil }
    named[name] = zone
    if zone.path != nil { isUnsettled = true }
    if !wanted.contains(name) { new.insert(name) }
    return zone
  }

  /// The recurring time of a row that begins with all columns of `alarm`; nil for a one-shot, and for
  /// unreadable values of another program. No text is valid in two of the columns.
  func time(_ row: some ColumnReading) -> RecurringTime? {
    let (event, interval, rule) = (row.text(.calendarEvent), row.text(.interval), row.text(.rule))
    guard let text = interval ?? rule ?? event else { return nil }
    if let time = times[text] { return time }
    guard let time = RecurringTime(event: event, interval: interval, rule: rule) else { return nil }
    if times.count >= Head.capacity { times = [:] }
    times[text] = time
    return time
  }

  /// For a transaction, and after each change of them in it.
  func readDaysOff(_ database: Database) throws {
    daysOff = try DaysOffTable.all(in: database).reduce(into: [:]) { all, read in
      all[read.key] = daysOff[read.key].flatMap { $0 == read.value ? $0 : nil } ?? read.value
    }
  }

  func daysOff(named name: String) -> DaySet? { daysOff[name] }

  /// Ascending.
  var namesOfDaysOff: [String] { daysOff.keys.sorted() }

  func quiet(_ rules: MomentRules) -> QuietDays {
    rules == .none ? .none : QuietDays(rules) { daysOff[$0] }
  }

  /// Reads the machine's zone again.
  ///
  /// - Parameter known: At the start, the name of the last good zone.
  /// - Returns: The error, when it occurs for the first time.
  func readLocal(known: String?) -> (zone: String, reason: ZoneError)? {
    do throws(ZoneError) {
      local = try machine.read()
      isLocalGood = true
      return nil
    } catch {
      if let known, known != local.identifier, let last = try? machine.source.zone(named: known) {
        machine.keep(last)
        local = last
      }
      // A machine without a zone is at UTC; no zone was lost.
      if case .unreadable = error, local.identifier == "UTC", known == nil || known == "UTC" { return nil }
      defer { isLocalGood = false }
      return isLocalGood ? (local.identifier, error) : nil
    }
  }

  /// Reads these zones again and forgets all others.
  ///
  /// - Returns: Those that have become unreadable.
  func read(_ names: Set<String>) -> [(zone: String, reason: ZoneError)] {
    isUnsettled = false
    new = []
    var kept: [String: Zone] = [:]
    var failures: [(zone: String, reason: ZoneError)] = []
    for name in names {
      do throws(ZoneError) {
        kept[name] = try machine.source.zone(named: name)
        unusable.remove(name)
      } catch {
        kept[name] = named[name]
        if unusable.insert(name).inserted { failures.append((name, error)) }
      }
    }
    named = kept
    wanted = names
    return failures.sorted { $0.zone < $1.zone }
  }

  /// Whether all alarms waiting in that zone are resolved by its present data, because none waited there at
  /// the last check.
  func isNew(_ name: String) -> Bool { new.contains(name) }

  /// Whether the last read succeeded.
  func isGood(_ name: String) -> Bool { !unusable.contains(name) }

  /// Everything that leads to the zones that were read.
  var paths: Set<String> {
    let files = wanted.compactMap { machine.source.path(ofZone: $0) }
    return Set(files + [local.path, machine.source.localPath].compactMap { $0 })
  }
}

extension ZoneError {
  var reason: String {
    switch self {
    case .invalidIdentifier: "not a zone name"
    case .unknown: "no such zone"
    case .unreadable(let path, let code): "\(path) cannot be read, error \(code)"
    case .malformed(let path): "\(path) is damaged"
    }
  }
}
