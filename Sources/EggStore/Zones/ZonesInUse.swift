import EggTime
import Ringing

/// The zones that alarms are resolved in, as they were last read: a zone that can't be read any more stays as it
/// was. Confined to the store's queue.
package final class ZonesInUse {
  package let machine: MachineZone
  /// What floating alarms are resolved in.
  private(set) var local: Zone
  private var named: [String: Zone] = [:]
  /// The names of those, and of some that could never be read.
  private var wanted: Set<String> = []
  /// Zones of which it was told that they can't be read.
  private var unusable: Set<String> = []
  /// Whether the machine's zone was read when it was last looked at.
  private(set) var isLocalGood = true
  /// Recurring times by their texts: reading one costs more than looking it up.
  private var times: [String: RecurringTime] = [:]
  /// A zone was read that is not known to be watched.
  private(set) var isUnsettled = false
  /// Zones that were read since the last look, when nobody waited in them.
  private var new: Set<String> = []

  init(_ machine: MachineZone) {
    self.machine = machine
    local = machine.current
  }

  /// The zone of an alarm: the machine's for one that floats. nil for a zone that can't be read and never could.
  package func zone(_ name: String, floats: Bool) -> Zone? {
    if floats { return local }
    if let zone = named[name] { return zone }
    guard let zone = try? machine.source.zone(named: name) else { return nil }
    named[name] = zone
    if zone.path != nil { isUnsettled = true }
    if !wanted.contains(name) { new.insert(name) }
    return zone
  }

  /// What the columns `calendarEvent` and `interval` say; nil where another program wrote what is none. No text is both
  /// an event and an interval.
  func time(event: String?, interval: String?) -> RecurringTime? {
    guard let text = interval ?? event else { return nil }
    if let time = times[text] { return time }
    guard let time = RecurringTime(event: event, interval: interval) else { return nil }
    if times.count >= Head.capacity { times = [:] }
    times[text] = time
    return time
  }

  /// Reads the machine's zone anew.
  ///
  /// - Parameter known: At the start, the name of the last good one.
  /// - Returns: Why it can't be read, the first time that this is so.
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
      // A machine that has no zone is at UTC; no zone was lost.
      if case .unreadable = error, local.identifier == "UTC", known == nil || known == "UTC" { return nil }
      defer { isLocalGood = false }
      return isLocalGood ? (local.identifier, error) : nil
    }
  }

  /// Reads these zones anew, and forgets all others.
  ///
  /// - Returns: Those that can't be read, the first time that this is so.
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

  /// Whether all alarms that wait in that zone are resolved by its present data: nobody did when the zones were last
  /// looked at.
  func isNew(_ name: String) -> Bool { new.contains(name) }

  /// Whether it was read when it was last looked at.
  func isGood(_ name: String) -> Bool { !unusable.contains(name) }

  /// All that leads to what was read.
  var paths: Set<String> {
    let files = wanted.compactMap { machine.source.path(ofZone: $0) }
    return Set(files + [local.path, machine.source.localPath].compactMap { $0 })
  }
}

extension ZoneError {
  /// Why, in words.
  var reason: String {
    switch self {
    case .invalidIdentifier: "that is no zone's name"
    case .unknown: "there is no such zone"
    case .unreadable(let path, let code): "\(path) can't be read, error \(code)"
    case .malformed(let path): "\(path) is damaged"
    }
  }
}
