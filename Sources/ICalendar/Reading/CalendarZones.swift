import EggTime

/// Finds the zones that one calendar's TZIDs mean.
struct CalendarZones {
  private let context: ReadingContext
  /// VTIMEZONEs by TZID.
  private var described: [String: ZoneDraft] = [:]
  private var known: [String: Zone?] = [:]
  /// Bounds the memory that a hostile file can take.
  private static let most = 2_000

  /// With those that a file describes, also behind the entries that name them. Of several of the same name, the first;
  /// a reader that comes to another takes that.
  init(_ context: ReadingContext, describedIn lines: [ComponentLines.Line]) {
    self.context = context
    var zone: ZoneDraft?
    for line in lines where zone != nil || line.name == "BEGIN" {
      guard let property = (try? Property(line)) ?? nil else { continue }
      switch (property.name, property.value.uppercased()) {
      case (.begin, "VTIMEZONE"): zone = ZoneDraft()
      case (.begin, let name): zone?.begin(name)
      case (.end, "VTIMEZONE"):
        if let zone, let name = zone.name, described[name] == nil { describe(zone) }
        zone = nil
      default: zone?.take(property)
      }
    }
  }

  mutating func describe(_ zone: ZoneDraft) {
    guard let name = zone.name, described.count < Self.most else { return }
    described[name] = zone
    known[name] = nil
  }

  /// Tries, in order: the name itself; the location of its VTIMEZONE; the end of the name, as in
  /// `/citadel.org/20260101_1/Europe/Paris`; the Windows zone of that name; the reader's own zone and those of Windows, if
  /// its VTIMEZONE says the same. nil if none of them is meant.
  mutating func zone(_ identifier: String) -> Zone? {
    if let zone = known[identifier] { return zone }
    if known.count >= Self.most { known.removeAll() }
    var names = [identifier]
    if let location = described[identifier]?.location { names.append(location) }
    let parts = identifier.split(separator: "/")
    for count in (1...3).reversed() where count < parts.count || count == parts.count && count > 1 {
      names.append(parts.suffix(count).joined(separator: "/"))
    }
    if let name = WindowsZones.names[identifier] { names.append(name) }
    var zone: Zone?
    for name in names where zone == nil { zone = try? context.loadZone(name) }
    if zone == nil, let described = described[identifier] {
      let others = (WindowsZones.populous + Set(WindowsZones.names.values).sorted())
        .compactMap { try? context.loadZone($0) }
      zone = described.match(of: [context.zone, .utc] + others, at: context.now)
    }
    known[identifier] = .some(zone)
    return zone
  }
}
