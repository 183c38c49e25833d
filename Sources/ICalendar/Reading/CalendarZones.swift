import EggTime

/// Finds the zones that one calendar's TZIDs mean.
struct CalendarZones {
  private let load: @Sendable (String) throws(ZoneError) -> Zone
  /// TZID to the X-LIC-LOCATION of its VTIMEZONE.
  private var locations: [String: String] = [:]
  private var known: [String: Zone?] = [:]
  /// Bounds the memory that a hostile file can take.
  private static let most = 2_000

  init(_ load: @escaping @Sendable (String) throws(ZoneError) -> Zone) { self.load = load }

  /// Records the X-LIC-LOCATION of a VTIMEZONE.
  mutating func name(_ identifier: String, location: String) {
    guard locations.count < Self.most else { return }
    locations[identifier] = location
    known[identifier] = nil
  }

  /// Tries, in order: the name itself; the location of its VTIMEZONE; the end of the name, as in
  /// `/citadel.org/20260101_1/Europe/Paris`; the Windows zone of that name. nil if none of them is a zone.
  mutating func zone(_ identifier: String) -> Zone? {
    if let zone = known[identifier] { return zone }
    if known.count >= Self.most { known.removeAll() }
    var names = [identifier]
    if let location = locations[identifier] { names.append(location) }
    let parts = identifier.split(separator: "/")
    for count in (1...3).reversed() where count < parts.count || count == parts.count && count > 1 {
      names.append(parts.suffix(count).joined(separator: "/"))
    }
    if let name = WindowsZones.names[identifier] { names.append(name) }
    var zone: Zone?
    for name in names where zone == nil { zone = try? load(name) }
    known[identifier] = .some(zone)
    return zone
  }
}
