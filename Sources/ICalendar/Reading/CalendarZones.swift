import EggTime

/// The zones that the TZIDs of one calendar mean.
struct CalendarZones {
  private let load: @Sendable (String) throws(ZoneError) -> Zone
  /// The X-LIC-LOCATION of a VTIMEZONE by its TZID.
  private var locations: [String: String] = [:]
  private var known: [String: Zone?] = [:]
  /// So that a hostile file takes no memory without end.
  private static let most = 2_000

  init(_ load: @escaping @Sendable (String) throws(ZoneError) -> Zone) { self.load = load }

  /// Notes what a VTIMEZONE says of itself.
  mutating func name(_ identifier: String, location: String) {
    guard locations.count < Self.most else { return }
    locations[identifier] = location
    known[identifier] = nil
  }

  /// The zone of that name; else of its VTIMEZONE's location; else of the name's end, as in
  /// `/citadel.org/20260101_1/Europe/Paris`; else of the zone of Windows that is called so. nil where there is none.
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
