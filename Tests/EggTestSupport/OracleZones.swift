import EggTime

/// The zones as an oracle knows them: read when it is told that they have changed.
package struct OracleZones {
  private let source: ZoneSource
  private var zones: [String?: Zone] = [:]

  /// As the files of ``ZoneFolder/names`` are now.
  package init(_ source: ZoneSource) throws {
    self.source = source
    try read()
  }

  package mutating func read() throws {
    zones = [nil: try source.local()]
    for name in ZoneFolder.names { zones[name] = try source.zone(named: name) }
  }

  /// That zone; nil: the machine's.
  package func zone(_ name: String?) -> Zone { zones[name] ?? .utc }

  /// Whether that zone was another before.
  package func isChanged(_ name: String?, since old: OracleZones) -> Bool {
    zone(name).digest != old.zone(name).digest || zone(name).identifier != old.zone(name).identifier
  }
}
